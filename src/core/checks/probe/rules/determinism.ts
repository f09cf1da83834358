import { message } from '../../../../shared/message';
import type { ProbeRule } from '../../check';
import { locateAttribute, locateClass, locateHashOrder, locateMethod, locateResetDraw, locateShared } from '../../static/locate';
import { allDraws } from '../../static/random';
import { reachedFrom } from '../../static/reach';
import { attributeOf, compared, differenceOf, stateDifferences, type Compared, type Difference } from '../difference';
import type { EpisodeFact, ProbeFacts } from '../facts';
import { found, grouped, nothingFound, notMade, replay, seedsOf, seedText, stepPlace, whenLoaded } from '../judge';
import { DOMAIN_SEEDS, flag, of, rewardOf, SEEDS, shown, solutionOf, winningWay } from '../query';

const evidence = ({ base, difference }: Compared & { difference: Difference }) => replay(base.spec, difference.turn, {
  expected: shown(difference.expected), actual: shown(difference.actual),
  detail: difference.path === null || difference.path === '' ? difference.what : `${difference.what} (${difference.path})`,
});

type Differing = Compared & { difference: Difference };
const differing = (pairs: readonly Compared[]): Differing[] => pairs.filter((pair): pair is Differing => pair.difference !== null);
const keyOf = ({ spec }: Pick<EpisodeFact, 'spec'>): string => JSON.stringify([spec.seed, spec.moves]);
const othersOf = (pairs: readonly Compared[]): EpisodeFact[] => pairs.map(({ base }) => base);

/** Whether what differs between fresh instances changes when one instance is reset twice: then `reset` itself draws it. */
function drawnByReset(facts: ProbeFacts, { base, other, difference }: Differing): boolean {
  const again = of(facts, 'again').find(({ spec }) => spec.seed === base.spec.seed);
  if (again?.earlier === undefined || again.earlier === null) return true;
  if (again.earlier.reset !== null && again.reset !== null && again.earlier.reset.observation.text !== again.reset.observation.text) return true;
  const changed = new Set(stateDifferences(again.earlier.snapshot, again.atReset.snapshot).map(({ path }) => path));
  const differ = stateDifferences(base.atReset.snapshot, other.atReset.snapshot).map(({ path }) => path);
  if (differ.some((path) => changed.has(path))) return true;
  return differ.length === 0 && difference.what !== 'state' && changed.size > 0;
}

function freshDifferences(facts: ProbeFacts): Differing[] {
  return differing(compared(facts, 'replay')).filter(({ difference }) => difference.turn === -1);
}

/** `reset-ignores-seed`: the same seed gives different tasks. */
export const resetIgnoresSeed: ProbeRule = whenLoaded((facts) => {
  const pairs = freshDifferences(facts).filter((pair) => drawnByReset(facts, pair));
  const first = pairs[0];
  if (first === undefined) return nothingFound;
  const draw = locateResetDraw(facts.file);
  return found([{
    range: locateMethod(facts.file, 'reset'),
    message: message('reset with the same seed gives different tasks ({seeds}): {what} differs between two fresh instances. The two arms of a play would not be on the same instance, and the regret means nothing. Draw everything from random.Random(seed).', {
      seeds: seedText(othersOf(pairs)), what: first.difference.path === null || first.difference.path === '' ? `the ${first.difference.what}` : attributeOf(first.difference.path),
    }),
    evidence: { ...evidence(first), seeds: seedsOf(othersOf(pairs)) },
    related: [{ ...draw, message: message('drawn here') }],
  }]);
});

/** `state-outside-the-seed`: state that survives reset was not drawn from the seed. */
export const stateOutsideTheSeed: ProbeRule = whenLoaded((facts) => {
  const pairs = freshDifferences(facts).filter((pair) => !drawnByReset(facts, pair));
  const first = pairs[0];
  if (first === undefined) return nothingFound;
  const reset = facts.file.method('reset')?.node.text ?? '';
  const differ = stateDifferences(first.base.atReset.snapshot, first.other.atReset.snapshot).map(({ path }) => attributeOf(path));
  const attribute = differ.find((name) => !new RegExp(`\\.${name}\\b[^=\\n]*=(?!=)`).test(reset)) ?? differ[0] ?? null;
  return found([{
    range: attribute === null || attribute === '' ? locateMethod(facts.file, '__init__') : locateAttribute(facts.file, attribute, '__init__'),
    message: message('{what} was drawn outside reset(seed) and survives it: two fresh instances with one seed differ ({seeds}). Draw it in reset from random.Random(seed).', {
      what: attribute === null || attribute === '' ? 'Something' : attribute, seeds: seedText(othersOf(pairs)),
    }),
    evidence: { ...evidence(first), seeds: seedsOf(othersOf(pairs)) },
  }]);
});

