import type { Birth } from './birth';

/** How long the place of a session that was taken may stay empty while that session goes on, milliseconds. */
const REFILL_MS = 250;

/** Keeps a few sessions ready, so that opening one costs no fork. Those that die while they wait are forgotten. */
export class WarmPool {
  private readonly ready = new Set<Birth>();
  private coming = 0;
  private closed = false;
  private refill: NodeJS.Timeout | null = null;

  constructor(private readonly size: number, private readonly bear: () => Promise<Birth>) {}

  /**
   * A ready session, undefined when there is none. Its place is filled again a little later, or when {@link fill} is called: whoever
   * takes a session has work for the processor just now.
   */
  take(): Birth | undefined {
    this.refill ??= setTimeout(() => this.fill(), REFILL_MS).unref();
    for (const birth of this.ready) {
      this.ready.delete(birth);
      if (birth.alive()) return birth;
    }
    return undefined;
  }

  /** Makes ready what is missing. */
  fill(): void {
    if (this.refill) clearTimeout(this.refill);
    this.refill = null;
    while (!this.closed && this.ready.size + this.coming < this.size) {
      this.coming += 1;
      this.bear().then((birth) => this.keep(birth), () => undefined).finally(() => (this.coming -= 1));
    }
  }

  close(): void {
    this.closed = true;
    if (this.refill) clearTimeout(this.refill);
    for (const { channel } of this.ready) channel.kill();
    this.ready.clear();
  }

  private keep(birth: Birth): void {
    if (this.closed) {
      birth.channel.kill();
      return;
    }
    this.ready.add(birth);
    birth.channel.listen({ frame: () => undefined, end: () => this.ready.delete(birth) });
  }
}
