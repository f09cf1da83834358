import { expect, it } from 'vitest';
import { laterOutcome } from '../../../../src/core/review/played';

const outcome = (winRate: number, simulated: boolean) => ({ winRate, regret: 0.1, plays: 8, simulated });

it('what no model played never takes the place of what a model did; everything else gives way to what is newer', () => {
  const [model, learner] = [outcome(0.5, false), outcome(0.9, true)];
  expect(laterOutcome(model, learner)).toBe(model);
  expect(laterOutcome(learner, model)).toBe(model);
  expect(laterOutcome(learner, outcome(0.2, true)).winRate).toBe(0.2);
  expect(laterOutcome(model, outcome(0.2, false)).winRate).toBe(0.2);
  expect(laterOutcome(null, learner)).toBe(learner);
});
