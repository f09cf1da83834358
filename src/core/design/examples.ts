import type { MemoryEntry } from '../memory/readMemory';
import { classify, DEFAULT_DRAWS, negativePool, seedPool, standings, type PromptDraws } from '../memory/sampling';
import { seededRandom } from '../play/random';
import type { MemoryExample } from './prompt';

/** Code points of a snippet that the run keeps (run contract §7). */
const SNIPPET = 2_000;

/**
 * Draws the examples of one prompt as the run does: seeds at random from the pool of this skill, negatives at random from
 * those of it that were too easy or too hard. The same seed draws the same.
 */
export function drawExamples(entries: readonly MemoryEntry[], skill: string, drawSeed: number, draws: PromptDraws = DEFAULT_DRAWS): MemoryExample[] {
  const random = seededRandom(`examples ${drawSeed}`);
  const seeds = sample(seedPool(entries, skill, draws.seeds), draws.seeds, random);
  const negatives = sample(negativePool(entries, skill), draws.negatives, random);
  return [...seeds.map((entry) => exampleOf(entries, entry, 'seed', draws)), ...negatives.map((entry) => exampleOf(entries, entry, 'negative', draws))];
}

/** A record as an example, for those who choose by hand too. */
export function exampleOf(entries: readonly MemoryEntry[], entry: MemoryEntry, use: MemoryExample['use'], draws: PromptDraws = DEFAULT_DRAWS): MemoryExample {
  const standing = standings(entries, undefined, draws)[entries.indexOf(entry)];
  const kind = classify(entry.winRate);
  return {
    use,
    gameFile: entry.gameFile ?? '',
    code: Array.from(entry.snippet ?? '').slice(0, SNIPPET).join(''),
    winRate: entry.winRate ?? 0,
    regret: entry.regret ?? 0,
    reason: kind === 'too-easy' ? 'too easy' : kind === 'too-hard' ? 'too hard' : null,
    rank: use === 'seed' ? (standing?.poolRank ?? null) : null,
    odds: standing?.odds ?? null,
  };
}

/** `count` items without doubles, in the order they were drawn. */
function sample<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
}
