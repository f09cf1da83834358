import type { Logger, Sandbox, SandboxChoice, SessionLimits } from '../../core/ports';
import { message, type Message } from '../../shared/message';
import { SandboxError } from '../../core/sandboxError';
import type { Interpreter } from '../python/interpreter';

/** What a backend is started with. */
export interface BackendContext {
  /** Folder of the built extension: holds `python/envwright_host`, `pyodide/`, `workers/`. */
  readonly assetsDir: string;
  /** Folder that may keep files between starts, such as snapshots. */
  readonly cacheDir: string;
  readonly limits: SessionLimits;
  /** Most sessions at once; an `open` beyond it waits. */
  readonly maxSessions: number;
  readonly logger: Logger;
  /** The interpreter that environments run on; asked for only by backends that need one. */
  readonly interpreter: (signal?: AbortSignal) => Promise<Interpreter>;
}

/** A way to contain environments. */
export interface Backend {
  readonly name: Exclude<SandboxChoice, 'auto'>;
  /** Starts it and tries the attacks of the self-test. Rejects with a {@link SandboxError} that says which layer is missing; then nothing is left running. */
  start(context: BackendContext, signal?: AbortSignal): Promise<Sandbox>;
}

/** The error of a backend that cannot be used here. */
export function unavailable(what: Message, next: Message, cause?: unknown): SandboxError {
  return new SandboxError('sandbox/unavailable', what, next, null, null, cause === undefined ? {} : { cause });
}

/** The error of a backend whose self-test reached something. It is never used. */
export function leaky(name: string, reached: readonly string[]): SandboxError {
  return unavailable(
    message('The {name} sandbox let {count} of the attacks of its self-test through: {reached}', { name, count: reached.length, reached: reached.slice(0, 5).join('; ') }),
    message('It is not used. Choose another backend in the setting envwright.sandbox.backend, or report this with the output of doctor.'),
  );
}
