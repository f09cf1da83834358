/** The files by which the editor and the link module beside a run talk to each other, below `<cache_dir>/envwright` (run contract §9). */
import { z } from 'zod';
import { JsonNumber } from './json';

/** Of a push: letters, digits and dashes, since it becomes a file name. */
export const PushId = z.string().regex(/^[A-Za-z0-9-]+$/);

/** `inbox/<nanoseconds, 20 digits>-<id>.json`: a record to bring in, with the arguments of the buffer's own `add`, or one to take back. */
export const InboxFile = z.discriminatedUnion('action', [
  z.strictObject({
    version: z.literal(1),
    id: PushId,
    action: z.literal('add'),
    record: z.strictObject({
      game_file: z.string(),
      skill: z.string(),
      game_code: z.string(),
      actor_win_rate: z.number(),
      regret: z.number(),
      rollout_id: z.int(),
      metadata: z.looseObject({ envwright: z.looseObject({ push: PushId }) }),
    }),
  }),
  z.strictObject({ version: z.literal(1), id: PushId, action: z.literal('remove') }),
]);
export type InboxFile = z.infer<typeof InboxFile>;

/** A launch argument of the run as the link module met it. */
const Setting = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/**
 * `heartbeat.json`, written at every rollout. `at` in seconds since 1970; `calls` counts the rollouts of this process, `every` is the time
 * between the last two in seconds; `memorySize` is null while the run has no buffer.
 */
export const Heartbeat = z.object({
  version: z.literal(1),
  link: z.string(),
  pid: z.int(),
  rollout: z.int(),
  interval: z.int().nullable(),
  memorySize: z.int().nullable(),
  at: z.number(),
  calls: z.int().optional(),
  every: z.number().nullable().optional(),
  settings: z.record(z.string(), Setting).optional(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

/** `receipts/<id>.<action>.json`: what became of an inbox file in the live buffer. */
export const Receipt = z.object({
  version: z.literal(1),
  id: PushId,
  action: z.enum(['add', 'remove']),
  rollout: z.int(),
  at: z.number(),
  state: z.enum(['in-memory', 'removed', 'not-there', 'failed']),
  reason: z.string().optional(),
  memorySize: z.int(),
});
export type Receipt = z.infer<typeof Receipt>;

/** A line of `drawn.jsonl`: an example that the run drew for a prompt. `push` is null for the run's own records. */
export const DrawnLine = z.object({
  rollout: z.int(),
  role: z.enum(['seed', 'negative']),
  gameFile: z.string().nullable(),
  push: z.string().nullable(),
  at: JsonNumber,
});
export type DrawnLine = z.infer<typeof DrawnLine>;
