import { message } from '../../../../shared/message';
import type { ProbeJudgement, ProbeRule } from '../../check';
import { locateMethod } from '../../static/locate';
import { limited } from '../battery';
import { unstable } from '../difference';
import type { EpisodeFact, ProbeFacts } from '../facts';
import { found, nothingFound, notMade, replay, seedsOf, seedText, stepPlace, whenLoaded } from '../judge';
import { ledAstray } from './determinism';
import { flag, hasEnded, lastTurn, of, readingOf, rewardOf, shown, solutionOf, waysOf, winningWay, wins } from '../query';

const played = (episodes: readonly EpisodeFact[]): EpisodeFact[] => episodes.filter(({ turns, failure }) => turns.length > 0 && failure === null);
/** Whether every step was what the run reads: flags of anything else say nothing of an end. */
const shaped = (episodes: readonly EpisodeFact[]): boolean => episodes.every(({ turns }) => turns.every(({ step }) => step === null || step.shape === null));
const misshapen = message('step does not return five values, so nothing says whether an episode has ended.');
const open = (episode: EpisodeFact): boolean => !hasEnded(lastTurn(episode)) && episode.turns.length === episode.spec.moves.length;
/** Long enough to be well past the limit. */
const long = ({ spec }: EpisodeFact): boolean => spec.moves.length >= 10;

/** `never-ends`: nothing ends the episode. */
export const neverEnds: ProbeRule = whenLoaded((facts) => {
  const unboxed = played(of(facts, 'unboxed'));
  const others = played(of(facts, 'listed', 'wrong').filter(long));
  if (unboxed.length === 0) return notMade(message('No episode could be played to its turn limit.'));
  if (!shaped(unboxed) || !shaped(others)) return notMade(misshapen);
  const solved = of(facts, 'solution').some((episode) => hasEnded(lastTurn(episode)));
  if (!unboxed.every(open) || !others.every(open) || solved) return nothingFound;
  const { turns } = limited(facts);
  return found([{
    range: locateMethod(facts.file, 'step'),
    message: message('Nothing ends the episode: after {turns} steps, well past max_turns, neither answers nor replies without a box had set terminated or truncated. The run stops it at its budget with return 0. Return truncated when max_turns is reached.', { turns }),
    evidence: { ...replay(unboxed[0]!.spec, Math.min(unboxed[0]!.turns.length, 12) - 1, { expected: 'an end', actual: `none after ${unboxed[0]!.turns.length} steps` }), seeds: seedsOf(unboxed) },
  }]);
});

/** `format-branch-ignores-max-turns`: replies without a box never end the episode. */
export const formatBranchIgnoresMaxTurns: ProbeRule = whenLoaded((facts) => {
  const unboxed = played(of(facts, 'unboxed'));
  if (unboxed.length === 0) return notMade(message('No episode could be played to its turn limit.'));
  if (!shaped(unboxed)) return notMade(misshapen);
  const others = played(of(facts, 'listed', 'wrong', 'solution').filter((episode) => long(episode) || episode.spec.purpose === 'solution'));
  if (!unboxed.every(open) || others.every((episode) => !hasEnded(lastTurn(episode)))) return nothingFound;
  const first = unboxed[0]!;
  return found([{
    range: stepPlace(facts, first.spec, first.turns.length - 1),
    message: message('Replies without a box never end the episode: still open after {turns} of them, with max_turns at {limit}. The run stops it at its budget with return 0. Return truncated here too when max_turns is reached.', {
      turns: first.turns.length, limit: first.maxTurns ?? 'none',
    }),
    evidence: { ...replay(first.spec, Math.min(first.turns.length, 12) - 1, { expected: 'truncated at max_turns', actual: `open after ${first.turns.length} steps` }), seeds: seedsOf(unboxed) },
  }]);
});

