/** What the memory view and its host say to each other. Texts of records cross as they are and are only ever shown as text. */
import { z } from 'zod';
import { MemoryClass } from './memory';
import { Message } from './message';
import type { Contract } from './webviewChannel';
import { CutText } from './webviewProtocol';

/** An interval of a rate or a regret. */
export const Span = z.object({ lo: z.number(), hi: z.number() });
export type Span = z.infer<typeof Span>;

/** A finding that the bar counts; rows name those they have. */
export const MemoryFindingId = z.enum(['duplicate', 'cut-snippet', 'unknown-skill', 'problem']);
export type MemoryFindingId = z.infer<typeof MemoryFindingId>;

/** One record as the view lists it. Numbers that cannot be read are null. */
export const MemoryRowView = z.object({
  /** The same for the same record in later saves. */
  key: z.string(),
  index: z.int(),
  /** Line of the file where the record begins, from 1; null when the file is not at hand line by line. */
  line: z.int().nullable(),
  /** Name without folders, and the whole path. */
  name: z.string(),
  gameFile: z.string().nullable(),
  skill: z.string().nullable(),
  class: MemoryClass,
  winRate: z.number().nullable(),
  winInterval: Span.nullable(),
  regret: z.number().nullable(),
  regretInterval: Span.nullable(),
  /** Plays and wins without the hint, and pairs; null when unknown: records of the run do not say. */
  plays: z.int().nullable(),
  wins: z.int().nullable(),
  pairs: z.int().nullable(),
  /** Place among all seeds of the skill, from 1, and how many there are; null for what is no seed. */
  rank: z.int().nullable(),
  ranked: z.int(),
  inPool: z.boolean(),
  /** Best and worst rank over the interval of the regret. */
  rankRange: z.object({ best: z.int(), worst: z.int() }).nullable(),
  /** Chance in the next prompt of the skill (exact), and in those until it is evicted, if the pool stays. */
  odds: z.number(),
  oddsByEviction: z.number(),
  /** Regenerations until it is evicted, and the rollout of that; null without a pace. */
  evictedIn: z.int().nullable(),
  evictedAt: z.int().nullable(),
  rollout: z.int().nullable(),
  from: z.enum(['run', 'you']),
  provenance: Message.nullable(),
  findings: z.array(z.object({ id: MemoryFindingId, text: Message })),
});
export type MemoryRowView = z.infer<typeof MemoryRowView>;

/** Everything the memory view shows but what a draw would read. */
export const MemoryState = z.object({
  /** Name of the run, null when none is linked. */
  run: z.string().nullable(),
  file: z.string(),
  liveness: z.object({ state: z.enum(['live', 'stopped', 'not-started']), why: Message }).nullable(),
  /** Rollout, pace and age, in words. */
  facts: z.array(Message),
  /** The newest rollout that is known of the run. */
  rollout: z.int().nullable(),
  /** Why the file cannot be read; the rows are empty then. */
  unreadable: z.object({ what: Message, next: Message, line: z.int().nullable(), backup: z.boolean() }).nullable(),
  /** Why this run does not read its memory. */
  notUsed: Message.nullable(),
  /** What the empty state says below its heading. */
  emptyText: Message,
  capacity: z.int(),
  /** Draws of a prompt, the size of the pool of seeds, and prompts of a skill at a regeneration. */
  seeds: z.int(),
  negatives: z.int(),
  pool: z.int(),
  prompts: z.object({ count: z.number(), assumed: z.boolean() }),
  rows: z.array(MemoryRowView),
});
export type MemoryState = z.infer<typeof MemoryState>;

/** One example of a prompt: what of the record it carries. `cut` is set where the run cuts the text. */
export const ReadPart = z.object({
  use: z.enum(['seed', 'negative']),
  key: z.string().nullable(),
  name: z.string(),
  /** What the prompt says of it beside its text. */
  says: Message,
  text: CutText,
  cut: z.object({ shown: z.int(), length: z.int() }).nullable(),
});
export type ReadPart = z.infer<typeof ReadPart>;

/** One possible draw. */
export const Draw = z.object({
  skill: z.string().nullable(),
  seed: z.int(),
  /** The record that was asked for is in it. */
  holds: z.boolean(),
  tokens: z.int(),
  parts: z.array(ReadPart),
});
export type Draw = z.infer<typeof Draw>;

/** What a link or key of the view does to one record. */
export const RecordAction = z.enum(['open', 'play', 'remove', 'metadata', 'inFile']);
export type RecordAction = z.infer<typeof RecordAction>;

/** What a link of the view does to the whole. */
export const MemoryAction = z.enum(['openFile', 'openBackup', 'refresh', 'push', 'linkRun', 'log']);
export type MemoryAction = z.infer<typeof MemoryAction>;

const done = z.null();

/** What the memory view's host answers. */
export const MemoryHost = {
  requests: {
    ready: { params: z.null(), result: z.object({ strings: z.record(z.string(), z.string()), state: MemoryState }) },
    /** A draw for the skill of a record; without a seed, the first that holds the record where there is one. */
    draw: { params: z.object({ key: z.string(), seed: z.int().nullable() }), result: Draw },
    /** Keys of the records whose file, skill or text holds the words. */
    find: { params: z.object({ query: z.string() }), result: z.object({ keys: z.array(z.string()) }) },
    onRecord: { params: z.object({ key: z.string(), action: RecordAction }), result: done },
    act: { params: z.object({ action: MemoryAction, line: z.int().nullable().default(null) }), result: done },
    openDraw: { params: z.object({ key: z.string(), seed: z.int() }), result: done },
    copyDraw: { params: z.object({ key: z.string(), seed: z.int() }), result: done },
  },
  notes: {},
} satisfies Contract;

/** What the memory view itself takes. `select` chooses a record by its key. */
export const MemoryView = {
  requests: {},
  notes: { state: MemoryState, select: z.object({ key: z.string() }) },
} satisfies Contract;
