/**
 * Confidence intervals at 95 %, chosen for honest coverage at 4 to 64 plays: score intervals for returns of 0 and 1, a
 * betting interval for everything else. A bootstrap is not used: at these numbers it undercovers badly.
 */
import type { Interval } from '../../shared/interval';
import { betOnMean } from './betting';
import { clip, meanOrZero } from './statistics';

/** Two-sided 95 % point of the normal distribution. */
export const Z = 1.959963984540054;

/** Where a mean may lie before anything is seen. */
export interface Bounds {
  readonly lo: number;
  readonly hi: number;
}

/** The run's returns are clipped to this. */
const RETURN_BOUNDS: Bounds = { lo: -1, hi: 1 };
/** The loader refuses rewards outside of this, so plain returns stay inside (run contract §2). */
const REWARD_BOUNDS: Bounds = { lo: -10, hi: 10 };

const isBinary = (values: readonly number[]): boolean => values.every((value) => value === 0 || value === 1);
const inside = (values: readonly number[], { lo, hi }: Bounds): boolean => values.every((value) => value >= lo && value <= hi);

/** The narrowest prior bounds that hold all values, null when none do. */
function boundsOf(values: readonly number[]): Bounds | null {
  return [RETURN_BOUNDS, REWARD_BOUNDS].find((bounds) => inside(values, bounds)) ?? null;
}

/** Wilson's score interval of a rate: `wins` of `n`. Null below n = 2. */
export function wilson(wins: number, n: number): Interval | null {
  if (n < 2) return null;
  const rate = wins / n;
  const scale = 1 + (Z * Z) / n;
  const centre = (rate + (Z * Z) / (2 * n)) / scale;
  const half = (Z * Math.sqrt((rate * (1 - rate)) / n + (Z * Z) / (4 * n * n))) / scale;
  return { lo: wins === 0 ? 0 : centre - half, hi: wins === n ? 1 : centre + half, level: 0.95, method: 'wilson', n };
}

/** Interval of a mean return: Wilson for returns of 0 and 1, else the betting interval. Null below two values, or outside all bounds. */
export function meanInterval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  if (isBinary(values)) return wilson(values.filter((value) => value === 1).length, n);
  const bounds = boundsOf(values);
  return bounds && { ...betOnMean(values, bounds), level: 0.95, method: 'bounded-mean', n };
}

/** One play of each arm on the same seed. */
export interface Pair {
  readonly hint: number;
  readonly noHint: number;
}

/** Correlation of paired outcomes with Newcombe's continuity correction, which keeps small samples honest. */
function correlation(both: number, hintOnly: number, noHintOnly: number, neither: number): number {
  const n = both + hintOnly + noHintOnly + neither;
  const margins = (both + hintOnly) * (noHintOnly + neither) * (both + noHintOnly) * (hintOnly + neither);
  const cross = both * neither - hintOnly * noHintOnly;
  const corrected = cross > n / 2 ? cross - n / 2 : Math.min(cross, 0);
  return margins === 0 ? 0 : corrected / Math.sqrt(margins);
}

/** Distances of the difference's bounds from it, by squaring and adding the distances of both rates. */
function squareAndAdd(first: Interval, second: Interval, rates: { first: number; second: number }, phi: number): Bounds {
  const difference = rates.first - rates.second;
  const side = (a: number, b: number): number => Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b));
  return {
    lo: difference - side(rates.first - first.lo, second.hi - rates.second),
    hi: difference + side(first.hi - rates.first, rates.second - second.lo),
  };
}

/** Newcombe's interval of a difference of paired rates, from the four counts of pairs. */
function newcombePaired(pairs: readonly Pair[]): Bounds | null {
  const count = (hint: number, noHint: number): number => pairs.filter((pair) => pair.hint === hint && pair.noHint === noHint).length;
  const [both, hintOnly, noHintOnly, neither] = [count(1, 1), count(1, 0), count(0, 1), count(0, 0)];
  const n = pairs.length;
  const hint = wilson(both + hintOnly, n);
  const noHint = wilson(both + noHintOnly, n);
  if (!hint || !noHint) return null;
  return squareAndAdd(hint, noHint, { first: (both + hintOnly) / n, second: (both + noHintOnly) / n }, correlation(both, hintOnly, noHintOnly, neither));
}

/** Interval of the mean gap of pairs (hint minus no hint). Null below two pairs, or outside all bounds. */
export function pairedInterval(pairs: readonly Pair[]): Interval | null {
  const n = pairs.length;
  if (n < 2) return null;
  const values = pairs.flatMap(({ hint, noHint }) => [hint, noHint]);
  if (isBinary(values)) {
    const bounds = newcombePaired(pairs);
    return bounds && { lo: clip(bounds.lo, -1, 1), hi: clip(bounds.hi, -1, 1), level: 0.95, method: 'newcombe-paired', n };
  }
  const bounds = boundsOf(values);
  if (!bounds) return null;
  const width = bounds.hi - bounds.lo;
  return { ...betOnMean(pairs.map(({ hint, noHint }) => hint - noHint), { lo: -width, hi: width }), level: 0.95, method: 'bounded-mean-paired', n };
}

/**
 * Interval of the difference of two independent means, as the run plays its arms: the distances of both means' intervals,
 * squared and added. `n` is the smaller number of plays. Null when one of the arms has fewer than two.
 */
export function independentInterval(hint: readonly number[], noHint: readonly number[]): Interval | null {
  const [first, second] = [meanInterval(hint), meanInterval(noHint)];
  if (!first || !second) return null;
  const bounds = squareAndAdd(first, second, { first: meanOrZero(hint), second: meanOrZero(noHint) }, 0);
  return { ...bounds, level: 0.95, method: 'newcombe', n: Math.min(first.n, second.n) };
}
