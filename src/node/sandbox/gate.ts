import { onAbort } from '../../core/abort';

/** Lets a bounded number in at once; the others wait in line. */
export class Gate {
  private inside = 0;
  private readonly line: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** Resolves when there is room; rejects with the signal's reason when it aborts while waiting. */
  async enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.inside < this.most) {
      this.inside += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        stay();
        resolve();
      };
      const stay = onAbort(signal, () => {
        this.line.splice(this.line.indexOf(admit), 1);
        reject(signal!.reason as Error);
      });
      this.line.push(admit);
    });
  }

  /** Makes room; the first in line takes it. */
  leave(): void {
    const next = this.line.shift();
    if (next) next();
    else this.inside -= 1;
  }
}
