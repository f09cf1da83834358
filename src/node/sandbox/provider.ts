import { untilAborted } from '../../core/abort';
import { EnvwrightError, isCancelled } from '../../core/errors';
import { DEFAULT_BOUNDS } from '../../core/sandboxBounds';
import { SandboxError } from '../../core/sandboxError';
import type { HealthLine, Logger, Sandbox, SandboxChoice, SandboxProvider, SessionLimits } from '../../core/ports';
import { formatMessage, message } from '../../shared/message';
import { findInterpreter, type Interpreter } from '../python/interpreter';
import { unavailable, type Backend, type BackendContext } from './backend';
import { defaultCacheDir } from './cacheDir';
import { DEFAULT_LIMITS } from './limits';
import { nativeBackend } from './native/nativeBackend';
import { wheelsLine } from './pyodide/wheels';
import { pyodideBackend } from './pyodideBackend';
import { seatbeltBackend } from './seatbelt/seatbeltBackend';

/** How a provider is made. */
export interface SandboxProviderOptions {
  readonly choice: SandboxChoice;
  /** Interpreter named by the user; empty or null to look for `python3`. */
  readonly pythonPath?: string | null;
  /** How to look for an interpreter instead, where an editor knows more than the path. */
  readonly interpreter?: (signal?: AbortSignal) => Promise<Interpreter>;
  /** Folder of the built extension (`dist`), which holds `python/`, `pyodide/` and `workers/`. */
  readonly assetsDir: string;
  /** Folder for what is kept between starts; by default the user's cache folder. */
  readonly cacheDir?: string;
  readonly limits?: Partial<SessionLimits>;
  /** Most sessions at once. */
  readonly maxSessions?: number;
  readonly logger: Logger;
  /** Backends to choose from, in the order that `auto` tries them. */
  readonly backends?: readonly Backend[];
}

/** Said because other tools have a switch for it. */
const CONTAINMENT: HealthLine = {
  name: 'containment', ok: true, detail: 'always on: no setting or flag switches it off, and a backend that fails its self-test is not used', next: null,
};

/**
 * The sandbox of the user's choice. Nothing starts before the first `get`; a backend is handed out only when its
 * self-test reached nothing, and when none may be used `get` rejects. After a failure the next `get` tries again.
 *
 * ```ts
 * const provider = createSandboxProvider({ choice: 'auto', assetsDir: 'dist', logger });
 * const sandbox = await provider.get(signal);
 * const session = await sandbox.open({ onLog: print });
 * await session.load({ source, file: 'game.py', construction: 'play', maxTurns: 25, thread: 'worker' });
 * const { observation } = await session.reset(0);
 * await session.close();
 * provider.dispose();
 * ```
 *
 * In tests `assetsDir` is `src`, which holds `python/`; with `choice: 'native'` that is all that is needed.
 */
export function createSandboxProvider(options: SandboxProviderOptions): SandboxProvider {
  return new Provider(options);
}

class Provider implements SandboxProvider {
  private readonly stopping = new AbortController();
  private starting: Promise<Sandbox> | null = null;
  private findings: readonly HealthLine[] = [];

  constructor(private readonly options: SandboxProviderOptions) {}

  get(signal?: AbortSignal): Promise<Sandbox> {
    if (this.stopping.signal.aborted) {
      return Promise.reject(unavailable(message('The sandbox has been closed.'), message('Reload the window, or run the command again.')));
    }
    if (this.starting === null) {
      const starting = this.start();
      this.starting = starting;
      starting.catch(() => (this.starting = null));
    }
    return untilAborted(this.starting, signal);
  }

  async health(): Promise<readonly HealthLine[]> {
    const sandbox = await this.get().catch(() => null);
    return [...this.findings, CONTAINMENT, await wheelsLine(this.context().cacheDir, sandbox?.backend === 'pyodide')];
  }

  dispose(): void {
    this.stopping.abort();
    this.starting?.then((sandbox) => sandbox.dispose(), () => undefined);
  }

  private async start(): Promise<Sandbox> {
    const { choice, backends = [nativeBackend, seatbeltBackend, pyodideBackend] } = this.options;
    const wanted = backends.filter(({ name }) => (choice === 'auto' ? name !== 'seatbelt' || process.platform === 'darwin' : name === choice));
    const context = this.context();
    const findings: HealthLine[] = [];
    this.findings = findings;
    let first: unknown = null;
    for (const backend of wanted) {
      try {
        const sandbox = await backend.start(context, this.stopping.signal);
        findings.push({ name: `sandbox ${backend.name}`, ok: true, detail: `Python ${sandbox.python}`, next: null }, ...sandbox.health);
        return sandbox;
      } catch (error) {
        if (isCancelled(error)) throw error;
        first ??= error;
        findings.push(failureLine(backend.name, error));
        this.options.logger.warn(`The ${backend.name} sandbox cannot be used: ${String(error)}`);
      }
    }
    throw noneLeft(choice, wanted.length, first);
  }

  private context(): BackendContext {
    const { assetsDir, cacheDir, limits, maxSessions = DEFAULT_BOUNDS.maxSessions, logger, pythonPath, interpreter } = this.options;
    return {
      assetsDir, maxSessions, logger,
      cacheDir: cacheDir ?? defaultCacheDir(),
      limits: { ...DEFAULT_LIMITS, ...limits },
      interpreter: interpreter ?? ((signal) => findInterpreter({ trusted: false, ...(pythonPath ? { setting: pythonPath } : {}) }, signal)),
    };
  }
}

function failureLine(name: string, error: unknown): HealthLine {
  const told = error instanceof EnvwrightError;
  return { name: `sandbox ${name}`, ok: false, detail: told ? formatMessage(error.what) : String(error), next: told ? formatMessage(error.next) : null };
}

/** The error when no backend may be used: that of the only one asked for, or of the best. */
function noneLeft(choice: SandboxChoice, tried: number, first: unknown): SandboxError {
  if (first instanceof SandboxError) return first;
  if (first instanceof EnvwrightError) return unavailable(first.what, first.next, first);
  return tried === 0
    ? unavailable(message('The sandbox {choice} does not exist on this system.', { choice }), message('Set envwright.sandbox.backend to auto.'))
    : unavailable(message('The sandbox could not be started: {detail}', { detail: String(first) }), message('Run doctor.'), first);
}
