/** Signals of one environment over the window of rollouts in which it was played (run contract §6). */
import { meanOrZero } from './statistics';

/** No-hint returns by step offset: rollouts since the environment was made. */
export type ReturnsByStep = Readonly<Record<string, readonly number[]>>;

/** The returns in ascending order of offset. */
export function inOrder(returns: ReturnsByStep): (readonly number[])[] {
  return Object.entries(returns).sort(([a], [b]) => Number(a) - Number(b)).map(([, plays]) => plays);
}

/**
 * How much better the plays became over the window: the weighted least-squares line through the means of the offsets,
 * end minus start. Each offset weighs as many plays as it has, at least one. 0 with fewer than two offsets.
 */
export function microLpSlope(returns: ReturnsByStep): number {
  const groups = inOrder(returns);
  if (groups.length < 2) return 0;
  const weights = groups.map((plays) => Math.max(plays.length, 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const weighted = (value: (index: number) => number): number => weights.reduce((sum, weight, index) => sum + weight * value(index), 0);
  const means = groups.map(meanOrZero);
  const meanX = weighted((x) => x) / total;
  const meanY = weighted((x) => means[x] ?? 0) / total;
  const slope = weighted((x) => (x - meanX) * ((means[x] ?? 0) - meanY)) / weighted((x) => (x - meanX) ** 2);
  return slope * (groups.length - 1);
}

/** The other estimator: mean of the late plays minus mean of the early ones; a middle offset counts as late. 0 with fewer than two offsets. */
export function microLpHalves(returns: ReturnsByStep): number {
  const groups = inOrder(returns);
  if (groups.length < 2) return 0;
  const half = Math.floor(groups.length / 2);
  return meanOrZero(groups.slice(half).flat()) - meanOrZero(groups.slice(0, half).flat());
}
