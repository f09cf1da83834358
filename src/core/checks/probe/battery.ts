/** The probes of a file, in rounds: what a later round plays follows from what the earlier ones saw. */
import { median } from '../../collections';
import { boxed, type SolutionReading } from '../../environment/readingSolution';
import type { EpisodeSpec, Move, OpeningsPurpose, ProbeFacts, Purpose } from './facts';
import { derived } from './derived';
import type { Job, OpeningsSpec } from './plan';
import { BUDGET, choices, DOMAIN_SEEDS, observationOf, of, optionGroupsOf, readingOf, SEEDS, solutionOf, step, steps, waysOf, wrongAnswers } from './query';
import { cuttingBoxPatterns } from '../static/text';
import { apart } from './shares';
import { toolJobs } from './toolBattery';

/** What the planning of a round may look at. */
export type Known = Pick<ProbeFacts, 'episodes' | 'load' | 'file'>;

/** The actions of the loader's own probe (run contract §2.4). */
const LOADER_ACTIONS: readonly string[] = ['\\boxed{1}', '\\boxed{test}', '\\boxed{42}'];
/** Odd inputs, by what is odd about them. */
export const ODD_INPUTS: readonly { readonly name: string; readonly action: string }[] = [
  { name: 'empty', action: '' },
  { name: 'blank', action: '   ' },
  { name: 'empty box', action: '\\boxed{}' },
  { name: 'very long', action: `\\boxed{${'a'.repeat(20_000)}}` },
  { name: 'unicode digits', action: '\\boxed{²}' },
  { name: 'nested braces', action: '\\boxed{\\frac{1}{2}}' },
  { name: 'zero', action: '\\boxed{0}' },
  { name: 'negative number', action: '\\boxed{-1}' },
  { name: '5,000-digit number', action: `\\boxed{${'9'.repeat(5000)}}` },
];
/** Options that are tried on one seed at most. */
const MOST_OPTIONS = 40;
/** Milliseconds that guessing may cost at the speed of the first round. */
const GUESS_MS = 1500;
/** Jobs that the guesses make: the smaller they are, the more evenly two sessions share them. */
const GUESS_JOBS = 4;

const one = (spec: EpisodeSpec): Job => ({ kind: 'episodes', specs: [spec] });

/** Every seed on a fresh module. */
function seedJobs(purpose: Purpose, disturbance: number): Job[] {
  return SEEDS.map((seed) => one({
    purpose, seed, moves: steps(LOADER_ACTIONS), snapshots: true, solutions: true, criteria: true, disturb: 'before', disturbance,
  }));
}

/** Round 1: what importing the file does, the loader's probe, an unseeded play, every seed, and the domain. */
export const FIRST_ROUND: readonly Job[] = [
  { kind: 'episodes', specs: [] },
  one({ purpose: 'loader', seed: 42, moves: steps(LOADER_ACTIONS), finalReset: 123 }),
  one({ purpose: 'unseeded', seed: null, moves: steps(['1', '2', 'test']), construction: 'play' }),
  ...seedJobs('seed', 1),
  { kind: 'episodes', specs: DOMAIN_SEEDS.filter((seed) => !SEEDS.includes(seed)).map((seed) => ({ purpose: 'seed', seed, moves: [], solutions: true })) },
];

/** Every seed once more: nothing that is played later follows from it, so it is played while round 2 is planned. */
export const REPLAYS: readonly Job[] = seedJobs('replay', 2);

/** What the session under another hash seed plays first. */
export const HASH_ROUND: readonly Job[] = seedJobs('hash', 1);

/** Options that a seed's observation lists, without doubles. */
function optionsOf(known: Known, seed: number): string[] {
  return [...new Set(optionGroupsOf(known, seed).flat())].slice(0, MOST_OPTIONS);
}

/** Actions that a seed's observation lists, boxed; the loader's own where it lists none. */
function listedActions(known: Known, seed: number, count: number): string[] {
  const options = optionsOf(known, seed);
  const listed = options.slice(0, count).map((option) => boxed(option));
  return listed.length > 0 ? listed : [...LOADER_ACTIONS];
}

/**
 * A mix of what agents send: listed actions, wrong answers, a reply without a box. Seeds in turn begin with each of them, since in
 * many files the first reply ends the episode.
 */
function mixedMoves(known: Known, seed: number): Move[] {
  const listed = listedActions(known, seed, 4);
  const wrong = wrongAnswers(known, seed, 2).map((answer) => boxed(answer));
  const orders = [[...listed, ...wrong, 'hello', ...listed], ['hello', ...listed, ...wrong], [...wrong, 'hello', ...listed]];
  return steps(orders[Math.max(0, SEEDS.indexOf(seed)) % orders.length]!);
}

