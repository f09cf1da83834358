import { performance } from 'node:perf_hooks';

/** Times of repeated work, in milliseconds. */
export interface Times {
  readonly n: number;
  readonly median: number;
  readonly p95: number;
}

/** Summary of samples in milliseconds. */
export function summarise(samples: readonly number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { n: sorted.length, median: at(0.5), p95: at(0.95) };
}

/** Prints one line of figures with its mark. */
export function report(name: string, { n, median, p95 }: Times, mark: string): void {
  process.stdout.write(`${name}: median ${median.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms over ${n} (mark: ${mark})\n`);
}

/**
 * Runs work and gives the time of its longest piece between two turns of the event loop, in milliseconds: the smaller one of what all
 * threads used of the processor and of how long the loop was busy, which other programs lengthen. Both are at least what the piece took.
 */
export async function longestTask(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, used, busy] = [0, false, process.cpuUsage(), performance.eventLoopUtilization()];
  const turn = (): void => {
    const { user, system } = process.cpuUsage(used);
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.eventLoopUtilization(busy).active));
    [used, busy] = [process.cpuUsage(), performance.eventLoopUtilization()];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  // The turn after the last piece measures it.
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}
