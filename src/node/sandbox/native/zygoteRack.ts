import type { Logger } from '../../../core/ports';
import { ZygoteFailure, ZygoteHost, type ZygoteStart } from './zygoteHost';

/** Idle zygotes of other hash seeds that are kept. */
const SPARE = 2;
/** A zygote that dies this many times in a row, each within {@link YOUNG_MS} of its start, is not started again. */
const MOST_EARLY_DEATHS = 3;
const YOUNG_MS = 5_000;

/** One zygote for each hash seed, started on demand, started anew when it died, stopped when others are wanted more. */
export class ZygoteRack {
  private readonly hosts = new Map<number, Promise<ZygoteHost>>();
  private earlyDeaths = 0;
  private closed = false;

  constructor(private readonly start: Omit<ZygoteStart, 'hashSeed'>, private readonly home: number, private readonly logger: Logger) {}

  /** The zygote of a hash seed. Rejects with a {@link ZygoteFailure} when it does not start or keeps dying. */
  async get(hashSeed: number): Promise<ZygoteHost> {
    const known = this.hosts.get(hashSeed);
    if (known) {
      const host = await known;
      if (!host.isDead) {
        this.hosts.delete(hashSeed);
        this.hosts.set(hashSeed, known);
        return host;
      }
      this.hosts.delete(hashSeed);
    }
    const racing = this.hosts.get(hashSeed);
    if (racing) return racing;
    if (this.closed) throw new ZygoteFailure(null, 'the sandbox has been closed');
    if (this.earlyDeaths >= MOST_EARLY_DEATHS) throw new ZygoteFailure(null, `the host process died ${this.earlyDeaths} times right after its start`);
    const starting = ZygoteHost.start({ ...this.start, hashSeed });
    this.hosts.set(hashSeed, starting);
    starting.then((host) => this.watch(hashSeed, starting, host), () => this.forget(hashSeed, starting));
    void this.trim();
    return starting;
  }

  async close(): Promise<void> {
    this.closed = true;
    const all = [...this.hosts.values()];
    this.hosts.clear();
    await Promise.all(all.map((host) => host.then((started) => started.close(), () => undefined)));
  }

  private watch(hashSeed: number, starting: Promise<ZygoteHost>, host: ZygoteHost): void {
    const since = Date.now();
    void host.gone.then(() => {
      const expected = this.closed || !this.hosts.has(hashSeed);
      this.forget(hashSeed, starting);
      if (expected) return;
      this.earlyDeaths = Date.now() - since < YOUNG_MS ? this.earlyDeaths + 1 : 0;
      this.logger.warn(`The sandbox host for hash seed ${hashSeed} died; it is started anew when it is needed.`);
    });
  }

  private forget(hashSeed: number, starting: Promise<ZygoteHost>): void {
    if (this.hosts.get(hashSeed) === starting) this.hosts.delete(hashSeed);
  }

  /** Stops idle zygotes, those longest unused first, until few enough are left. */
  private async trim(): Promise<void> {
    for (const [hashSeed, starting] of [...this.hosts]) {
      if (this.hosts.size <= 1 + SPARE) return;
      if (hashSeed === this.home) continue;
      const host = await starting.catch(() => null);
      if (host === null || host.sessions > 0) continue;
      this.forget(hashSeed, starting);
      await host.close();
    }
  }
}