/** The turn limit that the class gives itself; null when it has none. */
export function ownLimit(known: Known): number | null {
  return of(known, 'unseeded')[0]?.maxTurns ?? null;
}

/** How an episode is built so that it meets its turn limit soon, and how many turns are well past that. */
export function limited(known: Known): Pick<EpisodeSpec, 'construction' | 'maxTurns'> & { readonly turns: number } {
  const own = ownLimit(known);
  if (own !== null && own > 0 && own <= 40) return { construction: 'play', turns: own * 2 + 5 };
  return own === null ? { construction: 'validate', turns: 60 } : { construction: 'validate', maxTurns: 5, turns: 20 };
}

function repeated(action: string, count: number): Move[] {
  return Array.from({ length: count }, () => step(action));
}

function cycled(actions: readonly string[], count: number): Move[] {
  return Array.from({ length: count }, (_, at) => step(actions[at % actions.length]!));
}

function solutionJobs(known: Known): Job[] {
  return SEEDS.flatMap((seed): Job[] => {
    const ways = waysOf(readingOf(known, seed));
    return ways.length === 0 ? [] : [{ kind: 'episodes', specs: ways.map((moves): EpisodeSpec => ({ purpose: 'solution', seed, moves, solutions: true })) }];
  });
}

/** The same scenario alone, again, with the generators drawn from between steps, and with a second instance beside it. */
function determinismJobs(known: Known): Job[] {
  return SEEDS.slice(0, 4).flatMap((seed): Job[] => {
    const moves = mixedMoves(known, seed);
    const base = { seed, moves, snapshots: true, disturb: 'before' } as const;
    return [
      one({ ...base, purpose: 'seed', disturbance: 1 }),
      one({ ...base, purpose: 'replay', disturbance: 2 }),
      one({ ...base, purpose: 'disturbed', disturb: 'between', disturbance: 3 }),
      one({ ...base, purpose: 'company', disturbance: 1, companySeed: seed + 1000 }),
    ];
  });
}

/** The scenarios of {@link determinismJobs} as the session under another hash seed plays them. */
export function secondHashRound(known: Known): Job[] {
  return SEEDS.slice(0, 4).map((seed) => one({ purpose: 'hash', seed, moves: mixedMoves(known, seed), snapshots: true, disturb: 'before', disturbance: 1 }));
}

function endingJobs(known: Known): Job[] {
  const { turns, ...build } = limited(known);
  const specs = SEEDS.slice(0, 3).flatMap((seed): EpisodeSpec[] => [
    { ...build, purpose: 'unboxed', seed, moves: repeated('hello', turns) },
    { ...build, purpose: 'listed', seed, moves: cycled([...listedActions(known, seed, 8), ...LOADER_ACTIONS], turns) },
    { ...build, purpose: 'wrong', seed, moves: cycled(wrongAnswers(known, seed, 6).map((answer) => boxed(answer)), turns) },
    { purpose: 'wrong', seed, moves: steps(wrongAnswers(known, seed, 2).map((answer) => boxed(answer))), solutions: true },
  ]);
  return [{ kind: 'episodes', specs }];
}

function lastTurnSpecs(known: Known, seed: number, way: readonly Move[]): EpisodeSpec[] {
  if (way.length > 1) return [{ purpose: 'last-turn', seed, moves: way, maxTurns: way.length }];
  const wrong = wrongAnswers(known, seed, 1).map((answer) => boxed(answer));
  return [1, 2, 3].flatMap((maxTurns): EpisodeSpec[] => {
    const moves = [...cycled(wrong, maxTurns - 1), ...way];
    return [{ purpose: 'last-turn', seed, moves, maxTurns }, { purpose: 'last-turn', seed, moves }];
  });
}

function afterEndSpecs(known: Known, seed: number, way: readonly Move[]): EpisodeSpec[] {
  const wrong = step(boxed(wrongAnswers(known, seed, 1)[0]!));
  const after = [way.at(-1)!, step('hello'), wrong];
  return [
    { purpose: 'after-end', seed, moves: [...way, ...after], pastEnd: true },
    { purpose: 'after-end', seed, moves: [wrong, wrong, wrong, ...way, ...after], pastEnd: true, maxTurns: 3 },
  ];
}

function solutionScenarios(known: Known): Job[] {
  const specs = SEEDS.slice(0, 3).flatMap((seed): EpisodeSpec[] => {
    const ways = waysOf(readingOf(known, seed));
    return ways.flatMap((way) => [...lastTurnSpecs(known, seed, way), ...afterEndSpecs(known, seed, way)]);
  });
  return specs.length === 0 ? [] : [{ kind: 'episodes', specs }];
}