/** A draw that is a reading of the clock. */
const CLOCK = /^(time|datetime|date)\b/;

/**
 * Plays of one solution from fresh resets that went apart: what only a step that wins does is not seen by the actions of {@link compared}.
 * Nothing where something else explains it: a generator or a state that plays share.
 */
function solutionsApart(facts: ProbeFacts): Differing[] {
  const shared = [...compared(facts, 'replay'), ...compared(facts, 'disturbed'), ...compared(facts, 'company')].some(({ difference }) => difference !== null);
  const again = shared ? [] : of(facts, 'after-end').filter(({ spec, reset }) => spec.maxTurns === undefined && reset !== null);
  const bases = of(facts, 'solution').filter(({ spec, failure }) => spec.thread !== 'main' && failure === null);
  return again.flatMap((other): Differing[] => {
    const base = bases.find(({ spec }) => spec.seed === other.spec.seed && JSON.stringify(spec.moves) === JSON.stringify(other.spec.moves.slice(0, spec.moves.length)));
    const difference = base === undefined ? null : differenceOf(base, { ...other, turns: other.turns.slice(0, base.turns.length) });
    return base === undefined || difference === null || difference.turn < 0 ? [] : [{ base, other, difference }];
  });
}

/** `step-not-replayable`: the same seed and actions give another episode. */
export const stepNotReplayable: ProbeRule = whenLoaded((facts) => {
  const fresh = new Set(freshDifferences(facts).map(({ base }) => base.spec.seed));
  const neutral = differing(compared(facts, 'replay')).filter(({ base, difference }) => difference.turn >= 0 && difference.what !== 'tool' && !fresh.has(base.spec.seed));
  const pairs = neutral.length > 0 ? neutral : solutionsApart(facts);
  const first = pairs[0];
  if (first === undefined) return nothingFound;
  const draw = reachedFrom(facts.file, facts.file.method('step')).flatMap((definition) => [...allDraws(definition)])[0];
  const told = { seeds: seedText(othersOf(pairs)), what: first.difference.what, turn: first.difference.turn + 1 };
  return found([{
    range: draw === undefined ? stepPlace(facts, first.base.spec, first.difference.turn) : facts.file.range(draw),
    message: draw !== undefined && CLOCK.test(draw.text)
      ? message('The same seed and the same actions give another episode ({seeds}): the {what} of step {turn} differs. A replay or a paired play cannot be trusted. Keep the clock out of what the agent sees and is paid.', told)
      : message('The same seed and the same actions give another episode ({seeds}): the {what} of step {turn} differs. A replay or a paired play cannot be trusted. Draw from a generator that reset(seed) makes.', told),
    evidence: { ...evidence(first), seeds: seedsOf(othersOf(pairs)) },
  }]);
});

/** `nondeterministic-across-processes`: another process gives another task for the same seed. */
export const nondeterministicAcrossProcesses: ProbeRule = whenLoaded((facts) => {
  const hash = compared(facts, 'hash');
  if (hash.length === 0) return notMade(message('No second process under another hash seed could be had.'));
  if (differing(compared(facts, 'replay')).length > 0) return notMade(message('Plays differ in one process already, so two processes tell nothing more.'));
  const pairs = differing(hash);
  const first = pairs[0];
  if (first === undefined) return nothingFound;
  const attribute = first.difference.path === null ? '' : attributeOf(first.difference.path);
  return found([{
    range: locateHashOrder(facts.file) ?? (attribute === '' ? locateMethod(facts.file, first.difference.turn === -1 ? 'reset' : 'step') : locateAttribute(facts.file, attribute)),
    message: message('Under another hash seed, as in another process, the same seed gives {what} ({seeds}). The usual cause is the iteration order of a set, or hash(): iterate over sorted(…) instead.', {
      what: first.difference.turn === -1 ? 'another task' : 'another episode', seeds: seedText(othersOf(pairs)),
    }),
    evidence: { ...evidence(first), seeds: seedsOf(othersOf(pairs)) },
  }]);
});

