/** The run's reward arithmetic that looks at one number or one list (run contract §4 and §6). */
import { groupBy } from '../collections';
import { clip, meanOrZero, variance } from './statistics';

/**
 * The return of an episode in training: the last reward clipped to [-1, 1] if the episode terminated, else 0. Earlier
 * rewards and everything in a truncated episode are dropped; NaN becomes 1, as the run's clipping makes it.
 */
export function episodeReward(rewards: readonly number[], terminated: boolean): number {
  const last = rewards.at(-1);
  return last === undefined || !terminated ? 0 : clip(last, -1, 1);
}

/** The band in which an environment is worth most: 1 inside [lo, hi], falling to 0 over `ramp` on both sides. */
export interface Band {
  readonly lo: number;
  readonly hi: number;
  readonly ramp: number;
}

/** The band of the paper: full reward from .4 to .6, none beyond .25 outside of it. */
export const DEFAULT_BAND: Band = { lo: 0.4, hi: 0.6, ramp: 0.25 };

/** Worth of a win rate under a band, in [0, 1]. */
export function plateauReward(winRate: number, { lo, hi, ramp }: Band = DEFAULT_BAND): number {
  const distance = winRate < lo ? lo - winRate : winRate > hi ? winRate - hi : 0;
  return distance === 0 ? 1 : Math.max(0, 1 - distance / ramp);
}

/** Highest at a population variance of .25, which is that of a fair coin; in (0, 1]. */
export function varianceReward(returns: readonly number[]): number {
  return Math.exp(-((variance(returns) - 0.25) ** 2) / 0.02);
}

/** Factor of the designer's centred rewards: plays a designed environment, over the rollouts until the next designs; at most `maxScale`. */
export function envRewardScale(environments: number, actors: number, interval: number, maxScale = 50): number {
  return environments <= 0 || actors <= 0 ? 1 : Math.min((actors / environments) * interval, maxScale);
}

/** Centres values on the mean of their skill, then scales them; null (masked) values neither count nor get a reward. */
export function centreBySkill(values: readonly { readonly skill: string; readonly value: number | null }[], scale: number): (number | null)[] {
  const bySkill = groupBy(values.filter(({ value }) => value !== null), ({ skill }) => skill);
  const means = new Map([...bySkill].map(([skill, group]) => [skill, meanOrZero(group.map(({ value }) => value ?? 0))]));
  return values.map(({ skill, value }) => (value === null ? null : (value - (means.get(skill) ?? 0)) * scale));
}
