/** Turns episodes that are to be played into a plan for the host, and the host's evidence back into what came of them. */
import type {
  CriteriaResult, HostError, OpResult, PlanOp, PlanRun, RunEvidence,
} from '../../../shared/hostProtocol';
import { fromJsonNumber } from '../../../shared/json';
import type { EpisodeFact, EpisodeSpec, Failure, Opening, OpeningsFact, OpeningsPurpose, TurnFact } from './facts';
import { hasEnded } from './query';

/** First actions to be tried on one seed. */
export interface OpeningsSpec {
  readonly purpose: OpeningsPurpose;
  readonly seed: number;
  readonly actions: readonly string[];
}

/** A group of probes that share one fresh module. What hangs or dies takes only the probe in progress with it. */
export type Job =
  | { readonly kind: 'episodes'; readonly specs: readonly EpisodeSpec[]; readonly trace?: boolean }
  | { readonly kind: 'openings'; readonly specs: readonly OpeningsSpec[] };

/** What came of a job, one fact a spec; undefined where the session ended before it. */
export type JobFacts =
  | { readonly kind: 'episodes'; readonly facts: readonly (EpisodeFact | undefined)[] }
  | { readonly kind: 'openings'; readonly facts: readonly (OpeningsFact | undefined)[] };

/** What an operation of a plan is for. */
type Role =
  | { readonly part: 'load' | 'reset' | 'snapshot' | 'solution' | 'criteria' | 'end-solution' | 'company-before' | 'company-after' | 'earlier-reset' | 'earlier-snapshot' | 'other' }
  | { readonly part: 'moves'; readonly from: number; readonly count: number }
  | { readonly part: 'turn-criteria'; readonly turn: number }
  | { readonly part: 'openings' };

interface Placed {
  readonly op: PlanOp;
  readonly spec: number;
  readonly role: Role;
}

/** A job made ready for the host. */
export interface CompiledJob {
  readonly job: Job;
  /** Its run, which the plan names. */
  readonly run: Omit<PlanRun, 'id'>;
  readonly placed: readonly Placed[];
  /** The operations of each spec, by their index. */
  readonly bySpec: readonly (readonly number[])[];
}

/** Moves that the second instance makes before the first one goes on. */
const COMPANY_MOVES = 3;

const SELF = 0;
const COMPANY = 1;

function episodeOps(spec: EpisodeSpec, trace: boolean): { op: PlanOp; role: Role }[] {
  const ops: { op: PlanOp; role: Role }[] = [];
  const add = (op: PlanOp, role: Role): void => void ops.push({ op, role });
  const disturb = (extra: number): void => add({ op: 'disturb', seed: (spec.disturbance ?? 1) + extra }, { part: 'other' });
  const maxTurns = spec.maxTurns ?? null;
  const construction = spec.construction ?? 'validate';
  if (spec.disturb !== undefined) disturb(0);
  add({ op: 'construct', on: SELF, construction, maxTurns, brief: spec.purpose !== 'loader' }, { part: 'load' });
  for (let time = 1; time <= (spec.resets ?? 1); time += 1) {
    if (time > 1) disturb(time);
    const last = time === (spec.resets ?? 1);
    add({ op: 'reset', on: SELF, seed: spec.seed }, { part: last ? 'reset' : 'earlier-reset' });
    if (!last && spec.snapshots) add({ op: 'snapshot', on: SELF }, { part: 'earlier-snapshot' });
  }
  if (spec.companySeed !== undefined) {
    add({ op: 'construct', on: COMPANY, construction, maxTurns, brief: true }, { part: 'other' });
    add({ op: 'reset', on: COMPANY, seed: spec.companySeed }, { part: 'other' });
    for (const move of spec.moves.slice(0, COMPANY_MOVES)) {
      if (move.kind === 'tool') add({ op: 'tool', on: COMPANY, name: move.name, arguments: move.arguments as Record<string, never> }, { part: 'other' });
      else add({ op: 'steps', on: COMPANY, actions: [{ text: move.action }], count: 1, stopAtEnd: true, trace: false }, { part: 'other' });
    }
    add({ op: 'snapshot', on: COMPANY }, { part: 'company-before' });
  }
  if (spec.snapshots) add({ op: 'snapshot', on: SELF }, { part: 'snapshot' });
  if (spec.solutions) add({ op: 'solution', on: SELF }, { part: 'solution' });
  if (spec.criteria) add({ op: 'criteria', on: SELF }, { part: 'criteria' });
  if (spec.disturb === 'between') disturb(100);
  const single = spec.criteria || spec.disturb === 'between';
  for (let at = 0; at < spec.moves.length;) {
    const move = spec.moves[at]!;
    let count = 1;
    if (move.kind === 'tool') {
      add({ op: 'tool', on: SELF, name: move.name, arguments: move.arguments as Record<string, never> }, { part: 'moves', from: at, count });
    } else {
      const texts = [move.action];
      while (!single && at + count < spec.moves.length) {
        const next = spec.moves[at + count]!;
        if (next.kind !== 'step') break;
        texts.push(next.action);
        count += 1;
      }
      const actions = texts.slice(0, periodOf(texts)).map((text) => ({ text }));
      add({ op: 'steps', on: SELF, actions, count, stopAtEnd: !spec.pastEnd, trace }, { part: 'moves', from: at, count });
    }
    if (spec.criteria) add({ op: 'criteria', on: SELF }, { part: 'turn-criteria', turn: at });
    at += count;
    if (spec.disturb === 'between') disturb(at);
  }
  if (spec.companySeed !== undefined) add({ op: 'snapshot', on: COMPANY }, { part: 'company-after' });
  if (spec.finalReset !== undefined) add({ op: 'reset', on: SELF, seed: spec.finalReset }, { part: 'other' });
  if (spec.solutions) add({ op: 'solution', on: SELF }, { part: 'end-solution' });
  return ops;
}

