import type { EpisodeRef, PlayEvent, StepDetail } from './events';
import { episodeKey } from './arms';
import type { ArmPlan } from './plan';
import type { SessionWriter } from './sessionFiles';

/** Saves a set of plays as its events come: every episode when it ends. What cannot be written is told once, and the plays go on. */
export class SessionRecorder {
  private readonly details = new Map<string, StepDetail[]>();
  private knowsFile = false;
  private failed = false;

  /** @param onFailure gets the first error of the disk; nothing is written after it, so that no session has a gap. */
  constructor(private readonly writer: SessionWriter, private readonly onFailure: (error: unknown) => void) {}

  take(event: PlayEvent): void {
    switch (event.type) {
      case 'loaded':
        if (this.knowsFile) return;
        this.knowsFile = true;
        return this.write((writer) => writer.loaded({ toolUse: event.toolUse, tools: [...event.tools] }));
      case 'started':
        this.details.set(episodeKey(event.ref), []);
        return;
      case 'step':
        this.details.get(episodeKey(event.ref))?.push(event.detail);
        return;
      case 'ended':
        return this.ended(event.ref, event.episode);
      default:
    }
  }

  /** More is to be played than was planned. */
  plan(plan: ArmPlan): void {
    this.write((writer) => writer.plan(plan));
  }

  /** The plays are over; resolves when everything is written, or could not be. */
  async end(at: number, elapsedMs: number): Promise<void> {
    if (this.failed) return;
    await this.writer.end(at, elapsedMs).catch((error: unknown) => this.fail(error));
  }

  private ended(ref: EpisodeRef, episode: Extract<PlayEvent, { type: 'ended' }>['episode']): void {
    const details = this.details.get(episodeKey(ref)) ?? [];
    this.details.delete(episodeKey(ref));
    this.write((writer) => writer.episode({ ref, episode, details }));
  }

  private write(work: (writer: SessionWriter) => Promise<void>): void {
    if (!this.failed) void work(this.writer).catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.onFailure(error);
  }
}
