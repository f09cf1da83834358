/** What the coverage of a set and its host say to each other. */
import { z } from 'zod';
import { Message } from './message';
import type { Contract } from './webviewChannel';

/** How many environments a set holds of one value. */
export const CoverageCount = z.object({ name: z.string(), label: Message, count: z.int() });
export type CoverageCount = z.infer<typeof CoverageCount>;

export const CoverageState = z.object({
  name: z.string(),
  total: z.int(),
  /** Without an outcome, and with one that no model took part in. */
  notPlayed: z.int(),
  simulated: z.int(),
  /** Columns of the grid, and counts of each skill in them. */
  difficulties: z.array(z.string()),
  skills: z.array(z.object({ name: z.string(), counts: z.array(z.int()) })),
  kinds: z.array(CoverageCount),
  bands: z.array(CoverageCount),
  /** Why there is nothing to show. */
  problem: Message.nullable(),
});
export type CoverageState = z.infer<typeof CoverageState>;

export const CoverageHost = {
  requests: { ready: { params: z.null(), result: z.object({ strings: z.record(z.string(), z.string()), state: CoverageState }) } },
  notes: {},
} satisfies Contract;

export const CoverageView = { requests: {}, notes: { state: CoverageState } } satisfies Contract;
