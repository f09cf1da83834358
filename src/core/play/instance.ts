import type { LoadResult } from '../../shared/hostProtocol';
import type { Sandbox, SandboxSession, SessionLimits } from '../ports';

/** A file to play: `name` is for tracebacks. */
export interface PlayedFile {
  readonly name: string;
  readonly source: string;
}

/** How an instance is opened for play. `maxTurns` caps the class's own limit (run contract §2.3). */
export interface InstanceOptions {
  readonly maxTurns: number;
  readonly limits?: Partial<SessionLimits>;
  readonly onLog?: (text: string) => void;
}

/** An environment that is loaded and built as in play; the worker thread is where the run steps. */
export interface PlayInstance {
  readonly session: SandboxSession;
  readonly loaded: LoadResult;
}

/** Opens a session and builds the environment in it; on failure the session is gone. @throws SandboxError */
export async function openInstance(sandbox: Sandbox, file: PlayedFile, options: InstanceOptions, signal: AbortSignal): Promise<PlayInstance> {
  const { maxTurns, limits, onLog } = options;
  const session = await sandbox.open({ ...(limits && { limits }), ...(onLog && { onLog }) }, signal);
  try {
    const loaded = await session.load({ source: file.source, file: file.name, construction: 'play', maxTurns, thread: 'worker' }, signal);
    return { session, loaded };
  } catch (error) {
    session.kill();
    throw error;
  }
}
