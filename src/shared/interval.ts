import { z } from 'zod';

/** How an interval was made; see `core/value/intervals.ts` for the rules. */
export const IntervalMethod = z.enum(['wilson', 'newcombe', 'newcombe-paired', 'score-paired', 'bounded-mean', 'bounded-mean-paired']);
export type IntervalMethod = z.infer<typeof IntervalMethod>;

/** A confidence interval with what it rests on: `n` is plays, or pairs of plays. */
export const Interval = z.object({
  lo: z.number(),
  hi: z.number(),
  level: z.literal(0.95),
  method: IntervalMethod,
  n: z.int().min(2),
});
export type Interval = z.infer<typeof Interval>;
