import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SessionEnd, SessionLimits } from '../../../core/ports';
import { HostGreeting } from '../../../shared/hostProtocol';
import type { Channel } from '../channel';
import { encodeFrame } from '../frames';
import { LIMIT_SETTINGS, plainEnd } from '../limits';
import { makePrivateFolder, removePrivateFolder } from '../privateFolder';
import type { Birth } from './birth';
import { SocketChannel } from './socketChannel';
import { ZygoteLine, type SessionHeader, type ZygoteConfig, type ZygoteExit, type ZygoteReady } from './zygoteProtocol';

/**
 * Modules that are imported once contained, where they are installed: compiled ones cannot be loaded later. The parts of numpy
 * are named because newer versions load them on first use.
 */
export const PRELOAD = ['numpy', 'numpy.random', 'numpy.linalg', 'numpy.fft', 'numpy.ma', 'numpy.polynomial', 'math_verify'];

/** What a zygote is started from. */
export interface ZygoteStart {
  /** The interpreter's own path, not a shim. */
  readonly python: string;
  /** Folder that holds the package `envwright_host`. */
  readonly pythonFolder: string;
  readonly hashSeed: number;
  /** Modules to import once contained, where they are installed. */
  readonly preload: readonly string[];
  /** Command that runs another inside an outer wall, given the command and the folder it must be able to write to. */
  readonly wrap?: (command: readonly string[], folder: string) => readonly string[];
  /** True when `wrap` puts a profile of macOS around it, which takes the place of every layer of Linux. */
  readonly seatbelt?: boolean;
}

/** The zygote did not start; `layer` is the containment layer that is missing, null when it was something else. */
export class ZygoteFailure extends Error {
  constructor(readonly layer: string | null, detail: string) {
    super(detail);
    this.name = 'ZygoteFailure';
  }
}

const START_MS = 60_000;
const GREETING_MS = 60_000;
const GOODBYE_MS = 1_000;
const EXIT_NOT_CONTAINED = 70;
const SIGKILL = 9;
const SIGXCPU = 24;

/** One channel with the limits it was given, until its process is gone. */
interface Live {
  readonly channel: SocketChannel;
  readonly limits: SessionLimits;
}

/** The process that forks sessions. Every session dies with it, and it dies with this process. */
export class ZygoteHost {
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  private readonly live = new Map<string, Live>();
  private readonly exited: Promise<void>;
  private nextSession = 1;
  private dead = false;

  private constructor(
    readonly ready: ZygoteReady,
    private readonly process: ChildProcess,
    private readonly folder: string,
    lines: AsyncIterable<ZygoteLine>,
  ) {
    this.exited = new Promise((resolve) => (process.exitCode === null && process.signalCode === null ? process.once('exit', () => resolve()) : resolve()));
    this.gone = this.follow(lines);
  }

  /** Starts a zygote and waits until it is contained and ready. Rejects with a {@link ZygoteFailure}. */
  static async start(options: ZygoteStart, signal?: AbortSignal): Promise<ZygoteHost> {
    const folder = makePrivateFolder();
    const emptyFolder = join(folder, 'e');
    await mkdir(emptyFolder);
    const config: ZygoteConfig = {
      socket: join(folder, 's'), emptyFolder, executable: options.python, preload: options.preload, outerWall: options.wrap !== undefined,
      seatbelt: options.seatbelt ?? false,
    };
    const main = join(options.pythonFolder, 'envwright_host', 'native', 'main.py');
    const command = [options.python, '-s', '-S', '-B', main, JSON.stringify(config)];
    const [program, ...args] = options.wrap ? options.wrap(command, folder) : command;
    const child = spawn(program!, args, { cwd: emptyFolder, env: hostEnvironment(options.hashSeed), stdio: ['pipe', 'pipe', 'pipe'] });
    const lines = readLines(child);
    const complaints = collectTail(child);
    const stop = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(stop, START_MS);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const first = await lines.next();
      signal?.throwIfAborted();
      if (!first.done && 'ready' in first.value) return new ZygoteHost(first.value.ready, child, folder, lines);
      const failed = !first.done && 'failed' in first.value ? first.value.failed : null;
      throw new ZygoteFailure(failed && failed.layer !== 'start' ? failed.layer : null, failed?.message ?? (await complaints) ?? 'it ended without a word');
    } catch (error) {
      stop();
      removePrivateFolder(folder);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  get sessions(): number {
    return this.live.size;
  }

  get isDead(): boolean {
    return this.dead;
  }

  /** Forks a session, one that `waits` to be kept ready; resolves with its greeting once it is contained. */
  async open(limits: SessionLimits, waits = false): Promise<Birth> {
    const session = String(this.nextSession++);
    const socket = await connected(join(this.folder, 's'));
    // A process that died meanwhile has told its sessions already, and would leave this one waiting for its greeting.
    if (this.dead) {
      socket.destroy();
      throw new ZygoteFailure(null, 'the process that forks sessions died');
    }
    const channel = new SocketChannel(socket, () => this.tell({ kill: session }));
    this.live.set(session, { channel, limits });
    const header: SessionHeader = {
      session, memoryBytes: limits.memoryBytes, cpuSeconds: Math.ceil(limits.cpuSeconds), observationChars: limits.observationChars, waits,
    };
    socket.write(encodeFrame(header));
    try {
      return { channel, greeting: await greetingOf(channel), alive: () => !this.dead };
    } catch (error) {
      this.tell({ kill: session });
      throw error;
    }
  }

  /** Ends the process and all its sessions, and removes its folder. */
  async close(): Promise<void> {
    this.process.stdin?.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), GOODBYE_MS);
    await this.gone;
    clearTimeout(timer);
  }

  private tell(line: object): void {
    if (!this.dead) this.process.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  private async follow(lines: AsyncIterable<ZygoteLine>): Promise<void> {
    this.process.stdin?.on('error', () => undefined);
    for await (const line of lines) if ('exit' in line) this.sessionGone(line);
    this.dead = true;
    const timer = setTimeout(() => this.process.kill('SIGKILL'), GOODBYE_MS);
    for (const { channel } of this.live.values()) channel.finish(plainEnd('host-died', 'the process that held it died'));
    this.live.clear();
    await this.exited;
    clearTimeout(timer);
    removePrivateFolder(this.folder);
  }

  private sessionGone(exit: ZygoteExit): void {
    const live = this.live.get(exit.exit);
    this.live.delete(exit.exit);
    live?.channel.finish(endOf(exit, live.limits));
  }
}

