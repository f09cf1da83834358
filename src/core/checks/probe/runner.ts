import type { RunEvidence, SideEffects } from '../../../shared/hostProtocol';
import type { PlanOutcome, Sandbox, SandboxSession, SessionOptions } from '../../ports';
import { isCancelled } from '../../errors';
import { SandboxError } from '../../sandboxError';
import type { EpisodeFact, Failure, OpeningsFact } from './facts';
import { compileJob, readJob, whereOf, type CompiledJob, type Job, type JobFacts } from './plan';
import { hasEnded } from './query';

/** Sessions that a file may lose (to hangs, memory, crashes) before the rest of its probes is given up. */
const MAX_LOST = 3;

const ENDS: Readonly<Record<string, (Failure & { kind: 'ended' })['reason']>> = {
  'wall-time': 'time', cpu: 'time', memory: 'memory', output: 'output',
};

/** A job on its way, with the place of each of its specs in the job as it was asked for. */
interface Pending {
  readonly asked: number;
  readonly places: readonly number[];
  readonly job: Job;
}

function without(job: Job, keep: readonly number[]): Job {
  return job.kind === 'episodes' ? { ...job, specs: keep.map((at) => job.specs[at]!) } : { ...job, specs: keep.map((at) => job.specs[at]!) };
}

function emptyFacts(job: Job): (EpisodeFact | OpeningsFact | undefined)[] {
  return job.specs.map(() => undefined);
}

type Ended = NonNullable<PlanOutcome['end']>;

function failureOf(end: Ended, job: CompiledJob): Failure & { kind: 'ended' } {
  return { kind: 'ended', where: whereOf(job, end.op), reason: ENDS[end.reason] ?? 'died', limit: end.limit, detail: end.detail, action: end.action };
}

/** The probe that a batched session most likely ended in; null for a silence, whose limit is short on purpose. */
function suspectOf(end: Ended, pending: readonly Pending[], compiled: readonly CompiledJob[]): Suspect | null {
  const at = compiled.findIndex((_, place) => String(place) === end.run);
  const [item, job] = [pending[at], compiled[at]];
  if (item === undefined || job === undefined || end.reason === 'wall-time') return null;
  return { asked: item.asked, place: item.places[job.placed[end.op]?.spec ?? 0] ?? 0, failure: failureOf(end, job) };
}

/** Who wants to know what came of the first `count` jobs before the others are over. */
interface Soon {
  readonly count: number;
  readonly tell: (facts: JobFacts[]) => void;
}

const nothing = { snapshot: null, solution: null, solutionError: null, criteria: null };

/** Where a batched plan was when its session ended: roughly, so it is only told when it does not happen again. */
interface Suspect {
  readonly asked: number;
  readonly place: number;
  readonly failure: Failure;
}

/**
 * Carries jobs out in sandbox sessions. A probe that hangs, dies or eats its memory takes only itself with it: the session is opened
 * anew and the jobs after it go on, until too many sessions were lost. Plans are batched while all goes well; after the first
 * session that ends, they are reported call by call, so that the one at fault is known.
 */
