import { armPlan, episodeKey, startArms, type ArmsOptions, type ArmsPlay } from '../../core/play/arms';
import type { EpisodeRef as PlayedRef, PlayEvent } from '../../core/play/events';
import { extendedPlan, type ArmPlan } from '../../core/play/plan';
import type { SessionRecorder } from '../../core/play/recorder';
import { reportOfSession, type LoadedFacts, type SavedSession, type SessionHeader } from '../../core/play/sessionRecord';
import type { ArmName, PlayReport } from '../../shared/play';
import type { EpisodeRef, StreamItem } from '../../shared/webviewProtocol';
import { boardPlan, EpisodeBoard } from './episodeBoard';

/** What happens in a session, for the panel that shows it. */
export interface SessionListener {
  changed(): void;
  streamed(item: StreamItem): void;
  replaced(at: { readonly arm: ArmName; readonly slot: number }): void;
}

/** How far a session is. Times in milliseconds. */
export interface SessionProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  readonly tokens: number;
  readonly elapsedMs: number;
}

/** One set of plays of one text of a file, from its start on or as it was saved; kept for as long as the player shows it. */
export class PlaySession {
  readonly board: EpisodeBoard;
  private plan: ArmPlan;
  private play: ArmsPlay | null = null;
  private stopper = new AbortController();
  private counts: Omit<SessionProgress, 'elapsedMs'>;
  private loaded: LoadedFacts | null;
  private elapsedMs: number;
  private startedMs: number | null = null;

  /** @param recorder saves what is played; null where that cannot be. @param saved what was played before. */
  constructor(
    readonly options: ArmsOptions,
    readonly header: SessionHeader,
    private readonly listener: SessionListener,
    private readonly recorder: SessionRecorder | null,
    readonly saved: SavedSession | null = null,
  ) {
    this.plan = saved?.plan ?? armPlan(options);
    this.board = new EpisodeBoard(boardPlan(this.plan, options.hint, options.mode));
    this.loaded = saved?.loaded ?? null;
    this.elapsedMs = saved?.elapsedMs ?? 0;
    for (const episode of saved?.episodes.values() ?? []) this.board.restore(episode);
    const tokens = [...(saved?.episodes.values() ?? [])].flatMap(({ details }) => details.map((detail) => detail.tokens ?? 0)).reduce((a, b) => a + b, 0);
    this.counts = { total: this.plan.order.length, done: this.plan.order.length - this.board.unfinished().length, failed: this.board.failed().length, running: 0, tokens };
    if (saved) this.board.close();
  }

  /** Plays what was not played to an end; resolves with the report of all when that has ended, also when it was stopped. */
  async run(): Promise<PlayReport> {
    const { clock } = this.options;
    this.board.requeue(this.board.unfinished());
    const resume = new Map(this.board.saved().map(({ ref, episode }) => [episodeKey(ref), episode]));
    const before = this.counts.tokens;
    this.stopper = new AbortController();
    this.startedMs = clock.now();
    this.play = startArms({ ...this.options, plan: this.plan, resume }, (event) => this.take(event, before), this.stopper.signal);
    try {
      await this.play.result;
    } finally {
      const took = clock.now() - this.startedMs;
      this.elapsedMs += took;
      this.startedMs = null;
      this.board.close();
      await this.recorder?.end(clock.now(), took);
    }
    return this.report();
  }

  /** Adds seeds to what is planned; {@link run} plays them. */
  extend(more: number): void {
    const { mode, plays } = this.options;
    this.plan = extendedPlan(this.plan, { mode, plays }, more);
    this.board.grow(boardPlan(this.plan, this.options.hint, mode));
    this.recorder?.plan(this.plan);
  }

  /** Puts the failed episodes back to be played again by {@link run}. */
  requeueFailed(): void {
    this.board.requeue(this.board.failed());
  }

  get progress(): SessionProgress {
    return { ...this.counts, elapsedMs: this.elapsedMs + (this.startedMs === null ? 0 : this.options.clock.now() - this.startedMs) };
  }

  /** Ends all episodes, or one. */
  stop(episode: EpisodeRef | null): void {
    if (!episode) return this.stopper.abort();
    const ref = this.refOf(episode);
    if (ref) this.play?.cancel(ref);
  }

  refOf({ arm, slot }: EpisodeRef): PlayedRef | undefined {
    return this.plan.order.find((ref) => ref.arm === arm && ref.slot === slot);
  }

  /** The session as a file would give it. */
  snapshot(): SavedSession {
    const { header, plan, loaded, elapsedMs } = this;
    return { header, plan, loaded, elapsedMs, damaged: this.saved?.damaged ?? [], episodes: new Map(this.board.saved().map((saved) => [episodeKey(saved.ref), saved])) };
  }

  report(): PlayReport {
    return reportOfSession(this.snapshot(), this.options.weights);
  }

  private take(event: PlayEvent, tokensBefore: number): void {
    this.recorder?.take(event);
    if (event.type === 'loaded') this.loaded ??= { toolUse: event.toolUse, tools: event.tools };
    if (event.type === 'progress') {
      this.counts = { total: event.total, done: event.done, failed: event.failed, running: event.running, tokens: tokensBefore + event.tokens };
    }
    const item = this.board.apply(event);
    if (item) this.listener.streamed(item);
    if (event.type === 'started' || event.type === 'ended') this.listener.replaced({ arm: event.ref.arm, slot: event.ref.slot });
    if (event.type === 'started' || event.type === 'ended' || event.type === 'step' || event.type === 'progress') this.listener.changed();
  }
}
