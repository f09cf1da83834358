import { message } from '../../../../shared/message';
import type { ProbeRule } from '../../check';
import { boxesOf } from '../../../environment/readingBoxed';
import { cuttingBoxPatterns } from '../../static/text';
import type { EpisodeFact, ProbeFacts } from '../facts';
import { found, notMade, nothingFound, replay } from '../judge';
import { actionsOf, DOMAIN_SEEDS, lastTurn, of, readingOf, rewardOf, shown, winReward, wins } from '../query';

/** What the actions of a solution hold in their boxes; empty for prose. */
function answersOf(facts: ProbeFacts, seed: number): string[] {
  const reading = readingOf(facts, seed);
  if (reading?.kind !== 'actions' || reading.prose) return [];
  return (reading.ways[0] ?? []).map((action) => boxesOf(action)[0]?.content ?? action);
}

/** A right answer with braces that loses in a box and wins as the whole reply, which no pattern cuts; null when none was seen. */
function cutInPlay(facts: ProbeFacts): { lost: EpisodeFact; whole: EpisodeFact } | null {
  const played = of(facts, 'braced');
  const reward = winReward(facts);
  const idle = of(facts, 'unboxed').flatMap((episode) => (wins(episode) ? [rewardOf(lastTurn(episode)?.step) ?? 0] : []));
  const asAnswer = (episode: EpisodeFact): boolean => {
    const paid = rewardOf(lastTurn(episode)?.step) ?? 0;
    return wins(episode) && !idle.includes(paid) && (reward === null || paid >= reward);
  };
  const [boxes, replies] = [played.filter((episode) => isBoxed(episode)), played.filter((episode) => !isBoxed(episode))];
  for (const lost of boxes) {
    const whole = replies.find(({ spec }) => spec.seed === lost.spec.seed);
    if (whole !== undefined && asAnswer(whole) && lost.turns.length > 0 && !wins(lost)) return { lost, whole };
  }
  return null;
}

const isBoxed = ({ spec }: EpisodeFact): boolean => actionsOf(spec)[0]?.startsWith('\\boxed') ?? false;

/**
 * `boxed-regex-cuts-nested-braces`: the pattern is ordinary, and found in the text; it bites where an answer holds a
 * brace, which the environment's own solutions tell, or where the same answer scores otherwise when it is read whole.
 */
export const boxPatternBites: ProbeRule = (facts) => {
  const patterns = cuttingBoxPatterns(facts.file);
  if (patterns.length === 0) return nothingFound;
  const answers = DOMAIN_SEEDS.flatMap((seed) => answersOf(facts, seed).map((text) => ({ seed, text })));
  if (answers.length === 0) return notMade(message('No answer is known, so whether one can hold a brace is open.'));
  const bitten = answers.find(({ text }) => /[{}]/.test(text));
  const cut = bitten === undefined ? cutInPlay(facts) : null;
  if (cut !== null) {
    const [boxed, whole] = [actionsOf(cut.lost.spec)[0]!, actionsOf(cut.whole.spec)[0]!];
    return found(patterns.map((pattern) => ({
      range: facts.file.range(pattern),
      message: message('This pattern ends at the first closing brace: {boxed} loses (seed {seed}) although {whole} without a box wins. Agents write such answers, and lose with the right one. Read the box to its matching brace.', {
        boxed: shown(boxed, 60), seed: cut.lost.spec.seed ?? 'none', whole: shown(whole, 60),
      }),
      evidence: replay(cut.lost.spec, 0, { expected: `${shown(whole, 200)} wins`, actual: `${shown(boxed, 200)} does not` }),
    })));
  }
  if (bitten === undefined) return nothingFound;
  return found(patterns.map((pattern) => ({
    range: facts.file.range(pattern),
    message: message('This pattern ends at the first closing brace, and the answer {answer} (seed {seed}) holds one: the environment reads only a part of it, so the right answer loses. Read the box to its matching brace.', {
      answer: shown(bitten.text, 60), seed: bitten.seed,
    }),
    evidence: { seed: bitten.seed, expected: shown(bitten.text, 200), actual: shown(bitten.text.split('}')[0]!, 200) },
  })));
};
