import { episodeKey, startArms, type ArmsOptions, type ArmsPlay } from '../../core/play/arms';
import type { PlayEvent } from '../../core/play/events';
import type { ArmName, PlayReport } from '../../shared/play';
import type { EpisodeRef, StreamItem } from '../../shared/webviewProtocol';
import { EpisodeBoard, type BoardPlan } from './episodeBoard';

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

/** One set of plays of one text of a file, from its start on; kept for as long as the player shows it. */
export class PlaySession {
  readonly board: EpisodeBoard;
  private play: ArmsPlay;
  private stopper = new AbortController();
  private counts = { total: 0, done: 0, failed: 0, running: 0, tokens: 0 };
  private readonly startedMs: number;
  private endedMs: number | null = null;

  constructor(
    readonly options: ArmsOptions,
    private readonly listener: SessionListener,
  ) {
    this.startedMs = options.clock.now();
    this.play = startArms(options, (event) => this.take(event), this.stopper.signal);
    this.board = new EpisodeBoard(boardPlan(this.play, options));
    this.counts.total = this.play.plan.order.length;
  }

  /** Resolves with the report when every episode has ended, also when they were stopped. */
  async result(): Promise<PlayReport> {
    try {
      return await this.play.result;
    } finally {
      this.endedMs = this.options.clock.now();
      this.board.close();
    }
  }

  get progress(): SessionProgress {
    return { ...this.counts, elapsedMs: (this.endedMs ?? this.options.clock.now()) - this.startedMs };
  }

  /** Ends all episodes, or one. */
  stop(episode: EpisodeRef | null): void {
    if (!episode) return this.stopper.abort();
    const ref = this.play.plan.order.find(({ arm, slot }) => arm === episode.arm && slot === episode.slot);
    if (ref) this.play.cancel(ref);
  }

  /** Plays the failed episodes again; the others are kept. */
  retry(): Promise<PlayReport> {
    const failed = this.board.failed();
    const isFailed = (arm: ArmName, slot: number) => failed.some((other) => other.arm === arm && other.slot === slot);
    const resume = new Map(
      this.play.plan.order.flatMap((ref) => {
        const episode = isFailed(ref.arm, ref.slot) ? undefined : this.board.episode(ref.arm, ref.slot);
        return episode ? [[episodeKey(ref), episode] as const] : [];
      }),
    );
    this.board.requeue(failed);
    this.stopper = new AbortController();
    this.endedMs = null;
    this.play = startArms({ ...this.options, resume }, (event) => this.take(event), this.stopper.signal);
    return this.result();
  }

  private take(event: PlayEvent): void {
    if (event.type === 'progress') this.counts = { total: event.total, done: event.done, failed: event.failed, running: event.running, tokens: event.tokens };
    const item = this.board.apply(event);
    if (item) this.listener.streamed(item);
    if (event.type === 'started' || event.type === 'ended') this.listener.replaced({ arm: event.ref.arm, slot: event.ref.slot });
    if (event.type === 'started' || event.type === 'ended' || event.type === 'step' || event.type === 'progress') this.listener.changed();
  }
}

function boardPlan({ plan }: ArmsPlay, { hint, mode }: ArmsOptions): BoardPlan {
  const of = (arm: ArmName) => plan.order.filter((ref) => ref.arm === arm).sort((a, b) => a.slot - b.slot).map(({ seed, play }) => ({ seed, play }));
  return { noHint: of('noHint'), hintText: hint, isPaired: mode === 'paired', ...(hint !== null && { hint: of('hint') }) };
}
