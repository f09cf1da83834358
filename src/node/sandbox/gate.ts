import { onAbort } from '../../core/abort';
import type { SessionOptions } from '../../core/ports';
import { SandboxError } from '../../core/sandboxError';
import { message } from '../../shared/message';

/** Lets a bounded number in at once; the others wait in line. */
export class Gate {
  private inside = 0;
  private readonly line: (() => void)[] = [];

  /** Beyond `together` inside it is crowded: further ones do not run at once. */
  constructor(private readonly most: number, private readonly together: number) {}

  /** Resolves when there is room; rejects with the signal's reason when it aborts while waiting, and with `sandbox/busy` as `unless` says. */
  async enter(signal?: AbortSignal, unless?: SessionOptions['unless']): Promise<void> {
    signal?.throwIfAborted();
    if (unless !== undefined && this.inside >= this.most) throw busy();
    if (unless === 'crowded' && this.inside > this.together) throw busy();
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

function busy(): SandboxError {
  return new SandboxError('sandbox/busy', message('All sessions of the sandbox are taken.'), message('Try again when others have ended; the setting envwright.sandbox.sessions says how many there may be.'));
}
