import { access, constants, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { HealthLine } from '../../../core/ports';
import { SandboxError } from '../../../core/sandboxError';
import { formatMessage, message } from '../../../shared/message';
import { leaky, unavailable, type Backend, type BackendContext } from '../backend';
import { foldersOf } from '../native/bubblewrap';
import { NativeSandbox } from '../native/nativeSandbox';
import { PRELOAD, ZygoteFailure } from '../native/zygoteHost';
import { SANDBOX_EXEC, seatbeltCommand } from './profile';

const OTHER_ADVICE = message('Use the pyodide backend (setting envwright.sandbox.backend).');

/** How the seatbelt is put around a command; another one only in tests. */
export type Wrap = typeof seatbeltCommand;

/** The user's own Python inside one profile of macOS around the whole host. */
export const seatbeltBackend: Backend = {
  name: 'seatbelt',
  async start(context, signal) {
    if (process.platform !== 'darwin') {
      throw unavailable(message('The seatbelt sandbox needs macOS.'), message('Set envwright.sandbox.backend to auto or pyodide.'));
    }
    if (!(await access(SANDBOX_EXEC, constants.X_OK).then(() => true, () => false))) {
      throw unavailable(message('macOS has no {program} here.', { program: SANDBOX_EXEC }), OTHER_ADVICE);
    }
    return startSeatbelt(context, seatbeltCommand, signal);
  },
};

/** Starts the host inside `wrap` and tries the attacks; nothing is left running, and nothing is given, when one succeeds. */
export async function startSeatbelt({ assetsDir, limits, maxSessions, logger, interpreter }: BackendContext, wrap: Wrap, signal?: AbortSignal): Promise<NativeSandbox> {
  const { path, version } = await interpreter(signal);
  const pythonFolder = await realpath(join(assetsDir, 'python'));
  const folders = await foldersOf(path, pythonFolder, signal);
  if (!folders) throw unavailable(message('The interpreter {path} does not tell its folders.', { path }), OTHER_ADVICE);
  const python = await realpath(path);
  const readable = [...(await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)))), pythonFolder];
  const { sandbox, layers } = await host({ python, pythonFolder, preload: PRELOAD, seatbelt: true, wrap: (command, folder) => wrap(command, { python, readable, folder }) });
  try {
    sandbox.health = [
      { name: 'seatbelt layers', ok: true, detail: layers.join(', '), next: null },
      await selfTestLine(sandbox, signal),
      { name: 'seatbelt memory limit', ok: false, detail: 'macOS does not limit the memory of a process', next: 'A file that floods the memory is stopped by the limits on time only; the pyodide backend limits memory.' },
    ];
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }

  async function host(start: Parameters<typeof NativeSandbox.start>[0]['start']): Promise<{ sandbox: NativeSandbox; layers: readonly string[] }> {
    try {
      const started = await NativeSandbox.start({ start, limits, maxSessions, logger }, version);
      return { sandbox: started.sandbox, layers: started.ready.layers };
    } catch (error) {
      throw error instanceof ZygoteFailure ? unavailable(message('The seatbelt sandbox did not start: {detail}', { detail: error.message }), OTHER_ADVICE, error) : error;
    }
  }
}

async function selfTestLine(sandbox: NativeSandbox, signal?: AbortSignal): Promise<HealthLine> {
  const session = await sandbox.openHost({}, signal);
  try {
    const { attacks } = await session.selfTest(signal);
    const reached = attacks.filter((attack) => attack.reached !== null).map(({ group, name, reached: what }) => `${group}/${name}: ${what}`);
    if (reached.length > 0 || attacks.length === 0) throw leaky('seatbelt', reached);
    return { name: 'seatbelt self-test', ok: true, detail: `${attacks.length} attacks, none succeeded`, next: null };
  } catch (error) {
    // An attack that ends its session was not refused: what it reached cannot be told.
    throw error instanceof SandboxError && error.end !== null ? leaky('seatbelt', [formatMessage(error.what)]) : error;
  } finally {
    await session.close();
  }
}
