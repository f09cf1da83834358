import type { Birth } from './birth';

/** Keeps a few sessions ready, so that opening one costs no fork. Those that die while they wait are forgotten. */
export class WarmPool {
  private readonly ready = new Set<Birth>();
  private coming = 0;
  private closed = false;

  constructor(private readonly size: number, private readonly bear: () => Promise<Birth>) {}

  /** A ready session, undefined when there is none; its place is filled again behind the caller's back. */
  take(): Birth | undefined {
    setImmediate(() => this.fill());
    for (const birth of this.ready) {
      this.ready.delete(birth);
      if (birth.alive()) return birth;
    }
    return undefined;
  }

  close(): void {
    this.closed = true;
    for (const { channel } of this.ready) channel.kill();
    this.ready.clear();
  }

  private fill(): void {
    while (!this.closed && this.ready.size + this.coming < this.size) {
      this.coming += 1;
      this.bear().then((birth) => this.keep(birth), () => undefined).finally(() => (this.coming -= 1));
    }
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