/** `step-uses-global-rng`: step draws from the global generator. */
export const stepUsesGlobalRng: ProbeRule = whenLoaded((facts) => {
  const unstable = new Set(differing(compared(facts, 'replay')).map(({ base }) => keyOf(base)));
  const pairs = differing(compared(facts, 'disturbed')).filter(({ base, difference }) => difference.turn >= 0 && difference.what !== 'tool' && !unstable.has(keyOf(base)));
  const first = pairs[0];
  if (first === undefined) return nothingFound;
  const draw = reachedFrom(facts.file, facts.file.method('step')).flatMap((definition) => [...allDraws(definition)])[0];
  return found([{
    range: draw === undefined ? stepPlace(facts, first.base.spec, first.difference.turn) : facts.file.range(draw),
    message: message('step draws from the module-level generator: as soon as anything else in the process draws, the episode is another one ({seeds}). The run plays many environments at once. Keep a random.Random(seed) in the instance.', {
      seeds: seedText(othersOf(pairs)),
    }),
    evidence: { ...evidence(first), seeds: seedsOf(othersOf(pairs)) },
  }]);
});

/** Episodes that went another way because a second instance was played beside: not those that any draw from a generator changes. */
export function ledAstray(facts: ProbeFacts): readonly (Compared & { difference: Difference })[] {
  const onGenerator = [...compared(facts, 'disturbed'), ...compared(facts, 'replay')].some(({ difference }) => difference !== null);
  return onGenerator ? [] : differing(compared(facts, 'company'));
}

/** `instances-share-state`: instances share state through the class. */
export const instancesShareState: ProbeRule = whenLoaded((facts) => {
  const touched = of(facts, 'company').flatMap((episode) => {
    const [change] = episode.company === null ? [] : stateDifferences(episode.company.before, episode.company.after);
    return change === undefined ? [] : [{ episode, change }];
  });
  const led = ledAstray(facts);
  if (touched.length > 0) {
    const { episode, change } = touched[0]!;
    const name = change.path.replace(/^\w+\./, '');
    const inClass = change.path.includes('.') ? attributeOf(name) : attributeOf(change.path);
    return found([{
      range: locateAttribute(facts.file, inClass),
      message: message('Playing one instance changes {path} of another: it is shared through the class. Plays that run at the same time disturb each other. Set it in reset.', { path: change.path }),
      evidence: replay(episode.spec, null, { expected: shown(change.a), actual: shown(change.b), detail: change.path }),
    }]);
  }
  const first = led[0];
  return first === undefined ? nothingFound : found([{
    range: locateShared(facts.file) ?? locateClass(facts.file),
    message: message('An episode is another one when a second instance exists ({seeds}): they share state through the class or the module. Keep state in the instance.', { seeds: seedText(othersOf(led)) }),
    evidence: evidence(first),
  }]);
});

