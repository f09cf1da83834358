/** What the thread of a corpus and its owner say to each other. */
import { z } from 'zod';
import type { PlainJson } from '../../core/pythonJson';
import { Message } from '../../shared/message';

export const CorpusWorkerData = z.object({ path: z.string() });

const Problem = z.object({ why: Message, crashes: z.boolean(), count: z.int(), lines: z.array(z.int()) });
export const Summary = z.object({ documents: z.int(), blank: z.int(), problems: z.array(Problem), bytes: z.number(), size: z.number(), done: z.boolean() });
/** Metadata is the file's own: Python writes and reads NaN there, which JSON's own schema refuses. */
const Document = z.object({ kind: z.literal('document'), line: z.int(), text: z.string(), words: z.int(), metadata: z.record(z.string(), z.custom<PlainJson>()) });
const Hit = z.object({ number: z.int(), line: z.int(), excerpt: z.string() });
const Failure = z.object({ code: z.string(), what: Message, next: Message });

export const ToCorpus = z.discriminatedUnion('op', [
  z.object({ op: z.literal('document'), id: z.int(), number: z.int() }),
  z.object({ op: z.literal('search'), id: z.int(), query: z.string(), most: z.int() }),
  z.object({ op: z.literal('cancel'), id: z.int() }),
  z.object({ op: z.literal('close') }),
]);
export type ToCorpus = z.infer<typeof ToCorpus>;

export const FromCorpus = z.discriminatedUnion('op', [
  z.object({ op: z.literal('summary'), summary: Summary }),
  z.object({ op: z.literal('hits'), id: z.int(), hits: z.array(Hit) }),
  z.object({ op: z.literal('done'), id: z.int(), document: Document.nullable() }),
  z.object({ op: z.literal('failed'), id: z.int(), error: Failure }),
  z.object({ op: z.literal('unreadable'), error: Failure }),
]);
export type FromCorpus = z.infer<typeof FromCorpus>;
