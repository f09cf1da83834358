import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { message } from '../../../shared/message';
import { HostGreeting } from '../../../shared/hostProtocol';
import type { HealthLine, Sandbox, SandboxSession, SessionLimits, SessionOptions } from '../../../core/ports';
import { SandboxError } from '../../../core/sandboxError';
import { leaky, unavailable } from '../backend';
import { HostSession } from '../hostSession';
import { Gate } from '../gate';
import { PooledChannel } from './channel';
import { ChildDied, type Launch } from './child';
import type { StartOrder } from './envelope';
import { probeHardening, type ProbedFlags } from './hardeningProbe';
import { ImageStore, type ImageKind, type PyodideFolders } from './imageStore';
import { ParkingLot } from './parkingLot';
import { Pool } from './pool';
import { attackChild, attackFromWithin, greetChild } from './selfTest';

/** What the embedded backend is started with. All paths are absolute. */
export interface PyodideOptions {
  readonly folders: PyodideFolders;
  /** The bundled child program, `pyodide.child.mjs`. */
  readonly script: string;
  /** Wheels that environments can import, see `installedWheels`; all of them or none. */
  readonly wheels: readonly string[];
  /** Node that runs the children: the one that runs this, unless set. */
  readonly program?: string;
  /** Children at once; each takes some 120 MB. */
  readonly maxChildren?: number;
  readonly limits: SessionLimits;
  /** Sessions at once; an `open` beyond it waits. */
  readonly maxSessions: number;
}

const DEFAULT_HASH_SEED = 0;
/** Always crowded: a further session loads the file in a child of its own first, which takes longer than dividing the work would save. */
const NONE_TOGETHER = -1;
const LAYERS = ['import-lock', 'frozen-files', 'heap-limit', 'process'] as const;
const MEGABYTE = 1024 * 1024;

const probed = new Map<string, Promise<ProbedFlags>>();

/**
 * Starts the embedded backend: probes the hardening flags, brings up a child that is attacked and one that will be used, and gives
 * the sandbox when every attack was refused. Rejects with a `SandboxError` otherwise.
 */
export async function startPyodide(options: PyodideOptions, signal?: AbortSignal): Promise<Sandbox> {
  const { folders, script, wheels, program = process.execPath, maxChildren = Math.max(2, Math.min(4, os.availableParallelism())) } = options;
  await requireFiles([script, ...['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'].map((name) => path.join(folders.pyodide, name))]);
  await fs.mkdir(folders.cache, { recursive: true });
  const real = await realFolders(folders);
  const realScript = await fs.realpath(script);
  const realWheels = await Promise.all(wheels.map((wheel) => fs.realpath(wheel)));
  const readable = [real.pyodide, real.python, real.cache, realScript, ...realWheels];
  const key = JSON.stringify([program, readable]);
  const hardened = probed.get(key) ?? probeHardening(program, realScript, readable);
  probed.set(key, hardened);
  const { flags, health } = await hardened;
  const launch: Launch = { program, flags, script: realScript };
  const store = new ImageStore(real, launch);
  const kind: ImageKind = { hashSeed: DEFAULT_HASH_SEED, wheels: realWheels, mathPreloaded: false };
  const layers = [...LAYERS, ...(health.every(({ ok }) => ok) ? ['node-permissions'] : [])];
  const lot = new ParkingLot(os.tmpdir());
  const pool = new Pool((wanted) => store.start(wanted), lot, maxChildren);
  const stop = (): void => pool.dispose();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    pool.warm(kind);
    const { greeting, tested } = await testChild(store, kind, layers);
    signal?.throwIfAborted();
    if (wheels.length > 0) void store.prepare({ ...kind, mathPreloaded: true });
    return new PyodideSandbox(pool, kind, greeting, [...health, tested], options.limits, new Gate(options.maxSessions, NONE_TOGETHER));
  } catch (error) {
    pool.dispose();
    signal?.throwIfAborted();
    throw error instanceof SandboxError ? error : failed(error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** A sandbox whose sessions share a pool of children. */
class PyodideSandbox implements Sandbox {
  readonly backend = 'pyodide';
  readonly python: string;
  readonly packages: Readonly<Record<string, string | null>>;
  private readonly sessions = new Set<HostSession>();

  constructor(
    private readonly pool: Pool,
    private readonly kind: ImageKind,
    private readonly greeting: HostGreeting,
    readonly health: readonly HealthLine[],
    private readonly limits: SessionLimits,
    private readonly gate: Gate,
  ) {
    this.python = greeting.python;
    this.packages = greeting.packages;
  }

  /** Opens a session. It takes no child before its first request: which image it begins on depends on what is loaded. */
  async open({ hashSeed = DEFAULT_HASH_SEED, limits, unless, onLog }: SessionOptions = {}, signal?: AbortSignal): Promise<SandboxSession> {
    await this.gate.enter(signal, unless);
    const bounds = { ...this.limits, ...limits };
    const channel = new PooledChannel(this.pool, { kind: { ...this.kind, hashSeed }, layers: this.greeting.layers }, bounds, () => {
      this.sessions.delete(session);
      this.gate.leave();
    });
    const session: HostSession = new HostSession({ ...this.greeting, hashSeed: String(hashSeed) }, channel, bounds, onLog);
    this.sessions.add(session);
    return session;
  }

  dispose(): void {
    for (const session of [...this.sessions]) session.kill();
    this.pool.dispose();
  }
}

/** Attacks a child that serves for nothing else, and asks what a session of it would say first. */
async function testChild(store: ImageStore, kind: ImageKind, layers: readonly string[]): Promise<{ greeting: HostGreeting; tested: HealthLine }> {
  const { child } = await store.start(kind, { attacks: true });
  try {
    const order: StartOrder = {
      python: { op: 'start', observationChars: 1000, layers },
      bounds: { memoryBytes: 96 * MEGABYTE, eventBytes: MEGABYTE },
    };
    const results = [...(await attackChild(child, order)), ...(await attackFromWithin(child, order))];
    const reached = results.filter((result) => result.reached !== null);
    if (reached.length > 0) throw leaky('pyodide', reached.map((result) => `${result.name}: ${result.reached}`));
    return { greeting: await greetChild(child, order), tested: { name: 'Embedded sandbox: self-test', ok: true, detail: `${results.length} attacks, all refused`, next: null } };
  } finally {
    child.kill();
  }
}

async function requireFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      await fs.access(file);
    } catch (cause) {
      throw unavailable(message('A part of the embedded sandbox is missing: {file}.', { file }), message('Install Envwright again.'), cause);
    }
  }
}

async function realFolders({ pyodide, python, cache }: PyodideFolders): Promise<PyodideFolders> {
  return { pyodide: await fs.realpath(pyodide), python: await fs.realpath(python), cache: await fs.realpath(cache) };
}

function failed(cause: unknown): SandboxError {
  const why = cause instanceof ChildDied ? `${cause.why}: ${cause.message}` : String(cause);
  return unavailable(message('The embedded sandbox did not start: {why}', { why: why.slice(0, 1000) }), message('Another sandbox can be chosen in the settings.'), cause);
}
