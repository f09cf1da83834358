import type { ArmName, Episode, EpisodeStep, PlayReport } from '../../shared/play';
import type { BlendWeights } from '../value/designer';
import { untilAborted } from '../abort';
import type { Clock, Sandbox, SandboxProvider, SessionLimits } from '../ports';
import { DEFAULT_BUDGET, playEpisode, type EpisodeOptions } from './episode';
import type { EpisodeRef, PlayEvent } from './events';
import { openInstance, type PlayedFile } from './instance';
import { episodeOf, isFailed, isRetried } from './outcome';
import type { Policy } from './policy';
import { planPaired, planAsRun, type ArmPlan } from './plan';
import { reportOf } from './report';

/** Plays of each arm as the games launchers make them (run contract §5). */
const AS_RUN = { hintPlays: 16, noHintPlays: 8, drawSeed: 0 } as const;

/** What is to be played. */
export interface ArmsOptions {
  readonly file: PlayedFile;
  readonly sandbox: SandboxProvider;
  readonly policy: Policy;
  /** Null plays the arm without a hint alone. */
  readonly hint: string | null;
  readonly simulatedHint?: boolean;
  readonly mode: PlayReport['mode'];
  /** Instances of paired mode, and plays of each. */
  readonly seeds: readonly number[];
  readonly plays: number;
  /** Plays of each arm in mode `as-run`, and the seed that its seeds are drawn with. */
  readonly asRun?: { readonly hintPlays: number; readonly noHintPlays: number; readonly drawSeed: number };
  /** Replies an episode may have; default 25. */
  readonly maxTurns?: number;
  /** The run's thinking setting. */
  readonly thinking?: boolean;
  /** Records which lines ran in every step. */
  readonly trace?: boolean;
  /** Episodes at the same time; default 4. */
  readonly concurrency?: number;
  readonly limits?: Partial<SessionLimits>;
  readonly weights?: BlendWeights;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives what environments print. */
  readonly onLog?: (text: string) => void;
  /** Episodes of an earlier, unfinished set by {@link episodeKey}: they are not played again. */
  readonly resume?: ReadonlyMap<string, Episode>;
  /** What to play, where that is not what `mode`, `seeds` and `plays` say. */
  readonly plan?: ArmPlan;
}

/** The episodes that options ask for. */
export function armPlan({ plan, mode, seeds, plays, hint, asRun = AS_RUN }: Pick<ArmsOptions, 'plan' | 'mode' | 'seeds' | 'plays' | 'hint' | 'asRun'>): ArmPlan {
  return plan ?? (mode === 'paired' ? planPaired(seeds, plays, hint !== null) : planAsRun(asRun, hint !== null));
}

/** A set of plays that is under way. */
export interface ArmsPlay {
  readonly plan: ArmPlan;
  /** Resolves when all episodes have ended, also when they were cancelled; rejects when no sandbox can be had. */
  readonly result: Promise<PlayReport>;
  /** The report of what has ended so far. */
  report(): PlayReport;
  /** Ends one episode, running or queued; it is kept as cancelled. */
  cancel(ref: EpisodeRef): void;
}

/** Names an episode within a set of plays. */
export function episodeKey({ arm, slot, seed, play }: EpisodeRef): string {
  return `${arm} ${slot} ${seed ?? 'unseeded'} ${play}`;
}

/**
 * Plays both arms, a number of episodes at the same time: on the same instances (`paired`), or as the run samples them
 * (run contract §5). Aborting `signal` cancels what is running; what was not begun is left out of the report.
 */
export function startArms(options: ArmsOptions, emit: (event: PlayEvent) => void, signal: AbortSignal): ArmsPlay {
  const play = new Arms(options, emit, signal);
  return { plan: play.plan, result: play.run(), report: () => play.report(), cancel: (ref) => play.cancel(ref) };
}

class Arms {
  readonly plan: ArmPlan;
  private readonly ended = new Map<string, Episode>();
  private readonly running = new Map<string, AbortController>();
  private solutions: Promise<readonly string[]> | null = null;
  private tokens = 0;

  constructor(
    private readonly options: ArmsOptions,
    private readonly listener: (event: PlayEvent) => void,
    private readonly signal: AbortSignal,
  ) {
    this.plan = armPlan(options);
    for (const ref of this.plan.order) {
      const known = options.resume?.get(episodeKey(ref));
      if (known && known.status !== 'cancelled') this.ended.set(episodeKey(ref), known);
    }
  }

