import type { Evidence } from '../../../../shared/findings';
import { message } from '../../../../shared/message';
import type { FindingDraft, ProbeRule } from '../../check';
import { locateMethod } from '../../static/locate';
import { passedOver } from '../../static/loader';
import { ACTION_LIMIT } from '../actionLimit';
import { ODD_INPUTS } from '../battery';
import type { EpisodeFact, Failure, ProbeFacts } from '../facts';
import { explainedElsewhere } from '../explained';
import { errorPlace, errorText, found, grouped, lineOf, nothingFound, notMade, replay, seedsOf, seedText, tracebackOf } from '../judge';
import { hasEnded, shown } from '../query';

type Raised = EpisodeFact & { readonly failure: Failure & { kind: 'raised' } };
type Ended = EpisodeFact & { readonly failure: Failure & { kind: 'ended' } };

/**
 * Whether an episode failed under a turn limit that only a probe gives: the run builds with 1000 or with nothing, and a file may be unable to
 * make a task of one turn, or loop until it has one. What a step does at its limit is known from the limit that the class gives itself.
 */
const underOddLimit = ({ spec, failure }: EpisodeFact): boolean => (
  spec.maxTurns !== undefined && failure !== null && failure.kind !== 'not-made' && (spec.purpose === 'last-turn' || failure.where === 'load' || failure.where === 'reset')
);

function raised(facts: ProbeFacts): Raised[] {
  return facts.episodes.filter((episode): episode is Raised => (
    episode.failure?.kind === 'raised' && episode.spec.purpose !== 'after-end' && !underOddLimit(episode) && !explainedElsewhere(facts.file, episode.failure.error)
  ));
}

function ended(facts: ProbeFacts): Ended[] {
  // The run makes no step after the end, so what one does there says nothing of a play.
  const fromEpisodes = facts.episodes.filter((episode): episode is Ended => (
    episode.failure?.kind === 'ended' && !underOddLimit(episode) && !(episode.spec.purpose === 'after-end' && episode.turns.some(hasEnded))
  ));
  const hangsInReset = new Set(fromEpisodes.filter(({ failure }) => failure.where === 'reset').map(({ spec }) => spec.seed));
  const fromOpenings = facts.openings.flatMap(({ seed, failure }): Ended[] => (failure?.kind !== 'ended' || hangsInReset.has(seed) ? [] : [{
    spec: { purpose: 'seed', seed, moves: [] }, load: null, maxTurns: null, reset: null, turns: [], earlier: null, company: null, failure,
    atReset: { snapshot: null, solution: null, solutionError: null, criteria: null }, atEnd: { solution: null, solutionError: null, criteria: null },
  }]));
  return [...fromEpisodes, ...fromOpenings];
}

const passes = (episode: Raised, name: string): boolean => episode.failure.error.traceback.some(({ inFile, function: called }) => inFile && called === name);

/** Where an exception belongs: to `reset` also when the constructor calls it. */
function stageOf(episode: Raised): 'init' | 'reset' | 'step' {
  if (episode.failure.where === 'load') return passes(episode, 'reset') ? 'reset' : 'init';
  return episode.failure.where === 'reset' ? 'reset' : 'step';
}

const sameFault = ({ failure: { error } }: Raised): string => `${error.type} ${lineOf(error)}`;

/** Whether the body of the module raised, and no function of the file: what the run builds may stand elsewhere. */
function isAtImport({ failure: { error } }: Raised): boolean {
  const own = error.traceback.filter(({ inFile }) => inFile);
  return own.length > 0 && own.every(({ function: name }) => name === '<module>');
}

/** Whether the run builds another class than the one that is meant: that has a check of its own, and what its constructor does is no matter. */
const buildsAnother = ({ file }: ProbeFacts): boolean => file.picked !== null && passedOver(file, file.picked) !== null;

