import { event, type Answer } from './modelServer';

/** Milliseconds on a clock that all processes of a computer share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

/** A stream of numbered chunks at an even rate, which knows when each was sent. A chunk is a word, as a model's token is; so many make a line. */
export class Ticks {
  /** When each chunk was sent, by {@link sharedNow}. */
  readonly sent: number[] = [];

  constructor(readonly chunks: number, private readonly rate: number, private readonly perLine = 10) {}

  /** Sends all of them. */
  async send(give: (chunk: string) => void): Promise<void> {
    const start = performance.now();
    for (let n = 0; n < this.chunks; n += 1) {
      const wait = start + (n * 1_000) / this.rate - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      this.sent.push(sharedNow());
      give(n % this.perLine === 0 ? `${n === 0 ? '' : '\n'}# ${n} ` : `${n} `);
    }
  }

  /** Sends them as the file of a designer's reply. */
  get answer(): Answer {
    return async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ content: '```python\n' }));
      await this.send((chunk) => response.write(event({ content: chunk })));
      response.end(`${event({ content: '\n```\n' })}${event({}, 'stop')}data: [DONE]\n\n`);
    };
  }

  /** The chunks in what was added to a document just now, and how many milliseconds each was under way. */
  in(changes: readonly { readonly text: string }[]): { readonly n: number; readonly delay: number }[] {
    const now = sharedNow();
    return ticksIn(changes).map((n) => ({ n, delay: now - (this.sent[n] ?? Number.NaN) }));
  }
}

/** The numbers of the chunks in what was added to a document. */
export function ticksIn(changes: readonly { readonly text: string }[]): number[] {
  return changes.flatMap(({ text }) => [...text.matchAll(/(\d+) /g)].map(([, n]) => Number(n)));
}