/** After how many texts they begin again: the host repeats them. */
function periodOf(texts: readonly string[]): number {
  for (let period = 1; period <= texts.length / 2; period += 1) {
    if (texts.every((text, at) => at < period || text === texts[at - period])) return period;
  }
  return texts.length;
}

const compiledJobs = new WeakMap<Job, CompiledJob>();

/** Makes a job ready. What was made of the same job before is given again: some are the same for every file. */
export function compileJob(job: Job): CompiledJob {
  const known = compiledJobs.get(job);
  if (known !== undefined) return known;
  const made = compileAnew(job);
  compiledJobs.set(job, made);
  return made;
}

function compileAnew(job: Job): CompiledJob {
  const placed: Placed[] = [];
  if (job.kind === 'episodes') {
    job.specs.forEach((spec, at) => {
      for (const { op, role } of episodeOps(spec, job.trace === true)) placed.push({ op, spec: at, role });
    });
  } else {
    placed.push({ op: { op: 'construct', on: SELF, construction: 'validate', maxTurns: null, brief: true }, spec: 0, role: { part: 'load' } });
    job.specs.forEach(({ seed, actions }, at) => {
      placed.push({ op: { op: 'openings', on: SELF, seed, actions: [...actions] }, spec: at, role: { part: 'openings' } });
    });
  }
  const first = job.kind === 'episodes' ? job.specs[0] : undefined;
  const bySpec = job.specs.map((): number[] => []);
  placed.forEach(({ spec }, index) => bySpec[spec]?.push(index));
  return { job, placed, bySpec, run: { thread: first?.thread ?? 'worker', goOn: true, ops: placed.map(({ op }) => op) } };
}

const PARTS: Partial<Record<Role['part'], 'load' | 'reset' | 'solution' | 'step'>> = {
  load: 'load', reset: 'reset', solution: 'solution', 'end-solution': 'solution', openings: 'step',
};

/** Which call an operation makes of the environment. */
export function whereOf(compiled: CompiledJob, op: number): (Failure & { kind: 'ended' })['where'] {
  const placed = compiled.placed[op];
  if (placed === undefined) return 'load';
  if (placed.op.op === 'steps') return 'step';
  if (placed.op.op === 'tool') return 'tool';
  if (placed.op.op === 'reset') return 'reset';
  if (placed.op.op === 'construct') return 'load';
  return PARTS[placed.role.part] ?? 'other';
}

type Results = ReadonlyMap<number, readonly OpResult[]>;

function pick<K extends OpResult['kind']>(results: readonly OpResult[] | undefined, kind: K): Extract<OpResult, { kind: K }> | null {
  return (results?.find((result) => result.kind === kind) as Extract<OpResult, { kind: K }> | undefined) ?? null;
}

function errorIn(results: readonly OpResult[] | undefined): { error: HostError; action: string | null } | null {
  const found = pick(results, 'error');
  return found && { error: found.error, action: found.action ?? null };
}

/** What is told of a run that was left out because importing the file had taken too long. */
const leftOut = ({ code }: HostError): Failure | null => (code === 'import-budget' ? { kind: 'not-made', why: 'imports' } : null);