/** `last-turn-not-scored`: the right answer on the last permitted turn loses. */
export const lastTurnNotScored: ProbeRule = whenLoaded((facts) => {
  const episodes = of(facts, 'last-turn');
  const disturbed = ledAstray(facts).length > 0 ? message('One play changes another, so a play after others says nothing of the last turn.') : null;
  const limits = episodes.filter(({ spec }) => spec.maxTurns !== undefined);
  const unplayed = limits.every(({ reset }) => reset === null) ? message('No episode could be played to its turn limit.') : null;
  const why = unstable(facts) ?? disturbed ?? (episodes.length === 0 ? message('There is no solution to play on the last turn.') : null) ?? unplayed;
  if (why !== null) return notMade(why);
  const key = ({ spec }: EpisodeFact): string => JSON.stringify([spec.seed, spec.moves]);
  const free = new Map(episodes.filter(({ spec }) => spec.maxTurns === undefined).map((episode) => [key(episode), episode]));
  const lost = episodes.filter((episode) => {
    const { spec, turns, maxTurns, failure } = episode;
    if (spec.maxTurns === undefined || failure !== null || spec.seed === null || maxTurns !== spec.maxTurns) return false;
    const control = free.get(key(episode)) ?? winningWay(facts, spec.seed);
    if (control === null || !wins(control) || control.spec.moves.at(-1) === undefined) return false;
    const sameEnd = JSON.stringify(control.spec.moves.at(-1)) === JSON.stringify(spec.moves.at(-1));
    return sameEnd && turns.length === spec.moves.length && hasEnded(lastTurn(episode)) && !wins(episode) && (rewardOf(lastTurn(episode)?.step) ?? 0) <= 0;
  });
  const first = lost.find(({ spec }) => spec.moves.length > 1) ?? lost[0];
  if (first === undefined) return nothingFound;
  return found([{
    range: stepPlace(facts, first.spec, first.turns.length - 1, 'condition'),
    message: message('The right answer on the last permitted turn (turn {turn} of {turn}) loses ({seeds}): the limit is tested before the answer. The agent has one turn fewer than max_turns says. Score first, then test the limit.', {
      turn: first.spec.maxTurns ?? first.turns.length, seeds: seedText(lost),
    }),
    evidence: {
      ...replay(first.spec, null, { expected: 'terminated, reward above 0', actual: endText(first) }), seeds: seedsOf(lost),
      detail: `max_turns=${first.spec.maxTurns}`,
    },
  }]);
});

function endText(episode: EpisodeFact): string {
  const last = lastTurn(episode)?.step;
  return last ? `reward ${shown(last.reward.repr, 40)}, terminated ${last.terminated.repr}, truncated ${last.truncated.repr}` : 'no step';
}

interface After {
  readonly turn: number;
  readonly reward: number;
  readonly open: boolean;
  readonly action: string;
}

/** What the steps after the first end of an episode gave. */
function afterEnd(episode: EpisodeFact): After[] {
  const end = episode.turns.findIndex((turn) => hasEnded(turn));
  if (end < 0) return [];
  return episode.turns.flatMap(({ step: made }, turn) => (made === null || turn <= end ? [] : [{
    turn, reward: rewardOf(made) ?? 0, open: !flag(made.terminated) && !flag(made.truncated), action: made.action,
  }]));
}

/** Whether an action is one of the solution's own, or pays as the first one too: then its pay after the end is for an answer. */
function isAnswer(facts: ProbeFacts, seed: number, action: string): boolean {
  if (waysOf(readingOf(facts, seed)).some((way) => way.some((move) => move.kind === 'step' && move.action === action))) return true;
  return facts.openings.some((tried) => tried.seed === seed && tried.openings.some((opening) => opening.action === action && (opening.reward ?? 0) > 0))
    || facts.episodes.some(({ spec, turns: [first] }) => spec.seed === seed && first?.step?.action === action && (rewardOf(first.step) ?? 0) > 0);
}

/** The `step` of `ToolUseBaseEnv` never refuses, and belongs to the run: what it does after the end is no fault of the file. */
const ownStep = (facts: ProbeFacts): boolean => !facts.load!.toolUse || facts.file.method('step') !== null;