  async run(): Promise<PlayReport> {
    const queue = this.plan.order.filter((ref) => !this.ended.has(episodeKey(ref)));
    if (queue.length === 0) return this.report();
    const sandbox = await this.options.sandbox.get(this.signal);
    const stop = () => this.stop();
    this.signal.addEventListener('abort', stop, { once: true });
    const workers = Array.from({ length: Math.min(this.options.concurrency ?? 4, queue.length) }, () => this.work(queue, sandbox));
    try {
      await Promise.all(workers);
    } catch (error) {
      queue.length = 0;
      this.stop();
      await Promise.allSettled(workers);
      throw error;
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
    return this.report();
  }

  private stop(): void {
    for (const own of this.running.values()) own.abort();
  }

  report(): PlayReport {
    const { file, policy, mode, hint, simulatedHint = false, weights } = this.options;
    const of = (arm: ArmName) => this.plan.order.flatMap((ref) => (ref.arm === arm ? (this.ended.get(episodeKey(ref)) ?? []) : []));
    return reportOf({
      file: file.name, policy, mode, hint, simulatedHint, episodes: { noHint: of('noHint'), hint: of('hint') }, ...(weights && { weights }),
    });
  }

  cancel(ref: EpisodeRef): void {
    const key = episodeKey(ref);
    const running = this.running.get(key);
    if (running) return running.abort();
    if (this.ended.has(key)) return;
    this.end(ref, episodeOf({ seed: ref.seed, steps: [] as EpisodeStep[], finalObservation: '', status: 'cancelled', error: null }));
  }

  private async work(queue: EpisodeRef[], sandbox: Sandbox): Promise<void> {
    for (let ref = queue.shift(); ref && !this.signal.aborted; ref = queue.shift()) {
      // One that was cancelled while it waited has ended already.
      if (!this.ended.has(episodeKey(ref))) this.end(ref, await this.episode(ref, sandbox));
    }
  }

  private end(ref: EpisodeRef, episode: Episode): void {
    this.ended.set(episodeKey(ref), episode);
    this.listener({ type: 'ended', ref, episode });
    this.progress();
  }

  /** One episode, and once more when it failed in a way that the run would retry. */
  private async episode(ref: EpisodeRef, sandbox: Sandbox): Promise<Episode> {
    const key = episodeKey(ref);
    const own = new AbortController();
    this.running.set(key, own);
    try {
      let episode = await this.attempt(ref, 0, sandbox, own.signal);
      if (isRetried(episode)) episode = await this.attempt(ref, 1, sandbox, own.signal);
      return episode;
    } finally {
      this.running.delete(key);
    }
  }

  private attempt(ref: EpisodeRef, attempt: number, sandbox: Sandbox, signal: AbortSignal): Promise<Episode> {
    this.listener({ type: 'started', ref, attempt });
    this.progress();
    return playEpisode(this.episodeOptions(ref, sandbox), ref, (event) => {
      if (event.type === 'step') this.tokens += event.detail.tokens ?? 0;
      this.listener(event);
    }, signal);
  }

  private episodeOptions(ref: EpisodeRef, sandbox: Sandbox): EpisodeOptions {
    const { file, policy, hint, mode, maxTurns = DEFAULT_BUDGET, thinking = false, trace = false, clock, limits, onLog } = this.options;
    return {
      file, policy, sandbox, maxTurns, thinking, trace, clock,
      hint: ref.arm === 'hint' ? hint : null,
      warmReset: mode === 'as-run',
      followRun: mode === 'as-run',
      otherSolutions: (signal) => untilAborted(this.otherSolutions(sandbox), signal),
      ...(limits && { limits }),
      ...(onLog && { onLog }),
    };
  }

  /** Found once for all episodes: they end with the set of plays and not with the episode that asked first. */
  private otherSolutions(sandbox: Sandbox): Promise<readonly string[]> {
    const { file, maxTurns = DEFAULT_BUDGET } = this.options;
    this.solutions ??= solutionsOf(sandbox, file, maxTurns, this.signal);
    this.solutions.catch(() => (this.solutions = null));
    return this.solutions;
  }

  private progress(): void {
    const episodes = [...this.ended.values()];
    const { length: total } = this.plan.order;
    this.listener({ type: 'progress', done: episodes.length, failed: episodes.filter(isFailed).length, running: this.running.size, total, tokens: this.tokens });
  }
}

/** Solutions of the first 32 seeds: the values that an answer may take. Empty when the environment gives none. */
async function solutionsOf(sandbox: Sandbox, file: PlayedFile, maxTurns: number, signal: AbortSignal): Promise<readonly string[]> {
  const { session, loaded } = await openInstance(sandbox, file, { maxTurns }, signal);
  const found: string[] = [];
  try {
    for (let seed = 0; seed < 32 && loaded.hasSolution; seed += 1) {
      await session.reset(seed, signal);
      found.push((await session.solution(signal)).text.text);
    }
    return found;
  } finally {
    session.kill();
  }
}