/** `init-raises`: the constructor raises. */
export const initRaises: ProbeRule = (facts) => found(
  grouped(raised(facts).filter((episode) => (
    stageOf(episode) === 'init' && episode.failure.error.code === 'raised' && (isAtImport(episode) || !buildsAnother(facts))
  )), sameFault).map((group): FindingDraft => {
    const { error } = group[0]!.failure;
    const atImport = isAtImport(group[0]!);
    return {
      range: errorPlace(facts.file, error, '__init__'),
      message: atImport
        ? message('Importing the file raises {error}. The run cannot load it.', { error: errorText(error) })
        : message('The constructor raises {error}. The run cannot build the environment.', { error: errorText(error) }),
      evidence: { actual: errorText(error), traceback: tracebackOf(error) },
    };
  }),
);

/** `reset-raises`: reset raises. */
export const resetRaises: ProbeRule = (facts) => found(
  grouped(raised(facts).filter((episode) => stageOf(episode) === 'reset' && episode.failure.error.code === 'raised'), sameFault).map((group): FindingDraft => {
    const first = group[0]!;
    const { error, action } = first.failure;
    const inConstructor = first.failure.where === 'load';
    const atEnd = action?.startsWith('reset(') && first.turns.length > 0 ? first.turns.length - 1 : -1;
    return {
      range: errorPlace(facts.file, error, 'reset'),
      message: inConstructor
        ? message('reset, called by the constructor, raises {error}. The run cannot build the environment.', { error: errorText(error) })
        : message('reset raises {error} on {seeds}. The run drops such a play, or refuses the file when its probe meets it.', { error: errorText(error), seeds: seedText(group) }),
      evidence: { ...replay(first.spec, atEnd, { actual: errorText(error), traceback: tracebackOf(error) }), seeds: seedsOf(group) },
    };
  }),
);

/** How long a call was given: the sandbox tells it, and gives loading more than a call. */
function timeText({ callMs }: ProbeFacts, { failure }: Ended): string {
  return /within (\d+(?:\.\d+)? s)$/.exec(failure.detail)?.[1] ?? `${callMs / 1000} s`;
}

function timeout(where: readonly string[], method: (episode: Ended) => string): ProbeRule {
  return (facts) => {
    const slow = ended(facts).filter(({ failure }) => failure.reason === 'time' && where.includes(failure.where));
    return found(grouped(slow, (episode) => `${method(episode)} ${episode.failure.action ?? ''}`).slice(0, 5).map((group): FindingDraft => {
      const first = group[0]!;
      const name = method(first);
      const { action } = first.failure;
      const time = timeText(facts, first);
      return {
        range: locateMethod(facts.file, name),
        message: action === null || where.includes('reset')
          ? message('{name} did not return within {time} on {seeds}. A call that hangs cannot be stopped in the run: it costs a thread and the play.', { name, time, seeds: seedText(group) })
          : message('{name} did not return within {time} on {seeds} after the action {action}. The run books it as a time-out, -0.5 for the designer.', {
            name, time, seeds: seedText(group), action: shown(action, 80),
          }),
        evidence: {
          seed: first.spec.seed, seeds: seedsOf(group), expected: `an answer within ${time}`, actual: 'none',
          ...(where.includes('reset') ? {} : { actions: [...first.turns.map(({ step, tool }) => step?.action ?? tool?.name ?? ''), ...(action === null ? [] : [shown(action, 2000)])] }),
        },
      };
    }));
  };
}

/** `reset-timeout`: reset does not return in time. */
export const resetTimeout: ProbeRule = timeout(['reset', 'load'], ({ failure }) => (failure.where === 'load' ? '__init__' : 'reset'));
/** `step-timeout`: step does not return in time. */
export const stepTimeout: ProbeRule = timeout(['step', 'tool', 'solution', 'other'], ({ failure }) => (failure.where === 'solution' ? 'solution' : 'step'));

