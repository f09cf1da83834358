import type { Profile } from '../../../shared/findings';
import type { HostError, SideEffects } from '../../../shared/hostProtocol';
import type { PythonFile } from '../../environment/pythonFile';
import type { Sandbox, SessionLimits, SessionOptions } from '../../ports';
import { SandboxError } from '../../sandboxError';
import { FIRST_ROUND, REPLAYS, secondHashRound, secondRound, thirdRound } from './battery';
import { seedsThatDiffer } from './difference';
import type { EpisodeFact, OpeningsFact, ProbeFacts } from './facts';
import { OtherHash } from './otherHash';
import type { JobFacts } from './plan';
import { playedInTwo } from './played';
import { profileOf } from './profile';
import { of } from './query';
import { ProbeRunner } from './runner';
import { TraceBook } from './trace';

/**
 * Longest time one call may take, milliseconds. The run gives a whole validation 60 s for about a dozen calls (run
 * contract §2.8), so a call that takes longer than this may fail it.
 */
const CALL_MS = 5000;
/** Hash seeds of the two processes that are compared. */
const MAIN_HASH_SEED = 0;
const OTHER_HASH_SEED = 1;

/** What is probed, and how. */
export interface ProbeInput {
  readonly sandbox: Sandbox;
  readonly text: string;
  /** The same as read: asked for once the interpreter is at work, so that both go on together. */
  readonly file: () => PythonFile;
  /** Name for tracebacks. */
  readonly name: string;
  /** The profile that the user or provenance gives; null to go by the episodes. */
  readonly profile: Profile | null;
  readonly limits?: Partial<SessionLimits>;
}

/** The facts of a file, or why the interpreter cannot compile it. */
export type Probed =
  | { readonly kind: 'not-compiled'; readonly error: HostError; readonly python: string }
  | { readonly kind: 'facts'; readonly facts: ProbeFacts };

function mergedEffects(all: readonly SideEffects[]): SideEffects {
  const audits = new Map(all.flatMap((effects) => effects.audits).map((audit) => [JSON.stringify(audit), audit]));
  return {
    printed: all.reduce((sum, { printed }) => sum + printed, 0),
    printLines: [...new Set(all.flatMap(({ printLines }) => printLines))].sort((a, b) => a - b),
    audits: [...audits.values()],
    globalChanges: [...new Set(all.flatMap(({ globalChanges }) => globalChanges))],
  };
}

/** Facts that grow with each round. */
class Growing {
  readonly episodes: EpisodeFact[] = [];
  readonly openings: OpeningsFact[] = [];

  constructor(private readonly read: () => PythonFile) {}

  get file(): PythonFile {
    return this.read();
  }

  get load(): ProbeFacts['load'] {
    return of(this, 'loader')[0]?.load ?? null;
  }

  get loadError(): HostError | null {
    const failure = of(this, 'loader')[0]?.failure;
    return failure?.kind === 'raised' && failure.where === 'load' ? failure.error : null;
  }

  add(jobs: readonly JobFacts[]): void {
    for (const job of jobs) {
      if (job.kind === 'episodes') this.episodes.push(...job.facts.filter((fact) => fact !== undefined));
      else this.openings.push(...job.facts.filter((fact) => fact !== undefined));
    }
  }
}

/** Whether importing has taken all the time that it may. */
const outOfTime = (episodes: readonly EpisodeFact[]): boolean => episodes.some(({ failure }) => failure?.kind === 'not-made' && failure.why === 'imports');

/** A judgement of facts that asks for the lines of steps as it goes. */
export type Judge<T> = (facts: ProbeFacts) => T;

/**
 * Probes a file in two processes, or three where a processor is free for one more, in rounds, and has the facts judged: once to learn which
 * steps must be traced for their lines, and once more with them. Rejects with a `SandboxError` when no session can be had, and with an
 * `AbortError` when the signal aborts.
 */
export async function probeFile<T>(input: ProbeInput, judge: Judge<T>, signal: AbortSignal): Promise<(Probed & { kind: 'not-compiled' }) | { kind: 'facts'; facts: ProbeFacts; judged: T }> {
  const { sandbox, text, name } = input;
  const callMs = input.limits?.callMs ?? CALL_MS;
  const limits = { ...input.limits, callMs };
  const hung = new Set<number | null>();
  const runnerOf = (hashSeed: number, unless?: SessionOptions['unless']): ProbeRunner => (
    new ProbeRunner(sandbox, text, name, { hashSeed, limits, ...(unless && { unless }) }, signal, hung, hashSeed === MAIN_HASH_SEED && unless === undefined)
  );
  const [main, helper] = [runnerOf(MAIN_HASH_SEED), runnerOf(MAIN_HASH_SEED, 'crowded')];
  // The main session comes first, since without one nothing can be said; what fails is told when it is used.
  void main.open().catch(() => undefined);
  const other = new OtherHash((unless) => runnerOf(OTHER_HASH_SEED, unless));
  try {
    const { first, rest } = main.runInTwo(FIRST_ROUND, REPLAYS, () => void input.file());
    const known = new Growing(input.file);
    try {
      known.add(await first);
    } catch (error) {
      if (error instanceof SandboxError && error.raised?.code === 'syntax') return { kind: 'not-compiled', error: error.raised, python: sandbox.python };
      throw error;
    }
    if (known.load === null) known.add(await rest);
    else {
      // The other process would wait for nothing, and there is less to do at once now than later.
      if (main.lostSessions === 0 && !known.load.toolUse && !outOfTime(known.episodes)) other.compare(secondHashRound(known));
      const round = secondRound(known);
      main.ready(round.jobs);
      const replays = await rest;
      const playing = playedInTwo(main, helper, round);
      known.add(replays);
      known.add(await playing);
      known.add(await main.run(thirdRound(seedsThatDiffer(known))));
    }
    known.add(await other.facts(main));
    const lines = new TraceBook();
    const facts: ProbeFacts = {
      file: known.file, profile: input.profile, load: known.load, loadError: known.loadError, episodes: known.episodes, openings: known.openings,
      importEffects: main.effects[0] ?? null, effects: mergedEffects([...main.effects, ...helper.effects]), python: sandbox.python, callMs, lines,
    };
    const profiled: ProbeFacts = { ...facts, profile: input.profile ?? profileOf(facts) };
    const judged = judge(profiled);
    const traces = lines.jobs();
    if (traces.length === 0) return { kind: 'facts', facts: profiled, judged };
    lines.learn(await main.run(traces));
    return { kind: 'facts', facts: profiled, judged: judge(profiled) };
  } finally {
    // They are ended at once; that they have ended is nothing to wait for.
    for (const runner of [main, other, helper]) runner.close().catch(() => undefined);
  }
}
