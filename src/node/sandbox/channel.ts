import type { SessionEnd } from '../../core/ports';

/** What a session does with what comes from its host. */
export interface ChannelListener {
  /** A frame, parsed as JSON and not yet checked. */
  frame(value: unknown): void;
  /** The request that was sent last has reached a host that works on it now; said only by a channel that queues. */
  started?(): void;
  /** The host of this session is gone; called once, after the last frame. */
  end(end: SessionEnd): void;
}

/**
 * The way to the host of one session. A backend makes it; {@link HostSession} speaks the protocol over it. What comes
 * before `listen` is kept and handed over then.
 */
export interface Channel {
  /** True when requests wait for a host that is busy: the clock of a call then runs from {@link ChannelListener.started}. */
  readonly queues?: boolean;
  listen(listener: ChannelListener): void;
  /**
   * Sends one request, whose host should look for the next one for `lookUs` microseconds after its reply before it sleeps (see `Vigil`).
   * Throws only on a request that is too long: a channel that is gone has said so by `end`.
   */
  send(request: object, lookUs: number): void;
  /** Ends the session's process or worker at once. `end` follows with the reason `killed`. */
  kill(): void;
}
