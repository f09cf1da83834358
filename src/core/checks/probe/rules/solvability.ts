import { message, type Message } from '../../../../shared/message';
import type { ProbeRule } from '../../check';
import { locateMethod } from '../../static/locate';
import { ownLimit } from '../battery';
import { unstable } from '../difference';
import { explainedElsewhere } from '../explained';
import type { EpisodeFact, EpisodeSpec, ProbeFacts } from '../facts';
import { errorPlace, errorText, found, nothingFound, notMade, replay, seedsOf, seedText, stepPlace, tracebackOf, whenLoaded } from '../judge';
import { neverEnds } from './episode';
import { hasEnded, lastTurn, of, paysAtEnd, readingOf, rewardOf, SEEDS, shown, solutionOf, winningWay, wins } from '../query';

/** Why there is no solution() to call: none is written, or what the instance stores under its name hides it. */
const noSolution = ({ file }: ProbeFacts): Message => (
  file.method('solution') === null ? message('There is no solution().') : message('solution() cannot be called: the instance holds something else under that name.')
);

/** `solution-raises`: solution() raises. */
export const solutionRaises: ProbeRule = whenLoaded((facts) => {
  if (!facts.load!.hasSolution) return notMade(noSolution(facts));
  const bad = of(facts, 'seed').filter(({ atReset }) => atReset.solutionError !== null && atReset.solutionError.code !== 'not-loaded');
  const first = bad[0];
  if (first === undefined) return nothingFound;
  const error = first.atReset.solutionError!;
  return found([{
    range: errorPlace(facts.file, error, 'solution'),
    message: message('solution() raises {error} ({seeds}). Nothing can be said of whether the task can be won.', { error: errorText(error), seeds: seedText(bad) }),
    evidence: { ...replay(first.spec, -1, { actual: errorText(error), traceback: tracebackOf(error) }), seeds: seedsOf(bad) },
  }]);
});

function outcome(episode: EpisodeFact): string {
  if (episode.failure?.kind === 'raised') return errorText(episode.failure.error);
  const last = lastTurn(episode)?.step;
  if (!last) return 'no step';
  return `reward ${shown(last.reward.repr, 40)}, terminated ${last.terminated.repr}, truncated ${last.truncated.repr}: ${shown(last.observation.text, 120)}`;
}

/** What became of the solution of each seed that has one; only plays count whose own instance has the solution that was sent. */
interface Tried {
  readonly seed: number;
  readonly prose: boolean;
  readonly won: EpisodeFact | null;
  readonly played: EpisodeFact | null;
  /** Whether it wins on the main thread, where the run never steps. */
  readonly onMain: boolean;
}

function tried(facts: ProbeFacts): Tried[] {
  return SEEDS.flatMap((seed): Tried[] => {
    const reading = readingOf(facts, seed);
    if (reading === null) return [];
    const prose = reading.kind === 'prose' || (reading.kind === 'actions' && reading.prose) || facts.profile === 'c';
    const text = solutionOf(facts, seed);
    const sent = ({ atReset }: EpisodeFact): boolean => atReset.solution === null || atReset.solution.text.text === text;
    const played = of(facts, 'solution').filter((episode) => sent(episode)).filter(({ spec, reset, failure }) => reset !== null && spec.seed === seed && spec.thread !== 'main' && failure?.kind !== 'ended' && failure?.kind !== 'not-made');
    const won = winningWay(facts, seed);
    const onMain = won?.spec.thread === 'main';
    return [{ seed, prose, won: onMain ? null : won, played: played[0] ?? null, onMain }];
  });
}

/** Why the solution could not be tried; null when it was. */
function untried(facts: ProbeFacts, tries: readonly Tried[]): Message | null {
  if (!facts.load!.hasSolution) return noSolution(facts);
  if (tries.length === 0) return message('solution() gave no text on any seed.');
  if (tries.every(({ won, prose, played }) => won === null && (prose || played === null))) {
    return message('solution() is prose, or could not be played: whether it wins was not checked.');
  }
  return null;
}

/** Whether a play says nothing of winning: what it raised has a check of its own or is of the sandbox, or its end is no step of the run, or pays what is no number. */
function undecided({ file }: ProbeFacts, { turns, failure }: EpisodeFact): boolean {
  if (failure?.kind === 'raised') return explainedElsewhere(file, failure.error);
  const last = turns.at(-1)?.step;
  return last !== undefined && last !== null && (last.shape !== null || (rewardOf(last) === null && last.reward.type !== 'NoneType'));
}

/** Whether the last step of a play pays, and the episode goes on: what is wrong is then in `step`. */
function paysWithoutEnd(episode: EpisodeFact): boolean {
  const last = lastTurn(episode);
  return episode.failure === null && (rewardOf(last?.step) ?? 0) > 0 && !hasEnded(last);
}