/** Reads the way a process died: the kernel kills for processor time and for memory, a fault is the file's own. */
function endOf({ signal, code, cpuSeconds, note }: ZygoteExit, limits: SessionLimits): SessionEnd {
  if (note) return plainEnd('crashed', note);
  if (signal === SIGXCPU || (signal === SIGKILL && cpuSeconds >= limits.cpuSeconds - 0.5)) {
    return { reason: 'cpu', limit: LIMIT_SETTINGS.cpu, detail: `it used ${cpuSeconds.toFixed(1)} s of processor time` };
  }
  if (signal === SIGKILL) return { reason: 'memory', limit: LIMIT_SETTINGS.memory, detail: 'the system killed it, most likely for its memory' };
  if (signal !== 0) return plainEnd('crashed', `its process died of signal ${signal}`);
  if (code === EXIT_NOT_CONTAINED) return plainEnd('crashed', 'it could not be contained, so it was not run');
  return plainEnd('crashed', `its process exited with code ${code}`);
}

/** Nothing of the editor's environment reaches the host; libraries must not start threads, which no fork survives. */
function hostEnvironment(hashSeed: number): NodeJS.ProcessEnv {
  const oneThread = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1', NUMEXPR_NUM_THREADS: '1' };
  return { PYTHONHASHSEED: String(hashSeed), LC_ALL: 'C.UTF-8', PATH: '/nowhere', HOME: '/', ...oneThread };
}

async function* readLines(child: ChildProcess): AsyncGenerator<ZygoteLine, void> {
  const failed = new Promise<never>((_, reject) => child.once('error', (error) => reject(new ZygoteFailure(null, error.message))));
  failed.catch(() => undefined);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  for (;;) {
    const line = await Promise.race([lines.next(), failed]);
    if (line.done) return;
    const parsed = ZygoteLine.safeParse(parseJson(line.value));
    if (!parsed.success) return;
    yield parsed.data;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The last of what a process wrote to its error stream, once it has closed it; null when that is nothing. */
function collectTail(child: ChildProcess): Promise<string | null> {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-4000)));
  return new Promise((resolve) => child.once('close', () => resolve(tail.trim() || null)));
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket.off('error', reject)));
    socket.once('error', reject);
  });
}

/** The first frame of a channel, which must be a greeting. */
function greetingOf(channel: Channel): Promise<HostGreeting> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ZygoteFailure(null, 'a session did not greet in time')), GREETING_MS);
    channel.listen({
      frame: (value) => {
        clearTimeout(timer);
        const parsed = HostGreeting.safeParse(value);
        if (parsed.success) resolve(parsed.data);
        else reject(new ZygoteFailure(null, 'a session greeted in another protocol'));
      },
      end: ({ detail }) => {
        clearTimeout(timer);
        reject(new ZygoteFailure(null, detail));
      },
    });
  });
}
