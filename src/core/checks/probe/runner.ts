import type { RunEvidence, SideEffects } from '../../../shared/hostProtocol';
import type { PlanOutcome, Sandbox, SandboxSession, SessionOptions } from '../../ports';
import type { EpisodeFact, Failure, OpeningsFact } from './facts';
import { compileJob, readJob, whereOf, type CompiledJob, type Job, type JobFacts } from './plan';

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

const nothing = { snapshot: null, solution: null, solutionError: null, criteria: null };

/**
 * Carries jobs out in sandbox sessions. A probe that hangs, dies or eats its memory takes only itself with it: the session is opened
 * anew and the jobs after it go on, until too many sessions were lost.
 */
export class ProbeRunner {
  /** Side effects of every run so far. */
  readonly effects: SideEffects[] = [];
  /** Seeds on which `reset` hung: nothing more is tried on them. */
  private readonly hung = new Set<number | null>();
  private session: SandboxSession | null = null;
  private lost = 0;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly source: string,
    private readonly file: string,
    private readonly options: SessionOptions,
    private readonly signal: AbortSignal,
  ) {}

  /** Sessions that hung or died so far. */
  get lostSessions(): number {
    return this.lost;
  }

  /** The open session, opened when there is none. */
  async open(): Promise<SandboxSession> {
    this.session ??= await this.sandbox.open(this.options, this.signal);
    return this.session;
  }

  /** Facts of each job, in the order asked; every spec has a fact, if only that it was not made. */
  async run(jobs: readonly Job[]): Promise<JobFacts[]> {
    const facts = jobs.map(emptyFacts);
    let pending: Pending[] = jobs.map((job, asked) => ({ asked, job, places: job.specs.map((_, at) => at) }));
    while (pending.length > 0 && this.lost < MAX_LOST) {
      this.signal.throwIfAborted();
      pending = pending.flatMap((item) => this.withoutHung(item));
      if (pending.length === 0) break;
      const compiled = pending.map(({ job }, at) => compileJob(job, String(at)));
      const session = await this.open();
      const outcome = await session.plan(this.source, this.file, { runs: compiled.map(({ run }) => run) }, this.signal);
      this.effects.push(...outcome.runs.map(({ effects }) => effects));
      const left = this.collect(outcome, pending, compiled, facts);
      if (outcome.end !== null) {
        this.session = null;
        this.lost += 1;
      }
      pending = left;
    }
    return jobs.map((job, at) => this.complete(job, facts[at]!));
  }

  /** Ends the session. */
  async close(): Promise<void> {
    const session = this.session;
    this.session = null;
    await session?.close();
  }

  /** Reads the evidence into `facts`; gives the jobs that are still to be made. */
  private collect(
    outcome: PlanOutcome, pending: readonly Pending[], compiled: readonly CompiledJob[], facts: readonly (EpisodeFact | OpeningsFact | undefined)[][],
  ): Pending[] {
    const evidence = new Map<string, RunEvidence>(outcome.runs.map((run) => [run.id, run]));
    const left: Pending[] = [];
    pending.forEach((item, at) => {
      const job = compiled[at]!;
      const run = evidence.get(job.run.id);
      const stopped = outcome.end?.run === job.run.id ? outcome.end : null;
      if (run === undefined && stopped === null) {
        left.push(item);
        return;
      }
      const failure: Failure | null = stopped && {
        kind: 'ended', where: whereOf(job, stopped.op), reason: ENDS[stopped.reason] ?? 'died', limit: stopped.limit, detail: stopped.detail, action: stopped.action,
      };
      if (failure?.kind === 'ended' && failure.where === 'reset' && failure.reason === 'time') this.hung.add(item.job.specs[job.placed[stopped!.op]!.spec]!.seed);
      const read = readJob(job, run, failure && stopped && { op: stopped.op, failure });
      const again: number[] = [];
      read.facts.forEach((fact, spec) => {
        if (fact === undefined) again.push(spec);
        else facts[item.asked]![item.places[spec]!] = fact;
      });
      if (again.length > 0) left.push({ asked: item.asked, places: again.map((spec) => item.places[spec]!), job: without(item.job, again) });
    });
    return left;
  }

  private withoutHung(item: Pending): Pending[] {
    if (this.hung.size === 0 || item.job.specs.length === 0) return [item];
    const keep = item.job.specs.flatMap(({ seed }, at) => (this.hung.has(seed) ? [] : [at]));
    if (keep.length === item.places.length) return [item];
    return keep.length === 0 ? [] : [{ asked: item.asked, places: keep.map((at) => item.places[at]!), job: without(item.job, keep) }];
  }

  private complete(job: Job, found: readonly (EpisodeFact | OpeningsFact | undefined)[]): JobFacts {
    const failure: Failure = { kind: 'not-made', detail: 'a session hung or died before it' };
    if (job.kind === 'episodes') {
      return {
        kind: 'episodes',
        facts: job.specs.map((spec, at) => (found[at] as EpisodeFact | undefined)
          ?? { spec, load: null, reset: null, atReset: nothing, turns: [], atEnd: nothing, earlier: null, company: null, failure }),
      };
    }
    return {
      kind: 'openings',
      facts: job.specs.map(({ purpose, seed }, at) => (found[at] as OpeningsFact | undefined) ?? { purpose, seed, openings: [], failure }),
    };
  }
}
