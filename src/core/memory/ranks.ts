/** Where a record stands among all seeds of its skill, and where it could stand when its regret is only known to an interval. */
import type { MemoryClass } from '../../shared/memory';
import type { MemoryEntry } from './readMemory';
import { classify, seedPool } from './sampling';

type Ranked = Pick<MemoryEntry, 'index' | 'winRate' | 'regret' | 'skill'>;

/** Every seed of a skill, best first; the pool is the beginning of this list (run contract §7). */
export function rankedSeeds<T extends Ranked>(entries: readonly T[], skill: string): T[] {
  return seedPool(entries, skill, entries.length);
}

/** Best and worst rank of a record, from 1, while its regret goes over an interval; null for what is no seed. Among equals the older stands first. */
export function rankOver(entries: readonly Ranked[], index: number, { lo, hi }: { readonly lo: number; readonly hi: number }): { best: number; worst: number } | null {
  const own = entries.find((entry) => entry.index === index);
  if (!own || own.skill === null || own.regret === null || classify(own.winRate) !== 'seed') return null;
  const others = rankedSeeds(entries, own.skill).filter((entry) => entry.index !== index);
  const rankAt = (regret: number): number =>
    1 + others.filter((other) => (other.regret ?? 0) > regret || (other.regret === regret && other.index < index)).length;
  return { best: rankAt(hi), worst: rankAt(lo) };
}

/** The uses that win rates between two allow, in the order of the rate. */
export function classesOver({ lo, hi }: { readonly lo: number; readonly hi: number }): MemoryClass[] {
  const edges = [lo, 0.1, 0.125, 0.15, 0.5, 0.85, 0.875, 0.9, hi].filter((rate) => rate >= lo && rate <= hi).sort((a, b) => a - b);
  return [...new Set(edges.map(classify))];
}

/**
 * Plays or pairs that are still to be made until an interval of `n` no longer reaches `edge`, when it narrows with the root of their
 * number and its middle stays. Null when it does not reach it, or the middle lies on it.
 */
export function moreUntilClear({ lo, hi }: { readonly lo: number; readonly hi: number }, middle: number, edge: number, n: number): number | null {
  if (edge < lo || edge > hi || n === 0) return null;
  const distance = Math.abs(middle - edge);
  const width = edge < middle ? middle - lo : hi - middle;
  if (distance === 0 || width <= distance) return null;
  return Math.ceil(n * (width / distance) ** 2 - n);
}
