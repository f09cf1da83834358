/** What the push panel and its host say to each other. */
import { z } from 'zod';
import { MemoryClass } from './memory';
import { Message } from './message';
import type { Contract } from './webviewChannel';
import { ReadPart } from './webviewMemory';

/** What the panel offers beside a row: it is carried out by the host. */
export const PushAction = z.enum(['play', 'showMemory', 'problems', 'openFile', 'openCut', 'skill', 'launchFlags', 'addLink', 'ledger', 'log']);
export type PushAction = z.infer<typeof PushAction>;

/** A row of "Before you push": the name is true alone. */
export const PushCheck = z.object({
  severity: z.enum(['error', 'warning', 'passed']),
  name: Message,
  texts: z.array(Message),
  action: z.object({ id: PushAction, label: Message }).nullable(),
});
export type PushCheck = z.infer<typeof PushCheck>;

/** A rank of the pool now and after the push; null: it has none. */
export const DisplacedRow = z.object({
  now: z.int().nullable(),
  after: z.int().nullable(),
  name: z.string(),
  regret: z.number().nullable(),
  oddsNow: z.number().nullable(),
  oddsAfter: z.number().nullable(),
  note: z.enum(['this-push', 'older', 'leaves-pool', 'leaves-memory']).nullable(),
  /** The pool ends below this row. */
  poolEnd: z.boolean(),
});
export type DisplacedRow = z.infer<typeof DisplacedRow>;

/** The states of a push in their order. */
export const LINE = ['queued', 'written', 'claimed', 'in-memory', 'drawn', 'evicted'] as const;

/** One state of the line: `at` when it was reached (milliseconds since 1970), else what to expect. */
export const LineStep = z.object({ state: z.enum(LINE), status: z.enum(['done', 'now', 'todo', 'failed']), at: z.number().nullable(), detail: Message });
export type LineStep = z.infer<typeof LineStep>;

/** A push of this run as the ledger knows it. */
export const EarlierPush = z.object({
  id: z.string(),
  name: z.string(),
  at: z.number(),
  line: z.array(LineStep),
  note: Message,
  action: z.enum(['undo', 'again']).nullable(),
});
export type EarlierPush = z.infer<typeof EarlierPush>;

/** Everything the push panel shows. */
export const PushState = z.object({
  file: z.string(),
  name: z.string(),
  run: z.string(),
  liveness: z.object({ state: z.enum(['live', 'stopped', 'not-started']), why: Message }),
  facts: z.array(Message),
  phase: z.enum(['preview', 'pushing', 'pushed', 'failed']),
  /** The file is no longer the text that the preview is of. */
  stale: z.boolean(),
  sentence: z.object({ tone: z.enum(['ok', 'info', 'warning', 'error']), strong: Message, rest: z.array(Message) }),
  figures: z.object({
    class: MemoryClass,
    rank: z.int().nullable(),
    ranked: z.int(),
    rankRange: z.object({ best: z.int(), worst: z.int() }).nullable(),
    odds: z.number(),
    drawn: z.object({ of: z.int(), take: z.int() }).nullable(),
    oddsByEviction: z.number(),
    prompts: z.object({ count: z.number(), assumed: z.boolean() }),
    evictedIn: z.int().nullable(),
    evictedAt: z.int().nullable(),
  }),
  checks: z.array(PushCheck),
  displaces: z.object({ summary: z.array(Message), rows: z.array(DisplacedRow) }),
  /** The seven keys in the order of the file, with the value as it is written there and where it comes from. */
  record: z.array(z.object({ key: z.string(), value: z.string(), source: Message })),
  metadata: z.string(),
  reading: z.object({ tokens: z.int(), part: ReadPart }).nullable(),
  line: z.array(LineStep),
  foot: z.array(Message),
  /** The foot offers to add the link module. */
  offersLink: z.boolean(),
  /** How Push stands: primary, secondary with a reason, or gone. */
  push: z.enum(['push', 'anyway', 'none']),
  undo: Message.nullable(),
  receipts: z.array(z.object({ at: z.number(), state: z.string(), note: z.string() })),
  earlier: z.array(EarlierPush),
  /** What the page keeps, so that the push can be looked at again after a reload. */
  kept: z.json(),
});
export type PushState = z.infer<typeof PushState>;

const done = z.null();

/** What the push panel's host answers. */
export const PushHost = {
  requests: {
    ready: { params: z.null(), result: z.object({ strings: z.record(z.string(), z.string()), state: PushState }) },
    /** Pushes; past errors the host asks for a reason first. */
    push: { params: z.null(), result: done },
    undo: { params: z.object({ id: z.string().nullable() }), result: done },
    again: { params: z.object({ id: z.string() }), result: done },
    close: { params: z.null(), result: done },
    act: { params: z.object({ action: PushAction }), result: done },
    copyRecord: { params: z.null(), result: done },
    openReading: { params: z.null(), result: done },
  },
  notes: {},
} satisfies Contract;

/** What the push panel itself takes. */
export const PushView = { requests: {}, notes: { state: PushState } } satisfies Contract;
