import { formatMessage, type Message } from '../shared/message';

/**
 * An error that a person will read. `code` is stable and namespaced (`run/not-a-run-folder`); `what` says what was wrong
 * and where; `next` says what to do. Anything else that is thrown is a defect.
 */
export class EnvwrightError extends Error {
  constructor(
    readonly code: string,
    readonly what: Message,
    readonly next: Message,
    options?: { cause?: unknown },
  ) {
    super(`${formatMessage(what)} ${formatMessage(next)}`, options);
    this.name = 'EnvwrightError';
  }
}

/** True for the error that an aborted signal causes. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
