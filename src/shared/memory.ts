import { z } from 'zod';
import { JsonNumber } from './json';

/**
 * A record of the run's memory: exactly these seven keys (run contract §7). Numbers that an existing file holds as NaN
 * are carried by name so that nothing is lost when the file is written again.
 */
export const MemoryRecord = z.strictObject({
  game_file: z.string(),
  skill: z.string(),
  code_snippet: z.string(),
  actor_win_rate: JsonNumber,
  regret: JsonNumber,
  rollout_id: z.int(),
  metadata: z.record(z.string(), z.json()),
});
export type MemoryRecord = z.infer<typeof MemoryRecord>;

/** What the run can do with a record: draw it as a seed, as a negative, or never (dead zone). */
export const MemoryClass = z.enum(['seed', 'too-easy', 'too-hard', 'dead-zone']);
export type MemoryClass = z.infer<typeof MemoryClass>;
