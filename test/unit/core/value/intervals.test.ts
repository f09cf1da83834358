import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { independentInterval, meanInterval, pairedInterval, wilson } from '../../../../src/core/value/intervals';

/** A small generator with a seed, so that a simulation is the same every time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SIZES = [4, 16, 64];
const CHANCES = [0.05, 0.1, 0.5, 0.9, 0.95];

/** Share of repetitions in which the interval covers the truth. */
function coverage(repetitions: number, truth: number, make: () => { lo: number; hi: number } | null): number {
  let covered = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const interval = make();
    if (interval && interval.lo <= truth + 1e-12 && interval.hi >= truth - 1e-12) covered += 1;
  }
  return covered / repetitions;
}

function summary(shares: number[]): { average: number; worst: number } {
  return { average: shares.reduce((a, b) => a + b, 0) / shares.length, worst: Math.min(...shares) };
}

describe('coverage at 4, 16 and 64 plays and chances from .05 to .95', () => {
  it('rates and mean returns of 0 and 1: 95 % on average, never under 85 %', () => {
    const random = generator(1);
    const shares = SIZES.flatMap((n) => CHANCES.map((p) => coverage(1000, p, () => meanInterval(Array.from({ length: n }, () => (random() < p ? 1 : 0))))));
    expect(summary(shares).average).toBeGreaterThan(0.94);
    expect(summary(shares).worst).toBeGreaterThan(0.85);
  });

  it('paired regret of 0 and 1: 95 % on average, never under 85 %', () => {
    const random = generator(2);
    const shares = SIZES.flatMap((n) => CHANCES.flatMap((p) => CHANCES.map((q) => coverage(300, q - p, () =>
      pairedInterval(Array.from({ length: n }, () => ({ hint: random() < q ? 1 : 0, noHint: random() < p ? 1 : 0 })))))));
    expect(summary(shares).average).toBeGreaterThan(0.945);
    expect(summary(shares).worst).toBeGreaterThan(0.85);
  });

  it('pairs whose plays depend on the same instance', () => {
    const random = generator(3);
    const shares = SIZES.map((n) => coverage(1000, 0.3, () => pairedInterval(Array.from({ length: n }, () => {
      const instance = random();
      return { hint: instance < 0.7 ? 1 : 0, noHint: instance < 0.4 ? 1 : 0 };
    }))));
    expect(summary(shares).worst).toBeGreaterThan(0.85);
  });

  it('returns that are not 0 or 1: at least 95 % whatever their shape', () => {
    const random = generator(4);
    const shapes: [number, () => number][] = [
      [0, () => random() * 2 - 1],
      [0.5, () => [0, 0.5, 1][Math.floor(random() * 3)] ?? 0],
      [-0.045, () => (random() < 0.05 ? 1 : -0.1)],
      [0.975, () => (random() < 0.05 ? 0.5 : 1 - Number.EPSILON)],
    ];
    const shares = SIZES.flatMap((n) => shapes.map(([truth, draw]) => coverage(100, truth, () => meanInterval(Array.from({ length: n }, draw)))));
    expect(summary(shares).average).toBeGreaterThan(0.95);
    expect(summary(shares).worst).toBeGreaterThan(0.9);
  });

  it('paired gaps that are not 0 or 1', () => {
    const random = generator(5);
    const shares = SIZES.map((n) => coverage(100, 0.25, () => pairedInterval(Array.from({ length: n }, () => {
      const base = random() * 0.5;
      return { hint: base + random() * 0.5, noHint: base };
    }))));
    expect(summary(shares).worst).toBeGreaterThan(0.9);
  });

  it('the difference of independent arms', () => {
    const random = generator(6);
    const shares = SIZES.map((n) => coverage(1000, 0.4, () => independentInterval(
      Array.from({ length: n }, () => (random() < 0.9 ? 1 : 0)), Array.from({ length: n }, () => (random() < 0.5 ? 1 : 0)))));
    expect(summary(shares).worst).toBeGreaterThan(0.88);
  });
});

describe('intervals', () => {
  const returns = fc.double({ min: -1, max: 1, noNaN: true });

  it('are null below two plays, and hold the mean from two on', () => {
    expect(meanInterval([])).toBeNull();
    expect(meanInterval([1])).toBeNull();
    expect(pairedInterval([{ hint: 1, noHint: 0 }])).toBeNull();
    fc.assert(fc.property(fc.array(returns, { minLength: 2, maxLength: 20 }), (values) => {
      const interval = meanInterval(values);
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      expect(interval?.n).toBe(values.length);
      expect(interval?.lo).toBeLessThanOrEqual(mean + 1e-9);
      expect(interval?.hi).toBeGreaterThanOrEqual(mean - 1e-9);
    }), { numRuns: 50 });
  });

  it('stay within their bounds and name their method', () => {
    expect(meanInterval([0, 1, 1, 0])).toMatchObject({ method: 'wilson', level: 0.95, n: 4 });
    expect(meanInterval([0.5, -1])).toMatchObject({ method: 'bounded-mean' });
    expect(pairedInterval([{ hint: 0.5, noHint: 0 }, { hint: 1, noHint: 0.2 }])).toMatchObject({ method: 'bounded-mean-paired', n: 2 });
    expect(pairedInterval([{ hint: 1, noHint: 0 }, { hint: 1, noHint: 0 }])?.hi).toBeLessThanOrEqual(1);
  });

  it('swapping the arms mirrors the interval of regret', () => {
    const play = fc.constantFrom(0, 1);
    fc.assert(fc.property(fc.array(fc.record({ hint: play, noHint: play }), { minLength: 2, maxLength: 20 }), (pairs) => {
      const there = pairedInterval(pairs);
      const back = pairedInterval(pairs.map(({ hint, noHint }) => ({ hint: noHint, noHint: hint })));
      expect(back?.lo).toBeCloseTo(-(there?.hi ?? 0), 9);
      expect(back?.hi).toBeCloseTo(-(there?.lo ?? 0), 9);
    }));
  });

  it('does not pretend to know a mean of values that no bounds hold', () => expect(meanInterval([0, 50])).toBeNull());

  it('Wilson agrees with published values', () => {
    expect(wilson(81, 263)?.lo).toBeCloseTo(0.2553, 4);
    expect(wilson(81, 263)?.hi).toBeCloseTo(0.3662, 4);
    expect(wilson(0, 20)?.hi).toBeCloseTo(0.1611, 4);
  });
});
