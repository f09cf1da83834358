/** What the panel of the design prompt and its host say to each other. */
import { z } from 'zod';
import { Message } from './message';
import type { Contract } from './webviewChannel';

/** Where a part comes from, in the order of the legend. */
export const SOURCES = ['task', 'memory', 'document', 'feedback'] as const;
export const PromptSource = z.enum(SOURCES);
export type PromptSource = z.infer<typeof PromptSource>;

/** A part of the prompt to the letter. `flags`: stretches that address the model, offsets in UTF-16 units, end exclusive. */
export const PromptPartView = z.object({
  key: z.string(),
  role: z.enum(['system', 'user', 'assistant']),
  source: PromptSource,
  title: z.string(),
  template: z.object({ name: z.string(), version: z.string(), overridden: z.boolean() }).nullable(),
  origin: z.string().nullable(),
  text: z.string(),
  tokens: z.int(),
  flags: z.array(z.object({ start: z.int(), end: z.int() })),
  /** Another one can be drawn in its place. */
  exchange: z.enum(['document', 'memory']).nullable(),
});
export type PromptPartView = z.infer<typeof PromptPartView>;

/** Which prompt is shown and sent: with everything that is switched on, or without one thing, for comparison. */
export const PromptVariant = z.enum(['full', 'noMemory', 'noDocument']);
export type PromptVariant = z.infer<typeof PromptVariant>;

/** Everything the panel shows. */
export const PromptState = z.object({
  facts: z.array(Message),
  parts: z.array(PromptPartView),
  /** `counted`: by the model's own tokenizer. `limit`: what is left beside the reply; null when the length of the context is not known. */
  tokens: z.object({ total: z.int(), counted: z.boolean(), limit: z.int().nullable() }),
  variant: PromptVariant,
  task: z.object({
    kind: z.string(), kinds: z.array(z.object({ id: z.string(), label: Message })), skill: z.string(), skills: z.array(z.string()),
    difficulty: z.string(), difficulties: z.array(z.string()), themeSeed: z.int(),
    /** Null when the document leads in its stead. */
    theme: z.string().nullable(),
  }),
  document: z.object({ on: z.boolean(), id: z.string().nullable(), facts: z.array(Message), corpus: z.boolean(), problems: z.boolean(), editor: z.string().nullable() }),
  memory: z.object({ on: z.boolean(), run: z.string().nullable(), seeds: z.int(), negatives: z.int(), drawSeed: z.int(), byHand: z.boolean(), facts: z.array(Message) }),
  /** `draft`: the one whose findings may go along; null while there is none. */
  feedback: z.object({ on: z.boolean(), draft: Message.nullable(), wish: z.string() }),
  model: z.object({ name: z.string(), facts: z.array(Message) }),
  drafts: z.int(),
  /** The workspace is not trusted: what it sets is not in use, and nothing is designed. */
  restricted: z.boolean(),
  designing: z.boolean(),
  progress: z.string(),
  problem: z.object({ what: Message, next: Message }).nullable(),
});
export type PromptState = z.infer<typeof PromptState>;

/** A change of the set-up; what is left out stays. */
export const PromptChange = z.object({
  kind: z.string(), skill: z.string(), difficulty: z.string(), themeSeed: z.int().min(0).max(2 ** 31),
  useDocument: z.boolean(), useMemory: z.boolean(), drawSeed: z.int().min(0).max(2 ** 31), seeds: z.int().min(0).max(10), negatives: z.int().min(0).max(10),
  drawn: z.literal(true), useFeedback: z.boolean(), wish: z.string().max(10_000), variant: PromptVariant, drafts: z.int().min(1).max(64),
}).partial();
export type PromptChange = z.infer<typeof PromptChange>;

/** What the panel asks its host to do. */
export const PromptAction = z.enum([
  'nextTheme', 'drawDocument', 'searchDocument', 'chooseCorpus', 'fromEditor', 'problems', 'drawMemory', 'chooseExamples', 'linkRun',
  'design', 'stop', 'openPrompt', 'copyPrompt', 'testConnection', 'chooseModel', 'settings', 'manageTrust',
]);
export type PromptAction = z.infer<typeof PromptAction>;

const done = z.null();

export const PromptHost = {
  requests: {
    ready: { params: z.null(), result: z.object({ strings: z.record(z.string(), z.string()), state: PromptState }) },
    change: { params: PromptChange, result: done },
    act: { params: z.object({ action: PromptAction }), result: done },
    /** Opens where a part comes from (template, record, document), or its text as a document. */
    openPart: { params: z.object({ key: z.string(), what: z.enum(['source', 'text']) }), result: done },
  },
  notes: {},
} satisfies Contract;

export const PromptPage = {
  requests: {},
  notes: {
    state: PromptState,
    /** What the page keeps for its return after a reload of the window; its form is the host's own. */
    keep: z.unknown(),
  },
} satisfies Contract;
