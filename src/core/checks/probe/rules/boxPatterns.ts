import { message } from '../../../../shared/message';
import type { ProbeRule } from '../../check';
import { boxesOf } from '../../../environment/readingBoxed';
import { cuttingBoxPatterns } from '../../static/text';
import type { ProbeFacts } from '../facts';
import { found, notMade, nothingFound } from '../judge';
import { DOMAIN_SEEDS, readingOf, shown } from '../query';

/** What the actions of a solution hold in their boxes; empty for prose. */
function answersOf(facts: ProbeFacts, seed: number): string[] {
  const reading = readingOf(facts, seed);
  if (reading?.kind !== 'actions' || reading.prose) return [];
  return (reading.ways[0] ?? []).map((action) => boxesOf(action)[0]?.content ?? action);
}

/**
 * `boxed-regex-cuts-nested-braces`: the pattern is ordinary, and found in the text; it bites where an answer holds a
 * brace, which only the environment's own solutions tell.
 */
export const boxPatternBites: ProbeRule = (facts) => {
  const patterns = cuttingBoxPatterns(facts.file);
  if (patterns.length === 0) return nothingFound;
  const answers = DOMAIN_SEEDS.flatMap((seed) => answersOf(facts, seed).map((text) => ({ seed, text })));
  if (answers.length === 0) return notMade(message('No answer is known, so whether one can hold a brace is open.'));
  const bitten = answers.find(({ text }) => /[{}]/.test(text));
  if (bitten === undefined) return nothingFound;
  return found(patterns.map((pattern) => ({
    range: facts.file.range(pattern),
    message: message('This pattern ends at the first closing brace, and the answer {answer} (seed {seed}) holds one: the environment reads only a part of it, so the right answer loses. Read the box to its matching brace.', {
      answer: shown(bitten.text, 60), seed: bitten.seed,
    }),
    evidence: { seed: bitten.seed, expected: shown(bitten.text, 200), actual: shown(bitten.text.split('}')[0]!, 200) },
  })));
};