export class ProbeRunner {
  /** Side effects of every run so far. */
  readonly effects: SideEffects[] = [];
  private readonly readings = new WeakMap<RunEvidence, JobFacts>();
  private session: Promise<SandboxSession> | null = null;
  private lost = 0;
  /** Whether a step after the end ended a session: no run makes one, so only the probes of such steps are left out for it. */
  private lostPastEnd = false;
  /** Whether building under a turn limit of the probe's own ended a session: a file need not be able to, so only such probes are left out for it. */
  private lostUnderLimit = false;
  private batched = true;
  private closed = false;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly source: string,
    private readonly file: string,
    private readonly options: SessionOptions,
    private readonly signal: AbortSignal,
    /** Seeds on which a call hung: nothing more is tried on them, by any runner that shares the set. */
    private readonly hung: Set<number | null> = new Set(),
    /** Whether to look for what importing the file changes elsewhere. */
    private readonly watch = true,
  ) {}

  /** Sessions that hung or died so far. */
  get lostSessions(): number {
    return this.lost;
  }

  /** The open session, opened when there is none. */
  open(): Promise<SandboxSession> {
    return (this.session ??= this.sandbox.open(this.options, this.signal));
  }

  /** Opens a session for later; false where the sandbox gives none. */
  async prepare(): Promise<boolean> {
    try {
      await this.open();
      return true;
    } catch (error) {
      this.session = null;
      if (isCancelled(error) || !(error instanceof SandboxError)) throw error;
      return false;
    }
  }

  /** Makes jobs ready that will be run later. */
  ready(jobs: readonly Job[]): void {
    for (const job of jobs) compileJob(job);
  }

  /**
   * As {@link run}, for jobs of which the first are wanted as soon as they are over: what comes of the `rest` is a second promise. Where
   * a session is lost, both may come together. `meanwhile` is called once the jobs are under way.
   */
  runInTwo(jobs: readonly Job[], rest: readonly Job[], meanwhile: () => void): { first: Promise<JobFacts[]>; rest: Promise<JobFacts[]> } {
    let tell: Soon['tell'] = () => undefined;
    const soon = new Promise<JobFacts[]>((resolve) => (tell = resolve));
    const all = this.run([...jobs, ...rest], meanwhile, { count: jobs.length, tell });
    const later = all.then((facts) => facts.slice(jobs.length));
    later.catch(() => undefined);
    return { first: Promise.race([soon, all.then((facts) => facts.slice(0, jobs.length))]), rest: later };
  }

  /**
   * Facts of each job, in the order asked; every spec has a fact, if only that it was not made. `meanwhile` is called once the jobs
   * are under way. Rejects with a `SandboxError` when no session can be had or the interpreter refuses the source.
   */
  async run(jobs: readonly Job[], meanwhile?: () => void, soon?: Soon): Promise<JobFacts[]> {
    const facts = jobs.map(emptyFacts);
    let pending: Pending[] = jobs.map((job, asked) => ({ asked, job, places: job.specs.map((_, at) => at) }));
    let suspect: Suspect | null = null;
    while (pending.length > 0 && this.lost < MAX_LOST && !this.closed) {
      this.signal.throwIfAborted();
      pending = pending.flatMap((item) => this.withoutHung(item));
      if (pending.length === 0) break;
      const { batched } = this;
      const compiled = pending.map(({ job }) => compileJob(job));
      const session = await this.open();
      const runs = compiled.map(({ run }, at) => ({ ...run, id: String(at), ...(at + 1 === soon?.count && { atOnce: true }) }));
      const onRuns = batched && soon !== undefined ? this.teller(compiled, soon) : undefined;
      const made = session.plan(this.source, this.file, { runs, batched, watch: this.watch }, this.signal, onRuns);
      meanwhile?.();
      meanwhile = undefined;
      soon = undefined;
      const outcome = await made;
      this.effects.push(...outcome.runs.map(({ effects }) => effects));
      if (outcome.end !== null) {
        this.session = null;
        this.batched = false;
        if (batched) suspect = suspectOf(outcome.end, pending, compiled);
        else this.lost += 1;
      }
      pending = this.collect(batched ? { ...outcome, runs: outcome.runs.filter(({ complete }) => complete), end: null } : outcome, pending, compiled, facts);
    }
    this.tellSuspect(suspect, facts);
    return jobs.map((job, at) => this.complete(job, facts[at]!));
  }

  /** Reads the first jobs once their runs have all come in, and tells of them. */
  private teller(compiled: readonly CompiledJob[], { count, tell }: Soon): (complete: readonly RunEvidence[]) => void {
    let told = false;
    return (complete) => {
      if (told || complete.length < count) return;
      told = true;
      tell(compiled.slice(0, count).map((job, at) => this.complete(job.job, this.read(job, complete[at]!).facts)));
    };
  }

  /** What a whole run says of its job, read once. */
  private read(job: CompiledJob, run: RunEvidence): JobFacts {
    const known = this.readings.get(run) ?? readJob(job, run, null);
    this.readings.set(run, known);
    return known;
  }

  /** Ends the session for good: what is being made is given up. */
  async close(): Promise<void> {
    this.closed = true;
    await this.rest();
  }

  /** Ends the session; the next jobs open another one. */
  async rest(): Promise<void> {
    const session = this.session;
    this.session = null;
    await (await session?.catch(() => null))?.close();
  }

  /** What ended a batched session and did not happen again is told of the probe that was in progress. */
  private tellSuspect(suspect: Suspect | null, facts: readonly (EpisodeFact | OpeningsFact | undefined)[][]): void {
    if (suspect === null || this.lost > 0) return;
    const fact = facts[suspect.asked]?.[suspect.place];
    if (fact !== undefined && fact.failure === null) facts[suspect.asked]![suspect.place] = { ...fact, failure: suspect.failure };
  }

  /** Reads the evidence into `facts`; gives the jobs that are still to be made. */
  private collect(
    outcome: PlanOutcome, pending: readonly Pending[], compiled: readonly CompiledJob[], facts: readonly (EpisodeFact | OpeningsFact | undefined)[][],
  ): Pending[] {
    const evidence = new Map<string, RunEvidence>(outcome.runs.map((run) => [run.id, run]));
    const left: Pending[] = [];
    pending.forEach((item, at) => {
      const job = compiled[at]!;
      const run = evidence.get(String(at));
      const stopped = outcome.end?.run === String(at) ? outcome.end : null;
      if (run === undefined && stopped === null) {
        left.push(item);
        return;
      }
      const failure: Failure | null = stopped && failureOf(stopped, job);
      const read = run !== undefined && stopped === null ? this.read(job, run) : readJob(job, run, failure && stopped && { op: stopped.op, failure });
      if (failure?.kind === 'ended') this.learn(failure, item.job, read, job.placed[stopped!.op]?.spec ?? 0);
      const again: number[] = [];
      read.facts.forEach((fact, spec) => {
        if (fact === undefined) again.push(spec);
        else facts[item.asked]![item.places[spec]!] = fact;
      });
      if (again.length > 0) left.push({ asked: item.asked, places: again.map((spec) => item.places[spec]!), job: without(item.job, again) });
    });
    return left;
  }

  /** What is not tried any more after a probe that ended its session. */
  private learn({ where, reason }: Failure & { kind: 'ended' }, { specs }: Job, read: JobFacts, at: number): void {
    const fact = read.kind === 'episodes' ? read.facts[at] : undefined;
    if (fact?.spec.maxTurns !== undefined && (where === 'load' || where === 'reset')) this.lostUnderLimit = true;
    else if (fact?.spec.purpose === 'after-end' && fact.turns.some(hasEnded)) this.lostPastEnd = true;
    else if (['reset', 'step', 'tool'].includes(where) && reason === 'time') this.hung.add(specs[at]!.seed);
  }

  private withoutHung(item: Pending): Pending[] {
    if ((this.hung.size === 0 && !this.lostPastEnd && !this.lostUnderLimit) || item.job.specs.length === 0) return [item];
    const isLost = (spec: Job['specs'][number]): boolean => (
      this.hung.has(spec.seed) || (this.lostPastEnd && spec.purpose === 'after-end') || (this.lostUnderLimit && 'maxTurns' in spec && spec.maxTurns !== undefined)
    );
    const keep = item.job.specs.flatMap((spec, at) => (isLost(spec) ? [] : [at]));
    if (keep.length === item.places.length) return [item];
    return keep.length === 0 ? [] : [{ asked: item.asked, places: keep.map((at) => item.places[at]!), job: without(item.job, keep) }];
  }

  private complete(job: Job, found: readonly (EpisodeFact | OpeningsFact | undefined)[]): JobFacts {
    const failure: Failure = { kind: 'not-made', why: 'lost' };
    if (job.kind === 'episodes') {
      return {
        kind: 'episodes',
        facts: job.specs.map((spec, at) => (found[at] as EpisodeFact | undefined)
          ?? { spec, load: null, maxTurns: null, reset: null, atReset: nothing, turns: [], atEnd: nothing, earlier: null, company: null, failure }),
      };
    }
    return {
      kind: 'openings',
      facts: job.specs.map(({ purpose, seed }, at) => (found[at] as OpeningsFact | undefined) ?? { purpose, seed, openings: [], failure }),
    };
  }
}
