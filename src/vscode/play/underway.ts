import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { PlayReport } from '../../shared/play';
import type { PlayerState } from '../../shared/webviewProtocol';
import { requireTrust } from '../trust';

/** Whether plays of a file are under way: one set at a time, from its preparation to its report. */
export class Underway {
  private starting = new AbortController();
  private current: PlayerState['phase'] = 'idle';
  private outcome: Promise<PlayReport> | undefined;

  constructor(private readonly changed: () => void) {}

  get phase(): PlayerState['phase'] {
    return this.current;
  }

  /** @throws EnvwrightError while plays are under way. */
  mustBeIdle(): void {
    if (this.current !== 'idle') throw new EnvwrightError('play/running', message('Plays of this file are running.'), message('Stop them first.'));
  }

  /** Prepares plays and lets them run; resolves when they do, rejects when they cannot. `play` gives the report of what `prepare` made. */
  async begin<T>(prepare: (signal: AbortSignal) => Promise<T>, play: (prepared: T) => Promise<PlayReport>): Promise<void> {
    requireTrust();
    this.mustBeIdle();
    this.starting = new AbortController();
    this.to('running');
    try {
      const prepared = await prepare(this.starting.signal);
      this.outcome = play(prepared).finally(() => this.to('idle'));
      // Whoever waits for the report is told; `play` itself shows a failure to the others.
      this.outcome.catch(() => undefined);
    } catch (error) {
      this.to('idle');
      throw error;
    }
  }

  /** The report of the plays that run, or ran last. */
  whenPlayed(): Promise<PlayReport> {
    if (!this.outcome) throw new Error('The plays did not begin.');
    return this.outcome;
  }

  /** Ends a preparation, and says that what runs is being stopped. */
  stop(): void {
    this.starting.abort();
    if (this.current !== 'idle') this.to('stopping');
  }

  private to(phase: PlayerState['phase']): void {
    this.current = phase;
    this.changed();
  }
}
