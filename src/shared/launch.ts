/** What is kept of a run's launch line: only flags that decide what a push does. Everything else, keys above all, is dropped unread. */
import { z } from 'zod';

/** The trainer that a run uses. */
export const Backend = z.enum(['slime', 'tinker']);
export type Backend = z.infer<typeof Backend>;

/**
 * A flag as it was found. `values` are its words, none for a switch. `variable`: a value holds a shell variable and is left as it is;
 * `conditional`: it stands where the script may not come by; `several`: it was given more than once, the last one counts.
 */
export const LaunchFlag = z.object({ values: z.array(z.string()), notes: z.array(z.enum(['variable', 'conditional', 'several'])) });
export type LaunchFlag = z.infer<typeof LaunchFlag>;

/** The kept flags of one launch line, by name without dashes, and where they were read. `at` in milliseconds since 1970. */
export const Launch = z.object({
  source: z.enum(['script', 'process', 'ray', 'link']),
  from: z.string(),
  at: z.number(),
  backend: Backend.nullable(),
  flags: z.record(z.string(), LaunchFlag),
});
export type Launch = z.infer<typeof Launch>;

/** `.envwright/runs/<memory>.json` of a workspace: the launch flags of a linked run. */
export const StoredLaunch = z.object({ v: z.literal(1), memoryFile: z.string(), launch: Launch });
export type StoredLaunch = z.infer<typeof StoredLaunch>;
