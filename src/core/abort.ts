const waiting = new WeakMap<AbortSignal, Waiters>();

/** All that wait for one signal. */
class Waiters {
  private readonly listeners = new Set<() => void>();
  private readonly abort = (): void => {
    for (const listener of [...this.listeners]) {
      if (this.listeners.delete(listener)) listener();
    }
  };

  constructor(private readonly signal: AbortSignal) {}

  add(listener: () => void): void {
    if (this.listeners.size === 0) this.signal.addEventListener('abort', this.abort, { once: true });
    this.listeners.add(listener);
  }

  remove(listener: () => void): void {
    if (this.listeners.delete(listener) && this.listeners.size === 0) this.signal.removeEventListener('abort', this.abort);
  }
}

/**
 * Calls `listener` once when the signal aborts, until the function it gives is called. Any number may wait for one signal,
 * as the files of a sweep do for its end: the signal itself has one listener for all of them, and none when nobody waits.
 * A signal that has aborted already calls nobody, and one that is undefined neither.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => undefined;
  let waiters = waiting.get(signal);
  if (!waiters) waiting.set(signal, (waiters = new Waiters(signal)));
  const own = (): void => listener();
  waiters.add(own);
  return () => waiters.remove(own);
}

/** Gives up waiting when the signal aborts; the work goes on for others. */
export function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const give = (): void => reject(new DOMException('The operation was cancelled', 'AbortError'));
    if (signal.aborted) give();
    work.then(resolve, reject).finally(onAbort(signal, give));
  });
}
