/** What the editor's thread and the thread of the static checks say to each other. */
import { z } from 'zod';
import { Finding, Profile, Range } from '../../shared/findings';

/** Facts of the selected interpreter, as {@link file://./../../core/environment/pythonFile.ts}. */
const Interpreter = z.object({ python: z.string(), packages: z.record(z.string(), z.string().nullable()) });

export const StaticRequest = z.discriminatedUnion('op', [
  z.object({ op: z.literal('check'), id: z.int(), key: z.string(), text: z.string(), profile: Profile.nullable(), interpreter: Interpreter.nullable() }),
  z.object({ op: z.literal('forget'), key: z.string() }),
]);
export type StaticRequest = z.infer<typeof StaticRequest>;

const Judgement = z.object({
  className: z.string().nullable(),
  profile: Profile.nullable(),
  findings: z.array(Finding),
  anchor: z.object({ className: z.string(), range: Range }).nullable(),
});

export const StaticReply = z.union([z.object({ id: z.int(), judgement: Judgement }), z.object({ id: z.int(), error: z.string() })]);
export type StaticReply = z.infer<typeof StaticReply>;

/** What the thread is started with. */
export const StaticWorkerData = z.object({ assetsDir: z.string() });
