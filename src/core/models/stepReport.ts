import { message, type Message } from '../../shared/message';
import type { ChatEvent } from '../ports';

/** How often a step under way says that it still is, in milliseconds. */
const TICK_MS = 1_000;

/**
 * Says how far a test of several steps is: which step of how many, for how many seconds, and what it waits for. A slow model can need
 * minutes to a step, and whoever watches cannot tell that from one that hangs.
 */
export class StepReport {
  private number = 0;

  constructor(private readonly steps: number, private readonly report: (text: Message) => void) {}

  /** Runs the next step; `heard` takes what comes of a reply meanwhile. Ends and rejects as the work does. */
  async step<T>(name: string, work: (heard: (event: ChatEvent) => void) => Promise<T>): Promise<T> {
    const at = { step: (this.number += 1), steps: this.steps, name };
    const started = performance.now();
    let comes = false;
    let wait = { until: 0, why: '' };
    const tell = () => {
      const now = performance.now();
      const timed = { ...at, elapsed: Math.floor((now - started) / 1000) };
      if (wait.until > now) this.report(message('{step} of {steps}, {name}: waiting {seconds} s: {why}', { ...at, seconds: Math.ceil((wait.until - now) / 1000), why: wait.why }));
      else if (comes) this.report(message('{step} of {steps}, {name}: {elapsed} s, the reply comes', timed));
      else this.report(message('{step} of {steps}, {name}: {elapsed} s, no word yet', timed));
    };
    this.report(message('{step} of {steps}, {name}', at));
    const ticking = setInterval(tell, TICK_MS);
    try {
      return await work((event) => {
        if (event.type === 'done') return;
        const began = event.type !== 'wait' && !comes;
        comes = event.type !== 'wait';
        wait = event.type === 'wait' ? { until: performance.now() + event.ms, why: event.why } : { until: 0, why: '' };
        if (began || !comes) tell();
      });
    } finally {
      clearInterval(ticking);
    }
  }
}