function repeatJobs(known: Known): Job[] {
  const turns = Math.min(ownLimit(known) ?? BUDGET, BUDGET);
  const specs = SEEDS.slice(0, 2).flatMap((seed) => {
    const [way = []] = waysOf(readingOf(known, seed));
    // Moves of a grammar that the observation only describes stand in the solution; a single answer there is the win itself.
    const moved = way.length > 1 ? way.slice(0, 2).flatMap((move) => (move.kind === 'step' ? [move.action] : [])) : [];
    const actions = [...listedActions(known, seed, 5), ...wrongAnswers(known, seed, 1).map((answer) => boxed(answer)), ...moved, 'hello', '\\boxed{}'];
    return [...new Set(actions)].map((action): EpisodeSpec => ({ purpose: 'repeat', seed, moves: repeated(action, turns), construction: 'play' }));
  });
  return [{ kind: 'episodes', specs }];
}

function randomJobs(known: Known): Job[] {
  const turns = Math.min(ownLimit(known) ?? BUDGET, BUDGET);
  const specs = DOMAIN_SEEDS.flatMap((seed): EpisodeSpec[] => {
    const options = optionsOf(known, seed);
    if (options.length < 2) return [];
    return [0, 1].map((play) => {
      const draw = choices(seed * 2 + play);
      const moves = Array.from({ length: turns }, () => step(boxed(options[Math.floor(draw.next().value * options.length)]!)));
      return { purpose: 'random', seed, moves, construction: 'play' };
    });
  });
  return specs.length === 0 ? [] : [{ kind: 'episodes', specs }];
}

/** The distinct one-line answers over all seeds. */
export function domainOf(known: Known): readonly string[] {
  return derived(known.episodes, 'domain', () => {
    const answers = DOMAIN_SEEDS.flatMap((seed) => solutionOf(known, seed)?.trim() ?? []);
    return [...new Set(answers)].filter((answer) => !answer.includes('\n') && answer.length <= 200);
  });
}

function sweepJobs(known: Known): Job[] {
  const turns = Math.min(ownLimit(known) ?? BUDGET, BUDGET);
  const domain = domainOf(known);
  const specs = SEEDS.flatMap((seed): EpisodeSpec[] => {
    const options = optionsOf(known, seed);
    const answers = options.length >= 2 && options.length <= turns ? options : domain;
    if (answers.length < 2 || answers.length > turns) return [];
    return [{ purpose: 'sweep', seed, moves: steps(answers.map((answer) => boxed(answer))), construction: 'play' }];
  });
  return specs.length === 0 ? [] : [{ kind: 'episodes', specs }];
}

function inputJobs(): Job[] {
  return SEEDS.slice(0, 2).map((seed) => ({ kind: 'episodes', specs: ODD_INPUTS.map(({ action }) => ({ purpose: 'input', seed, moves: [step(action)] })) }));
}

/** Other ways to write the same value. */
function equivalents(answer: string): string[] {
  const fraction = /^(-?\d+)\/(\d+)$/.exec(answer) ?? /^\\frac\{(-?\d+)\}\{(\d+)\}$/.exec(answer);
  if (fraction !== null) {
    const [, top = '', bottom = ''] = fraction;
    return [String(Number(top) / Number(bottom)), answer.includes('frac') ? `${top}/${bottom}` : `\\frac{${top}}{${bottom}}`];
  }
  return /^-?\d{1,12}$/.test(answer) ? [`${answer}.0`] : [];
}

/** An answer as models like to write it in TeX, with braces; null when it holds some already, or is too long for it. */
export function braced(answer: string): string | null {
  if (/[{}\\\n]/.test(answer) || answer.length > 60) return null;
  const fraction = /^(-?)(\d+)\/(\d+)$/.exec(answer);
  return fraction === null ? `\\text{${answer}}` : `${fraction[1]}\\frac{${fraction[2]}}{${fraction[3]}}`;
}

/** Where a pattern may cut a box: the right answer with braces, boxed and as the whole reply, which no pattern cuts. */
function bracedJobs(known: Known): Job[] {
  if (cuttingBoxPatterns(known.file).length === 0) return [];
  const specs = SEEDS.slice(0, 3).flatMap((seed): EpisodeSpec[] => {
    const form = oneAnswer(readingOf(known, seed)) === null ? null : braced(solutionOf(known, seed)!.trim());
    return form === null ? [] : [boxed(form), form].map((action) => ({ purpose: 'braced', seed, moves: [step(action)] }));
  });
  return specs.length === 0 ? [] : [{ kind: 'episodes', specs }];
}

function oneAnswer(reading: SolutionReading | null): Move | null {
  const way = waysOf(reading)[0];
  return way?.length === 1 ? way[0]! : null;
}

