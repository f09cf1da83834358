import { availableParallelism } from 'node:os';
import type { HealthLine, Logger, Sandbox, SandboxSession, SessionLimits, SessionOptions } from '../../../core/ports';
import { message } from '../../../shared/message';
import { unavailable } from '../backend';
import { Gate } from '../gate';
import { HostSession } from '../hostSession';
import { sameAtBirth, type Birth } from './birth';
import { WarmPool } from './warmPool';
import { ZygoteFailure, type ZygoteStart } from './zygoteHost';
import type { ZygoteReady } from './zygoteProtocol';
import { ZygoteRack } from './zygoteRack';

/** Hash seed of sessions that ask for none: the same everywhere, so that what is seen once is seen again. */
export const DEFAULT_HASH_SEED = 0;
const WARM_SESSIONS = 2;
/** Sessions kept ready of the other hash seed that is asked for first: each full check opens one beside the usual one. */
const WARM_OTHERS = 1;
const ATTEMPTS = 2;

/** What a native sandbox is made of. */
export interface NativeOptions {
  readonly start: Omit<ZygoteStart, 'hashSeed'>;
  readonly limits: SessionLimits;
  readonly maxSessions: number;
  readonly logger: Logger;
}

/** Sessions as contained processes, forked from a zygote. */
export class NativeSandbox implements Sandbox {
  readonly backend = 'native';
  health: readonly HealthLine[] = [];
  packages: Readonly<Record<string, string | null>> = {};
  private readonly rack: ZygoteRack;
  private readonly gate: Gate;
  /** Pools by hash seed: the default one, and the first other. */
  private readonly pools = new Map<number, WarmPool>();

  private constructor(private readonly options: NativeOptions, readonly python: string) {
    this.rack = new ZygoteRack(options.start, DEFAULT_HASH_SEED, options.logger);
    this.gate = new Gate(options.maxSessions, availableParallelism());
    this.pools.set(DEFAULT_HASH_SEED, new WarmPool(WARM_SESSIONS, () => this.bear(DEFAULT_HASH_SEED, options.limits, true)));
  }

  /** Starts the host. Rejects with a {@link ZygoteFailure} when a layer is missing. */
  static async start(options: NativeOptions, python: string): Promise<{ sandbox: NativeSandbox; ready: ZygoteReady }> {
    const sandbox = new NativeSandbox(options, python);
    const { ready } = await sandbox.rack.get(DEFAULT_HASH_SEED);
    sandbox.packages = ready.packages;
    return { sandbox, ready };
  }

  /** Opens a session, from those kept ready where it asks for nothing special. */
  open(options: SessionOptions = {}, signal?: AbortSignal): Promise<SandboxSession> {
    return this.openHost(options, signal);
  }

  /** As `open`, with what only the sandbox itself may ask of a session. */
  async openHost({ hashSeed = DEFAULT_HASH_SEED, limits, unless, onLog }: SessionOptions = {}, signal?: AbortSignal): Promise<HostSession> {
    await this.gate.enter(signal, unless);
    let session: HostSession;
    try {
      const all: SessionLimits = { ...this.options.limits, ...limits };
      const { channel, greeting } = await this.born(hashSeed, all);
      session = new HostSession(greeting, channel, all, onLog);
    } catch (error) {
      this.gate.leave();
      throw error instanceof ZygoteFailure ? notOpened(error) : error;
    }
    void session.ended.then(() => {
      this.gate.leave();
      this.pools.get(hashSeed)?.fill();
    });
    if (signal?.aborted) session.kill();
    signal?.throwIfAborted();
    return session;
  }

  dispose(): void {
    void this.close();
  }

  /** Ends every session and process; resolves when they are gone. */
  async close(): Promise<void> {
    for (const pool of this.pools.values()) pool.close();
    await this.rack.close();
  }

  private async born(hashSeed: number, limits: SessionLimits): Promise<Birth> {
    const ready = sameAtBirth(limits, this.options.limits) ? this.poolOf(hashSeed)?.take() : undefined;
    return ready ?? this.bear(hashSeed, limits);
  }

  private poolOf(hashSeed: number): WarmPool | undefined {
    if (!this.pools.has(hashSeed) && this.pools.size < 2) {
      this.pools.set(hashSeed, new WarmPool(WARM_OTHERS, () => this.bear(hashSeed, this.options.limits, true)));
    }
    return this.pools.get(hashSeed);
  }

  /** Forks a session; when the host turns out to be dead, once more from a new one. */
  private async bear(hashSeed: number, limits: SessionLimits, waits = false): Promise<Birth> {
    for (let attempt = 1; ; attempt += 1) {
      const host = await this.rack.get(hashSeed);
      try {
        return await host.open(limits, waits);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await Promise.race([host.gone, new Promise((resolve) => setTimeout(resolve, 100))]);
      }
    }
  }
}

function notOpened(error: ZygoteFailure): Error {
  return unavailable(message('No session could be opened in the native sandbox: {detail}', { detail: error.message }),
    message('Try again; when it stays so, run doctor.'), error);
}
