/** What the run can draw for its next design prompt, and how likely (run contract §7). */
import type { MemoryClass } from '../../shared/memory';
import type { MemoryEntry } from './readMemory';

/** Records drawn for one prompt. */
export interface PromptDraws {
  readonly seeds: number;
  readonly negatives: number;
}
export const DEFAULT_DRAWS: PromptDraws = { seeds: 2, negatives: 1 };

/** Records the buffer keeps when the run says nothing else. */
export const DEFAULT_CAPACITY = 200;

/** Smallest pool that seeds are drawn from, when there are that many. */
const MIN_POOL = 10;

/** Most records that seeds are drawn from. */
export function poolSize(draws: number = DEFAULT_DRAWS.seeds): number {
  return Math.max(draws * 3, MIN_POOL);
}

type Rated = Pick<MemoryEntry, 'winRate' | 'regret' | 'skill'>;

/** Which use a win rate allows. A rate that is no number is never drawn. */
export function classify(winRate: number | null): MemoryClass {
  if (winRate === null) return 'dead-zone';
  if (winRate >= 0.15 && winRate <= 0.85) return 'seed';
  if (winRate > 0.9) return 'too-easy';
  return winRate < 0.1 ? 'too-hard' : 'dead-zone';
}

/**
 * The pool that seeds are drawn from, best first: highest regret first, the oldest of equals first. Sorted the way Python
 * sorts in reverse, with `<` alone, so that a NaN ends up where the run would put it.
 */
export function seedPool<T extends Rated>(entries: readonly T[], skill?: string, draws = DEFAULT_DRAWS.seeds): T[] {
  const candidates = entries.filter((entry) => (!skill || entry.skill === skill) && classify(entry.winRate) === 'seed' && entry.regret !== null);
  const ascending = candidates.reverse().sort((a, b) => ((a.regret ?? 0) < (b.regret ?? 0) ? -1 : 0));
  return ascending.reverse().slice(0, poolSize(draws));
}

/** The records that examples to avoid are drawn from, oldest first. */
export function negativePool<T extends Rated>(entries: readonly T[], skill?: string): T[] {
  return entries.filter(({ winRate, skill: own }) => (!skill || own === skill) && ['too-easy', 'too-hard'].includes(classify(winRate)));
}

/** Where a record stands among those of its skill. */
export interface Standing {
  readonly class: MemoryClass;
  /** From 1 in the seed pool, null outside of it. */
  readonly poolRank: number | null;
  /** Chance of being drawn for one prompt of its skill. */
  readonly odds: number;
  /** How many records have to be added until this one is evicted. */
  readonly evictedAfterAdds: number;
}

/** The pools of one skill, as indices into the buffer. */
export interface SkillPools {
  readonly seeds: readonly number[];
  readonly negatives: readonly number[];
}

/** Pools of every skill that records name, in the order of first appearance. */
export function poolsBySkill(entries: readonly MemoryEntry[], draws: PromptDraws = DEFAULT_DRAWS): Map<string, SkillPools> {
  const skills = new Set(entries.flatMap(({ skill }) => skill ?? []));
  return new Map([...skills].map((skill) => [skill, {
    seeds: seedPool(entries, skill, draws.seeds).map(({ index }) => index),
    negatives: negativePool(entries, skill).map(({ index }) => index),
  }]));
}

/** The standing of every record, in order. */
export function standings(entries: readonly MemoryEntry[], capacity = DEFAULT_CAPACITY, draws: PromptDraws = DEFAULT_DRAWS): Standing[] {
  const pools = poolsBySkill(entries, draws);
  return entries.map(({ index, skill, winRate }) => {
    const pool = skill === null ? undefined : pools.get(skill);
    const rank = pool?.seeds.indexOf(index) ?? -1;
    const isNegative = pool?.negatives.includes(index) ?? false;
    const share = (count: number, size: number): number => Math.min(count, size) / size;
    const odds = rank >= 0 ? share(draws.seeds, pool?.seeds.length ?? 1) : isNegative ? share(draws.negatives, pool?.negatives.length ?? 1) : 0;
    return {
      class: classify(winRate), poolRank: rank < 0 ? null : rank + 1, odds, evictedAfterAdds: Math.max(1, capacity - entries.length + index + 1),
    };
  });
}

/** Chance of being drawn at least once in `prompts` prompts, if the pool stays as it is. */
export function oddsOverPrompts(odds: number, prompts: number): number {
  return 1 - (1 - odds) ** prompts;
}