/** What is said where steps after the end showed nothing. */
function nothingAfterEnd(episodes: readonly EpisodeFact[]): ProbeJudgement {
  const lost = episodes.some(({ failure }) => failure?.kind === 'ended' || failure?.kind === 'not-made');
  return lost ? notMade(message('A step after the end does not come back, so what it does is not known. The run makes none; other runners may.')) : nothingFound;
}

/** `step-after-end-reopens-episode`: a step after the end reopens the episode. */
export const stepAfterEndReopensEpisode: ProbeRule = whenLoaded((facts) => {
  const episodes = of(facts, 'after-end');
  if (episodes.length === 0) return notMade(message('There is no solution to end an episode with.'));
  for (const episode of ownStep(facts) ? episodes : []) {
    const reopened = afterEnd(episode).find((after) => after.open);
    if (reopened === undefined) continue;
    return found([{
      range: stepPlace(facts, episode.spec, reopened.turn),
      message: message('A step after the end reopens the episode: both flags are False again. The run never steps there; other runners may.'),
      evidence: replay(episode.spec, reopened.turn, { expected: 'still ended', actual: 'terminated False, truncated False' }),
    }]);
  }
  return nothingAfterEnd(episodes);
});

/**
 * A step that does not look whether the episode is over scores a right answer again, and generated files rarely look: that pays
 * nobody for anything but the answer. What does count is a win that goes on paying, whatever is sent or ever more.
 */
export const stepAfterEndPays: ProbeRule = whenLoaded((facts) => {
  const episodes = of(facts, 'after-end');
  if (episodes.length === 0) return notMade(message('There is no solution to end an episode with.'));
  for (const episode of ownStep(facts) ? episodes : []) {
    const win = episode.turns.find((turn) => hasEnded(turn))?.step ?? null;
    const reward = rewardOf(win) ?? 0;
    if (win === null || !flag(win.terminated) || reward <= 0) continue;
    const seed = episode.spec.seed ?? -1;
    const again = ({ action }: After): boolean => action === win.action;
    const paid = afterEnd(episode).find((after) => after.reward > 0 && (again(after) ? after.reward > reward : !isAnswer(facts, seed, after.action)));
    if (paid === undefined) continue;
    return found([{
      range: stepPlace(facts, episode.spec, paid.turn, 'reward'),
      message: message('After a win of {win}, a further step pays {reward}{why}. The run stops at the end, but a runner that does not would train on it. Return reward 0 once the episode is over.', {
        win: reward, reward: paid.reward, why: again(paid) ? '' : ' for an action that is no answer',
      }),
      evidence: replay(episode.spec, paid.turn, { expected: 'reward 0', actual: `reward ${paid.reward}` }),
    }]);
  }
  return nothingAfterEnd(episodes);
});

/** `new-task-inside-step`: the task changes while the episode goes on. */
export const newTaskInsideStep: ProbeRule = whenLoaded((facts) => {
  const episodes = of(facts, 'wrong').filter(({ spec }) => spec.solutions);
  if (!episodes.some(({ atReset }) => atReset.solution !== null)) return notMade(message('There is no solution() to tell one task from another.'));
  const changed = episodes.filter((episode) => {
    const [before, after] = [episode.atReset.solution, episode.atEnd.solution];
    return before !== null && after !== null && before.text.text !== after.text.text && !hasEnded(lastTurn(episode)) && episode.turns.length > 0;
  });
  const first = changed[0];
  if (first === undefined || first.spec.seed === null) return nothingFound;
  return found([{
    range: stepPlace(facts, first.spec, first.turns.length - 1),
    message: message('A wrong answer changes the task while the episode goes on ({seeds}): the solution was {before}, then {after}. What the agent reasoned about is gone. Make the task in reset only.', {
      seeds: seedText(changed), before: shown(solutionOf(facts, first.spec.seed) ?? '', 60), after: shown(first.atEnd.solution!.text.text, 60),
    }),
    evidence: replay(first.spec, null, { expected: shown(first.atReset.solution!.text.text), actual: shown(first.atEnd.solution!.text.text) }),
  }]);
});
