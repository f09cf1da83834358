import { onAbort } from '../../core/abort';

/** A signal of one request's own, and the way to be done with it. */
export interface OwnSignal {
  readonly signal: AbortSignal;
  /** Lets go of the other signal; a request that is not `whole` by then is ended early, and its connection closed. */
  end(whole: boolean): void;
}

/** A signal for one request that follows another: the SDK never takes its listeners off the signal it is given. */
export function ownSignal(signal: AbortSignal): OwnSignal {
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal.aborted) abort();
  const letGo = onAbort(signal, abort);
  return {
    signal: own.signal,
    end: (whole) => {
      letGo();
      if (!whole) abort();
    },
  };
}