/** Evidence that replays an episode up to the call that ended it, that call included. */
function fatal({ spec, turns, failure }: Ended | Raised, more: Partial<Evidence>): Evidence {
  const { action } = failure;
  const done = turns.map(({ step, tool }) => step?.action ?? tool?.name ?? '');
  const inStep = failure.where === 'step' || failure.where === 'tool';
  return { ...replay(spec, turns.length - 1), ...(inStep && action !== null ? { actions: [...done, shown(action, ACTION_LIMIT)] } : {}), ...more };
}

/** `memory-limit`: the environment exceeds the memory limit. */
export const memoryLimit: ProbeRule = (facts) => {
  const byEnd = ended(facts).filter(({ failure }) => failure.reason === 'memory');
  const byError = facts.episodes.filter((episode): episode is Raised => episode.failure?.kind === 'raised' && episode.failure.error.code === 'memory' && !underOddLimit(episode));
  const first = byError[0] ?? byEnd[0];
  if (first === undefined) return nothingFound;
  const method = first.failure.where === 'reset' ? 'reset' : first.failure.where === 'load' ? '__init__' : 'step';
  return found([{
    range: first.failure.kind === 'raised' ? errorPlace(facts.file, first.failure.error, method) : locateMethod(facts.file, method),
    message: message('{method} uses more memory than the sandbox gives ({seeds}). In the run it would take it from the training process.', { method, seeds: seedText([first]) }),
    evidence: fatal(first, { actual: first.failure.kind === 'raised' ? errorText(first.failure.error) : first.failure.detail }),
  }]);
};

/** `process-died`: the process died. */
export const processDied: ProbeRule = (facts) => {
  const dead = ended(facts).filter(({ failure }) => failure.reason === 'died');
  const first = dead[0];
  if (first === undefined) return nothingFound;
  const method = first.failure.where === 'reset' ? 'reset' : first.failure.where === 'load' ? '__init__' : 'step';
  return found([{
    range: locateMethod(facts.file, method),
    message: message('The process ended in {method} ({seeds}): {detail}. In the run this is the training process.', { method, seeds: seedText(dead), detail: shown(first.failure.detail, 200) }),
    evidence: fatal(first, { actual: first.failure.detail, seeds: seedsOf(dead) }),
  }]);
};

function inputName(action: string): string {
  const odd = ODD_INPUTS.find((input) => input.action === action);
  return odd === undefined ? shown(JSON.stringify(action), 80) : `${odd.name} (${shown(JSON.stringify(action), 40)})`;
}

/** `step-raises-on-input`: step raises on some input. */
export const stepRaisesOnInput: ProbeRule = (facts) => {
  if (facts.load === null) return notMade(message('The file does not load, so nothing could be played.'));
  const faults = raised(facts).filter((episode) => stageOf(episode) === 'step' && ['step', 'tool'].includes(episode.failure.where) && ['raised', 'recursion'].includes(episode.failure.error.code));
  return found(grouped(faults, sameFault).slice(0, 8).map((group): FindingDraft => {
    const first = group.find(({ spec }) => spec.purpose === 'loader') ?? group[0]!;
    const { error, action } = first.failure;
    const byLoader = first.spec.purpose === 'loader';
    const inputs = [...new Set(group.map(({ failure }) => inputName(failure.action ?? '')))].slice(0, 6).join(', ');
    return {
      range: errorPlace(facts.file, error, first.failure.where === 'tool' ? 'execute_tool' : 'step'),
      ...(byLoader ? { severity: 'error' as const } : {}),
      message: byLoader
        ? message('step raises {error} on {inputs}, which the run\'s loader sends: it refuses the file.', { error: errorText(error), inputs })
        : first.failure.where === 'tool'
          ? message('execute_tool raises {error} on {inputs}, where the run expects an output and a return code for every call. Answer with returncode 1.', { error: errorText(error), inputs })
          : message('step raises {error} on {inputs}. The run turns that into reward -1 and ends the episode.', { error: errorText(error), inputs }),
      evidence: replay(first.spec, first.turns.length, { actual: errorText(error), traceback: tracebackOf(error), ...(action === null ? {} : { detail: inputName(action) }) }),
    };
  }));
};
