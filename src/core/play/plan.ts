import type { EpisodeRef } from './events';
import { seededRandom } from './random';

/** The episodes of a set of plays, in the order in which they begin. */
export interface ArmPlan {
  readonly order: readonly EpisodeRef[];
  readonly slots: number;
}

/** Both arms on the same instances: the plays of a seed stand together, so that pairs are complete early. */
export function planPaired(seeds: readonly number[], plays: number, withHint: boolean): ArmPlan {
  const slots = seeds.flatMap((seed) => Array.from({ length: plays }, (_, play) => ({ seed, play })));
  const order = slots.flatMap(({ seed, play }, slot): EpisodeRef[] => [
    ...(withHint ? [{ arm: 'hint' as const, slot, seed, play }] : []),
    { arm: 'noHint', slot, seed, play },
  ]);
  return { order, slots: slots.length };
}

/**
 * The run's own way: hint plays each on a seed of its own, no-hint plays unseeded, which after a load mostly replays one
 * instance (run contract §5). The run's seeds differ in every process; here they are drawn with a seed that is kept.
 */
export function planAsRun({ hintPlays, noHintPlays, drawSeed }: { hintPlays: number; noHintPlays: number; drawSeed: number }, withHint: boolean): ArmPlan {
  const random = seededRandom(`as-run ${drawSeed}`);
  const hint = Array.from({ length: withHint ? hintPlays : 0 }, (_, slot): EpisodeRef => ({ arm: 'hint', slot, seed: Math.floor(random() * 2 ** 31), play: 0 }));
  const noHint = Array.from({ length: noHintPlays }, (_, slot): EpisodeRef => ({ arm: 'noHint', slot, seed: null, play: slot }));
  const slots = Math.max(hint.length, noHint.length);
  const order = Array.from({ length: slots }, (_, slot) => [hint[slot], noHint[slot]]).flat().filter((ref) => ref !== undefined);
  return { order, slots };
}

/** A plan with so many further seeds (or plays, as the run), after those there are. What was planned keeps its place. */
export function extendedPlan(plan: ArmPlan, { mode, plays }: { readonly mode: 'paired' | 'as-run'; readonly plays: number }, more: number): ArmPlan {
  const arms = (['hint', 'noHint'] as const).filter((arm) => plan.order.some((ref) => ref.arm === arm));
  if (mode === 'paired') {
    const next = Math.max(-1, ...plan.order.map(({ seed }) => seed ?? -1)) + 1;
    const added = Array.from({ length: more }, (_, at) => next + at).flatMap((seed) => Array.from({ length: plays }, (_, play) => ({ seed, play })));
    const order = added.flatMap(({ seed, play }, at) => arms.map((arm): EpisodeRef => ({ arm, slot: plan.slots + at, seed, play })));
    return { order: [...plan.order, ...order], slots: plan.slots + added.length };
  }
  const count = (arm: EpisodeRef['arm']): number => plan.order.filter((ref) => ref.arm === arm).length;
  const whole = planAsRun({ hintPlays: count('hint') + more, noHintPlays: count('noHint') + more, drawSeed: 0 }, arms.includes('hint'));
  const order = [...plan.order, ...whole.order.filter(({ arm, slot }) => arms.includes(arm) && slot >= count(arm))];
  return { order, slots: Math.max(...order.map(({ slot }) => slot + 1)) };
}