function threadJobs(known: Known): Job[] {
  const specs = (thread: 'worker' | 'main'): EpisodeSpec[] => SEEDS.slice(0, 3).flatMap((seed) => {
    const answer = oneAnswer(readingOf(known, seed));
    if (answer === null) return [];
    const other = equivalents(solutionOf(known, seed)!.trim()).map((text): EpisodeSpec => ({ purpose: 'equivalent', seed, moves: [step(boxed(text))], thread }));
    return thread === 'main' ? [{ purpose: 'solution', seed, moves: [answer], thread }, ...other] : other;
  });
  return (['worker', 'main'] as const).flatMap((thread): Job[] => {
    const list = specs(thread);
    return list.length === 0 ? [] : [{ kind: 'episodes', specs: list }];
  });
}

/** First actions that must not win, whatever the task is. */
function trivialActions(known: Known, seed: number): string[] {
  const observation = observationOf(known, seed) ?? '';
  const options = optionsOf(known, seed);
  const domain = domainOf(known).filter((answer) => answer.length <= 60);
  const all = (answers: readonly string[]): string[] => (answers.length < 2 ? [] : [answers.join(' '), answers.join(', ')]);
  return [...new Set([
    '', '   ', '\\boxed{}', '\\boxed{ }', 'None', '\\boxed{None}', observation, `\\boxed{${observation}}`,
    ...[...all(options), ...all(domain)].map((text) => `\\boxed{${text}}`),
  ])];
}

function openingsJob(purpose: OpeningsPurpose, specs: readonly Omit<OpeningsSpec, 'purpose'>[]): Job[] {
  const list = specs.filter(({ actions }) => actions.length > 0).map((spec) => ({ ...spec, purpose }));
  return list.length === 0 ? [] : [{ kind: 'openings', specs: list }];
}

function guessJobs(known: Known): Job[] {
  const costs = of(known, 'seed').flatMap(({ reset, turns }) => (reset === null ? [] : [reset.ms + (turns[0]?.step?.ms ?? 0)]));
  // The middle one: the first call, and one that waited for a processor, say nothing of what a guess costs.
  const cost = median(costs) ?? 0;
  const affordable = Math.max(64, Math.floor(GUESS_MS / Math.max(0.01, cost)));
  const domain = domainOf(known);
  const perSeed = Math.max(8, Math.floor(affordable / DOMAIN_SEEDS.length));
  const specs = DOMAIN_SEEDS.map((seed) => {
    const options = optionsOf(known, seed);
    return { seed, actions: [...new Set([...options, ...domain])].slice(0, perSeed).map((answer) => boxed(answer)) };
  });
  return Array.from({ length: GUESS_JOBS }, (_, part) => specs.slice((part * specs.length) / GUESS_JOBS, ((part + 1) * specs.length) / GUESS_JOBS))
    .flatMap((some) => openingsJob('guess', some));
}

/** A round that may be played in two sessions of one hash seed at once. */
export interface DividedRound {
  readonly jobs: readonly Job[];
  /** Places of the jobs that the second session plays. */
  readonly apart: ReadonlySet<number>;
}

/**
 * Purposes of plays that are judged by themselves or beside plays of their own job, and of solutions, which are also compared with plays of the
 * same moves: in the other session these stand on the same hash seed and a fresh module as well, so that a difference is the file's own.
 */
const BY_THEMSELVES: ReadonlySet<Purpose | undefined> = new Set(['repeat', 'random', 'sweep', 'solution', 'tool-twice', 'unboxed', 'listed', 'input']);

/** Whether a job may be played in a second session: not what runs on the main thread, nor what is compared with other plays of one process. */
function movable(job: Job): boolean {
  return job.kind === 'openings' || (BY_THEMSELVES.has(job.specs[0]?.purpose) && job.specs[0]?.thread !== 'main');
}

/** Round 2: everything that follows from the observations and solutions of round 1. */
export function secondRound(known: Known): DividedRound {
  if (known.load === null) return { jobs: [], apart: new Set() };
  if (known.load.toolUse) {
    const jobs = toolJobs(known);
    return { jobs, apart: apart(known, jobs, movable) };
  }
  const jobs = [
    ...solutionJobs(known), ...determinismJobs(known), ...endingJobs(known), ...solutionScenarios(known), ...repeatJobs(known), ...randomJobs(known),
    ...sweepJobs(known), ...inputJobs(), ...threadJobs(known), ...bracedJobs(known),
    ...openingsJob('trivial', SEEDS.map((seed) => ({ seed, actions: trivialActions(known, seed) }))), ...guessJobs(known),
  ];
  return { jobs, apart: apart(known, jobs, movable) };
}

/** Round 3: where two fresh instances with one seed differed, the same instance is reset twice. */
export function thirdRound(seeds: readonly number[]): Job[] {
  return seeds.map((seed) => one({ purpose: 'again', seed, moves: [], snapshots: true, disturb: 'before', disturbance: 5, resets: 2 }));
}
