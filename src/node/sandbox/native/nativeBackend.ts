import { join } from 'node:path';
import type { HealthLine } from '../../../core/ports';
import { message, type Message } from '../../../shared/message';
import type { SandboxError } from '../../../core/sandboxError';
import { leaky, unavailable, type Backend, type BackendContext } from '../backend';
import { bubblewrap } from './bubblewrap';
import { NativeSandbox } from './nativeSandbox';
import { PRELOAD, ZygoteFailure, type ZygoteStart } from './zygoteHost';
import type { ZygoteReady } from './zygoteProtocol';

/** What to do where a layer is missing. */
const ADVICE: Readonly<Record<string, Message>> = {
  namespaces: message('Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0), install bubblewrap, or use the pyodide backend.'),
  'private-root': message('Allow mounts in user namespaces, install bubblewrap, or use the pyodide backend.'),
  landlock: message('Use a kernel of version 5.13 or later that has Landlock among its security modules (lsm=landlock,…), or the pyodide backend.'),
  seccomp: message('Use a kernel with seccomp filters on x86-64 or arm64, or the pyodide backend.'),
};
const OTHER_ADVICE = message('Use the pyodide backend (setting envwright.sandbox.backend).');

/** Contained processes of the user's own Python; Linux only. */
export const nativeBackend: Backend = {
  name: 'native',
  async start(context, signal) {
    if (process.platform !== 'linux') {
      throw unavailable(message('The native sandbox needs Linux.'), message('Set envwright.sandbox.backend to auto or pyodide.'));
    }
    const interpreter = await context.interpreter(signal);
    const bare = { python: interpreter.path, pythonFolder: join(context.assetsDir, 'python'), preload: PRELOAD };
    const { sandbox, ready, wrapped } = await startWhereItWorks(bare, interpreter.version, context, signal);
    try {
      sandbox.health = [layersLine(ready, wrapped), await selfTestLine(sandbox, signal), ...packageLines(ready)];
      return sandbox;
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  },
};

interface Started {
  readonly sandbox: NativeSandbox;
  readonly ready: ZygoteReady;
  readonly wrapped: boolean;
}

/** Inside bubblewrap where that is installed and works, else by itself. */
async function startWhereItWorks(
  bare: Omit<ZygoteStart, 'hashSeed'>, version: string, { limits, maxSessions, logger }: BackendContext, signal?: AbortSignal,
): Promise<Started> {
  const wrap = await bubblewrap(bare.python, bare.pythonFolder, signal);
  if (wrap) {
    try {
      return { ...(await NativeSandbox.start({ start: { ...bare, wrap }, limits, maxSessions, logger }, version)), wrapped: true };
    } catch (error) {
      logger.warn(`bubblewrap is installed and cannot be used: ${String(error)}`);
    }
  }
  signal?.throwIfAborted();
  try {
    return { ...(await NativeSandbox.start({ start: bare, limits, maxSessions, logger }, version)), wrapped: false };
  } catch (error) {
    throw error instanceof ZygoteFailure ? missing(error) : error;
  }
}

function missing(failure: ZygoteFailure): SandboxError {
  const { layer, message: detail } = failure;
  return layer === null
    ? unavailable(message('The native sandbox did not start: {detail}', { detail }), OTHER_ADVICE, failure)
    : unavailable(message('The native sandbox lacks a layer of containment, {layer}: {detail}', { layer, detail }), ADVICE[layer] ?? OTHER_ADVICE, failure);
}

function layersLine({ layers }: ZygoteReady, wrapped: boolean): HealthLine {
  return { name: 'native layers', ok: true, detail: [...(wrapped ? ['bubblewrap'] : []), ...layers].join(', '), next: null };
}

/** Runs the attacks in a session that is used for nothing else; rejects when one reached anything. */
async function selfTestLine(sandbox: NativeSandbox, signal?: AbortSignal): Promise<HealthLine> {
  const session = await sandbox.openHost({}, signal);
  try {
    const { attacks } = await session.selfTest(signal);
    const reached = attacks.filter((attack) => attack.reached !== null).map(({ group, name, thread, reached }) => `${group}/${name} (${thread}): ${reached}`);
    if (reached.length > 0 || attacks.length === 0) throw leaky('native', reached);
    return { name: 'native self-test', ok: true, detail: `${attacks.length} attacks, none succeeded`, next: null };
  } finally {
    await session.close();
  }
}

function packageLines({ packages, problems }: ZygoteReady): HealthLine[] {
  const found = Object.entries(packages).map(([name, version]): HealthLine => ({
    name: `package ${name}`, ok: true, detail: version ?? 'not installed for this interpreter',
    next: version === null ? `Environments that import it cannot be run. Install ${name} for this interpreter, or choose another.` : null,
  }));
  return [...found, ...problems.map((problem): HealthLine => ({
    name: 'package import', ok: false, detail: problem, next: 'It is installed and could not be imported inside the sandbox.',
  }))];
}