function readEpisode(compiled: CompiledJob, at: number, spec: EpisodeSpec, results: Results, cut: Failure | null): EpisodeFact {
  let failure: Failure | null = null;
  const own = compiled.bySpec[at]!;
  const resultsOf = (part: Role['part']): readonly OpResult[] | undefined => {
    const index = own.find((one) => compiled.placed[one]!.role.part === part);
    return index === undefined ? undefined : results.get(index);
  };
  const single = <K extends OpResult['kind']>(part: Role['part'], kind: K): Extract<OpResult, { kind: K }> | null => pick(resultsOf(part), kind);
  const failed = (part: Role['part']): HostError | null => errorIn(resultsOf(part))?.error ?? null;
  const turns: TurnFact[] = [];
  let over = false;
  for (const index of own) {
    const placed = compiled.placed[index]!;
    const found = results.get(index);
    const { role } = placed;
    if (role.part === 'turn-criteria') {
      const turn = turns[role.turn];
      if (turn) turns[role.turn] = { ...turn, criteria: pick(found, 'criteria') };
      continue;
    }
    if (role.part === 'moves') {
      found?.forEach((result, offset) => {
        if (over) return;
        const move = spec.moves[role.from + offset];
        if (move === undefined) return;
        if (result.kind === 'step') turns.push({ move, step: result, tool: null, criteria: null });
        else if (result.kind === 'tool') turns.push({ move, step: null, tool: result, criteria: null });
        over = !spec.pastEnd && hasEnded(turns.at(-1));
      });
    }
    const raised = errorIn(found);
    const mine = !('on' in placed.op) || placed.op.on === SELF;
    const counts = mine && !['solution', 'end-solution', 'criteria', 'snapshot'].includes(role.part);
    if (raised !== null && failure === null && counts && !(over && role.part === 'moves')) {
      const move = role.part === 'moves' ? spec.moves[Math.min(turns.length, spec.moves.length - 1)] : undefined;
      const called = placed.op.op === 'reset' ? `reset(seed=${placed.op.seed})` : null;
      const action = raised.action ?? (move?.kind === 'step' ? move.action : move?.kind === 'tool' ? move.name : called);
      failure = leftOut(raised.error) ?? { kind: 'raised', where: whereOf(compiled, index), error: raised.error, action };
      // The run ends the episode with the exception (run contract §2.5): steps that were made one by one go on past it.
      over ||= !spec.pastEnd && role.part === 'moves';
    }
  }
  const moment = (solution: Role['part'], criteria: CriteriaResult | null): EpisodeFact['atEnd'] => ({
    solution: single(solution, 'solution'), solutionError: failed(solution), criteria,
  });
  const load = single('load', 'load');
  return {
    spec,
    load,
    maxTurns: (load ?? single('load', 'built'))?.maxTurns ?? null,
    reset: single('reset', 'reset'),
    atReset: { snapshot: single('snapshot', 'snapshot'), ...moment('solution', single('criteria', 'criteria')) },
    turns,
    atEnd: moment('end-solution', turns.at(-1)?.criteria ?? null),
    earlier: (spec.resets ?? 1) > 1 ? { reset: single('earlier-reset', 'reset'), snapshot: single('earlier-snapshot', 'snapshot') } : null,
    company: spec.companySeed === undefined ? null : { before: single('company-before', 'snapshot'), after: single('company-after', 'snapshot') },
    failure: failure ?? cut,
  };
}

function readOpenings(spec: OpeningsSpec, results: readonly OpResult[] | undefined, cut: Failure | null): OpeningsFact {
  const found = pick(results, 'openings');
  const raised = errorIn(results);
  const openings: Opening[] = found === null ? [] : spec.actions.map((action, at) => {
    const reward = found.rewards[at];
    const end = found.ends[at];
    return {
      action,
      reward: reward === null || reward === undefined ? null : fromJsonNumber(reward),
      terminated: end === 't' || end === 'b',
      truncated: end === 'u' || end === 'b',
      raised: end === 'x',
    };
  });
  const failure: Failure | null = raised && (leftOut(raised.error) ?? { kind: 'raised', where: 'reset', error: raised.error, action: raised.action });
  return { purpose: spec.purpose, seed: spec.seed, openings, failure: failure ?? cut };
}

/** The first specs of a job that the evidence says nothing of, and what is known of the others. */
export function readJob(compiled: CompiledJob, evidence: RunEvidence | undefined, cut: { readonly op: number; readonly failure: Failure } | null): JobFacts {
  const results: Results = new Map(evidence?.ops.map(({ index, results: list }) => [index, list]));
  const inProgress = cut === null ? -1 : (compiled.placed[cut.op]?.spec ?? 0);
  const known = (at: number): boolean => cut === null || at <= inProgress;
  const cutOf = (at: number): Failure | null => (cut !== null && at === inProgress ? cut.failure : null);
  const { job } = compiled;
  if (job.kind === 'episodes') {
    return { kind: 'episodes', facts: job.specs.map((spec, at) => (known(at) ? readEpisode(compiled, at, spec, results, cutOf(at)) : undefined)) };
  }
  const facts = job.specs.map((spec, at) => {
    if (!known(at)) return undefined;
    const loading = errorIn(results.get(0));
    if (loading !== null) return readOpenings(spec, results.get(0), null);
    // The construction counts as the first spec's: its openings come after it.
    return readOpenings(spec, results.get(compiled.bySpec[at]!.at(-1)!), cutOf(at));
  });
  return { kind: 'openings', facts };
}
