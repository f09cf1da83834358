import type { Profile } from '../../../shared/findings';
import { guessProfile } from '../../environment/profile';
import type { SolutionReading } from '../../environment/readingSolution';
import type { ProbeFacts } from './facts';
import { readingOf, SEEDS, winningWay } from './query';

/**
 * The profile as the episodes tell it: tool use by the class, `s` when a first right answer ends the episode, else `m`.
 * Where no right answer is known, `m` when the solution is prose, which no single answer is, and else what the text tells. `c` comes only from provenance or the user.
 */
export function profileOf(facts: ProbeFacts): Profile | null {
  if (facts.load === null) return guessProfile(facts.file);
  if (facts.load.toolUse) return facts.load.multiMessage ? 'u' : 't';
  const won = SEEDS.flatMap((seed) => winningWay(facts, seed) ?? []);
  if (won.length > 0) return won.filter(({ turns }) => turns.length === 1).length * 2 > won.length ? 's' : 'm';
  if (SEEDS.some((seed) => isProse(readingOf(facts, seed)))) return 'm';
  const guessed = facts.openings.filter(({ purpose, openings }) => purpose === 'guess' && openings.some(({ terminated, reward }) => terminated && (reward ?? 0) > 0));
  return guessed.length * 2 > facts.openings.filter(({ purpose }) => purpose === 'guess').length ? 's' : guessProfile(facts.file);
}

const isProse = (reading: SolutionReading | null): boolean => reading !== null && (reading.kind === 'prose' || (reading.kind === 'actions' && reading.prose));
