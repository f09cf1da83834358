import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendedPlan, planAsRun, planPaired } from '../../../../src/core/play/plan';

const seeds = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 12 });
const places = (plan: { order: readonly { arm: string; seed: number | null; play: number }[] }) => plan.order.map(({ arm, seed, play }) => `${arm} ${seed} ${play}`);

describe('a plan that is extended', () => {
  it('keeps every place and adds new seeds for the arms there are, each place once', () => {
    fc.assert(fc.property(seeds, fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.integer({ min: 1, max: 8 }), (given, plays, withHint, more) => {
      const plan = planPaired(given, plays, withHint);
      const longer = extendedPlan(plan, { mode: 'paired', plays }, more);
      expect(longer.order.slice(0, plan.order.length)).toEqual(plan.order);
      expect(longer.order.length).toBe(plan.order.length + more * plays * (withHint ? 2 : 1));
      expect(new Set(places(longer)).size).toBe(longer.order.length);
      expect(new Set(longer.order.map(({ slot }) => slot)).size).toBe(longer.slots);
    }));
  });

  it('as the run plays goes on with the same draw', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), (hintPlays, noHintPlays, more) => {
      const plan = planAsRun({ hintPlays, noHintPlays, drawSeed: 0 }, true);
      const longer = extendedPlan(plan, { mode: 'as-run', plays: 1 }, more);
      const whole = planAsRun({ hintPlays: hintPlays + more, noHintPlays: noHintPlays + more, drawSeed: 0 }, true);
      expect(new Set(places(longer))).toEqual(new Set(places(whole)));
      expect(longer.order.slice(0, plan.order.length)).toEqual(plan.order);
    }));
  });
});