/** Parts of a state that differ by seed without being part of the task: generators, and the seed itself. */
function isTask(path: string, value: string, seed: number | null): boolean {
  return !/\bRandom\(|^<.*Random/.test(value) && !/^\(3, \(\d+/.test(value) && !(/seed/i.test(path) && value === String(seed));
}

function taskOf(episode: EpisodeFact): string {
  const values = Object.entries(episode.atReset.snapshot?.values ?? {}).filter(([path, value]) => isTask(path, value, episode.spec.seed));
  const outcome = episode.turns.map(({ step, tool }) => (step === null ? tool?.output.text : [step.observation.text, step.reward.repr, step.terminated.repr, step.truncated.repr]));
  return JSON.stringify([episode.reset?.observation.text, values, episode.atReset.solution?.text.text, outcome]);
}

/** The one answer that wins at once on every seed of the domain; null when answers differ, or take more than one action. */
export function oneAnswerOnAllSeeds(facts: ProbeFacts): string | null {
  const answers = DOMAIN_SEEDS.map((seed) => solutionOf(facts, seed)?.trim() ?? null);
  const [answer] = answers;
  if (answer === undefined || answer === null || facts.profile !== 's' || answers.some((other) => other !== answer)) return null;
  return SEEDS.every((seed) => winningWay(facts, seed)?.turns.length === 1) ? answer : null;
}

/** `same-task-for-every-seed`: every seed gives the same task. */
export const sameTaskForEverySeed: ProbeRule = whenLoaded((facts) => {
  if (freshDifferences(facts).length > 0) return nothingFound;
  const full = of(facts, 'seed').filter(({ spec, reset }) => reset !== null && spec.snapshots);
  const firstOfEach = SEEDS.flatMap((seed) => full.find(({ spec }) => spec.seed === seed) ?? []);
  if (firstOfEach.length < 4) return notMade(message('Too few seeds could be played.'));
  const plain = of(facts, 'seed').filter(({ reset }) => reset !== null);
  const varied = [plain.map(({ reset }) => reset?.observation.text), plain.flatMap(({ atReset }) => atReset.solution?.text.text ?? [])].some((texts) => new Set(texts).size > 1);
  const later = full.filter((episode) => !firstOfEach.includes(episode));
  const alike = (episodes: readonly EpisodeFact[]): boolean => new Set(episodes.map(taskOf)).size <= 1;
  const sameMoves = grouped(later, ({ spec }) => JSON.stringify(spec.moves));
  const answer = oneAnswerOnAllSeeds(facts);
  if (answer !== null && varied) {
    return found([{
      range: locateMethod(facts.file, 'reset'),
      message: message('Every one of {count} seeds has the same answer, {answer}: only the text differs. The policy can learn it by heart. Draw what the answer depends on from random.Random(seed).', {
        count: DOMAIN_SEEDS.length, answer: shown(answer, 80),
      }),
      evidence: { seeds: [...DOMAIN_SEEDS].sort((a, b) => a - b), expected: 'answers that differ by seed', actual: shown(answer) },
    }]);
  }
  if (varied || !alike(firstOfEach) || !sameMoves.every(alike)) return nothingFound;
  return found([{
    range: locateMethod(facts.file, 'reset'),
    message: message('Every one of {count} seeds gives the same task, in text, state and outcome. The policy can learn it by heart. Draw the task from random.Random(seed).', { count: plain.length }),
    evidence: { seeds: seedsOf(plain), actual: shown(firstOfEach[0]!.reset?.observation.text ?? '') },
  }]);
});

const outcomeOf = (episode: EpisodeFact): string => episode.turns.map(({ step }) => (step === null ? '' : `${rewardOf(step)} ${flag(step.terminated)}`)).join(';');

/** `thread-sensitive-scoring`: the same answer scores differently on a worker thread. */
export const threadSensitiveScoring: ProbeRule = whenLoaded((facts) => {
  const onMain = of(facts, 'solution', 'equivalent').filter(({ spec, turns }) => spec.thread === 'main' && turns.length > 0);
  if (onMain.length === 0) return notMade(message('There is no single answer to send on both threads.'));
  const pairs = onMain.flatMap((main) => {
    const worker = of(facts, main.spec.purpose).find(({ spec, turns }) => spec.thread !== 'main' && turns.length > 0 && keyOf({ spec }) === keyOf(main));
    return worker === undefined || outcomeOf(worker) === outcomeOf(main) ? [] : [{ main, worker }];
  });
  if (pairs.length > 0 && solutionsApart(facts).length > 0) return notMade(message('The same answer scores differently every time, so two threads tell nothing more.'));
  const own = pairs.filter(({ main }) => main.spec.purpose === 'solution');
  const first = own[0] ?? pairs[0];
  if (first === undefined) return nothingFound;
  return found([{
    range: locateMethod(facts.file, 'step'),
    ...(own.length > 0 ? {} : { severity: 'info' as const }),
    message: own.length > 0
      ? message('The environment\'s own answer scores differently on a worker thread, where the run steps ({seeds}). Do not depend on signals or on the main thread.', { seeds: seedText(own.map(({ main }) => main)) })
      : message('Equivalent forms of the answer score only on the main thread; the run steps on worker threads, where math_verify cannot work ({seeds}).', { seeds: seedText(pairs.map(({ main }) => main)) }),
    evidence: replay(first.main.spec, null, { expected: `main thread: ${outcomeOf(first.main)}`, actual: `worker thread: ${outcomeOf(first.worker)}` }),
  }]);
});