/** What is wrong with a solution that lost, by how its play ended: pay without an end is no win, and no pay is a wrong answer. */
function whyLost(episode: EpisodeFact, onMain: boolean, args: Message['args']): Message {
  const reward = rewardOf(lastTurn(episode)?.step);
  if (onMain) {
    return message('The environment\'s own solution does not win on {lost} of {all} seeds: it wins on the main thread only, and the run steps on worker threads, so every return is 0. Do not depend on signals or on the main thread. Sent {action}.', args);
  }
  if (paysWithoutEnd(episode)) {
    return message('The environment\'s own solution does not win on {lost} of {all} seeds: step pays {reward} for it and does not end the episode, so the return is 0. Return terminated as True on the step that wins. Sent {action}.', { ...args, reward: reward ?? 0 });
  }
  if (episode.failure === null && reward !== null && reward <= 0) {
    return message('The environment\'s own solution does not win on {lost} of {all} seeds: step pays {reward} for it. What step reads from the action and what it compares that with are not what solution() gives. If nothing can win, every return is 0. Sent {action}.', { ...args, reward });
  }
  return message('The environment\'s own solution does not win on {lost} of {all} seeds. If nothing can win, every return is 0 and the environment teaches nothing. Sent {action}.', args);
}

/** `solution-does-not-win`: the environment's own solution does not win. */
export const solutionDoesNotWin: ProbeRule = whenLoaded((facts) => {
  const tries = tried(facts);
  const endless = neverEnds(facts).findings.length > 0 ? message('Nothing ends the episode, so nothing can win.') : null;
  const why = unstable(facts) ?? endless ?? untried(facts, tries);
  if (why !== null) return notMade(why);
  const lost = tries.filter(({ won, prose, played }) => won === null && !prose && played !== null && !undecided(facts, played));
  if (lost.length === 0 && tries.some(({ won, played }) => won === null && played !== null && undecided(facts, played))) {
    return notMade(message('The play of the solution met a fault that has a finding of its own, so whether it wins was not checked.'));
  }
  const first = lost[0]?.played;
  if (first === undefined || first === null) return nothingFound;
  return found([{
    range: paysWithoutEnd(first) ? stepPlace(facts, first.spec, first.turns.length - 1, 'terminated') : locateMethod(facts.file, 'solution'),
    message: whyLost(first, lost.some(({ onMain }) => onMain), { lost: lost.length, all: tries.length, action: shown(JSON.stringify(solutionOf(facts, lost[0]!.seed)), 80) }),
    evidence: {
      ...replay(first.spec, Math.max(0, first.turns.length - (first.failure === null ? 1 : 0)), { expected: 'terminated with a reward above 0', actual: outcome(first) }), seeds: lost.map(({ seed }) => seed),
    },
  }]);
});

/** `win-without-terminated`: the win is not flagged as terminated. */
export const winWithoutTerminated: ProbeRule = whenLoaded((facts) => {
  const ways = tried(facts).flatMap(({ won }) => (won !== null && !wins(won) ? [won] : []));
  const guess = facts.openings.filter(({ purpose }) => purpose === 'guess').flatMap(({ seed, openings }) => (
    openings.filter(({ truncated, terminated, reward }) => truncated && !terminated && reward !== null && reward >= 1)
      .map(({ action, reward }) => ({ spec: { purpose: 'solution', seed, moves: [{ kind: 'step', action }] } satisfies EpisodeSpec, turn: 0, reward: reward! }))
  ));
  const bad = ways.length > 0 ? ways.map((won) => ({ spec: won.spec, turn: won.turns.length - 1, reward: rewardOf(lastTurn(won)?.step) ?? 0 })) : guess;
  const first = bad[0];
  if (first === undefined) return ways.length === 0 && !facts.load!.hasSolution && guess.length === 0 ? notMade(message('There is no solution() to win with.')) : nothingFound;
  return found([{
    range: stepPlace(facts, first.spec, first.turn),
    message: message('A win is flagged truncated, not terminated ({seeds}): it pays {reward}, but the run\'s return of a truncated episode is 0. Return terminated=True for a win.', { seeds: seedText(bad), reward: first.reward }),
    evidence: { ...replay(first.spec, first.turn, { expected: 'terminated True', actual: 'terminated False, truncated True' }), seeds: seedsOf(bad) },
  }]);
});

/** `solution-too-long`: the solution needs more actions than max_turns. */
export const solutionTooLong: ProbeRule = whenLoaded((facts) => {
  const limit = ownLimit(facts);
  if (limit === null) return notMade(message('The class has no max_turns of its own.'));
  const long = tried(facts).flatMap(({ won }) => {
    if (won === null || !paysAtEnd(won) || !hasEnded(lastTurn(won))) return [];
    const length = won.turns.filter(({ step }) => step !== null).length;
    return length > limit ? [{ won, length }] : [];
  });
  const first = long[0];
  if (first === undefined) return nothingFound;
  return found([{
    range: locateMethod(facts.file, 'solution'),
    message: message('The solution takes {length} actions, more than max_turns = {limit} ({seeds}). In play nobody can win that way. Raise max_turns or make the task smaller.', {
      length: first.length, limit, seeds: seedText(long.map(({ won }) => won)),
    }),
    evidence: { ...replay(first.won.spec, null, { expected: `at most ${limit} actions`, actual: `${first.length} actions` }), seeds: seedsOf(long.map(({ won }) => won)) },
  }]);
});
