import type { Clock } from '../../src/core/ports';

/** A clock whose waits pass at once and are kept. */
export function hastyClock(start = 0): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => start,
    sleep: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
}
