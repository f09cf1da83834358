/** Drafts and batches as they are kept between two sessions of the editor. */
import { z } from 'zod';
import { CallCost, Provenance } from '../../shared/design';
import { FileReport, Verdict } from '../../shared/findings';
import { Message } from '../../shared/message';
import { MODEL_ROLES } from '../../shared/modelProfile';
import type { Draft, DesignOptions } from './designer';
import { DIFFICULTIES, KINDS, SKILLS, type DesignKind, type Difficulty, type Skill } from './skills';

const Example = z.object({
  use: z.enum(['seed', 'negative']), gameFile: z.string(), code: z.string(), winRate: z.number(), regret: z.number(),
  reason: z.enum(['too easy', 'too hard']).nullable(), rank: z.number().nullable(), odds: z.number().nullable(),
});
const Task = z.object({
  kind: z.custom<DesignKind>((value) => typeof value === 'string' && value in KINDS),
  skill: z.custom<Skill>((value) => typeof value === 'string' && SKILLS.includes(value)),
  difficulty: z.custom<Difficulty>((value) => typeof value === 'string' && value in DIFFICULTIES),
  themeSeed: z.number(), document: z.object({ id: z.string(), text: z.string() }).nullable(), examples: z.array(Example),
});
const Sampling = z.object({
  temperature: z.number(), topP: z.number(), topK: z.number(), minP: z.number(), maxTokens: z.number(), seed: z.number(),
}).partial();
const Options = z.object({
  task: Task, memory: z.object({ file: z.string().nullable(), drawSeed: z.number().nullable() }).nullable(), sampling: Sampling,
  thinking: z.boolean().optional(), repairs: z.number(), wish: z.string().optional(),
  from: z.object({ code: z.string(), report: FileReport.nullable() }).optional(),
});
const AttemptShape = z.object({
  reply: z.string(), reasoning: z.string(), code: z.string(), report: FileReport.nullable(), problem: z.string().nullable(), cost: CallCost, warnings: z.array(z.string()),
});
const DraftShape = z.object({ attempts: z.array(AttemptShape), code: z.string(), verdict: Verdict.nullable(), provenance: Provenance, cost: CallCost, stopped: z.string().optional() });

const Stored = z.object({
  v: z.literal(1), id: z.int(), uri: z.string(), options: Options, draft: DraftShape,
  costs: z.partialRecord(z.enum(MODEL_ROLES), CallCost), batch: z.int().nullable(), again: z.literal(true).optional(),
});

/** A draft, what it was made with, and what came of it since. */
export interface KeptDraft {
  readonly id: number;
  /** Address of the document that it was written into; empty for one that was never opened. */
  readonly uri: string;
  readonly options: DesignOptions;
  readonly draft: Draft;
  /** Tokens and time of every call for this draft, by role. */
  readonly costs: Partial<Record<(typeof MODEL_ROLES)[number], CallCost>>;
  readonly batch: number | null;
  /** It was made as another one had been: {@link options} are that one's. */
  readonly again?: true;
}

/** The text of a draft's file. */
export function draftText(kept: KeptDraft): string {
  return JSON.stringify({ v: 1, ...kept });
}

/** Reads a draft's file; undefined for what is none, or of another version. */
export function readDraft(text: string): KeptDraft | undefined {
  return parsed(Stored, text) as KeptDraft | undefined;
}

/** How an item of a kept batch ended; a done one names its draft. */
const Item = z.discriminatedUnion('state', [
  z.object({ state: z.literal('done'), draft: z.int() }),
  z.object({ state: z.literal('failed'), code: z.string(), what: Message, next: Message }),
  z.object({ state: z.enum(['queued', 'running', 'cancelled']) }),
]);
export type KeptItem = z.infer<typeof Item>;
const Batch = z.object({ v: z.literal(1), id: z.int(), at: z.number(), tasks: z.array(Options), items: z.array(Item) });

/** Several designs that were asked for together, and how far each is. */
export interface KeptBatch {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tasks: readonly DesignOptions[];
  readonly items: readonly KeptItem[];
}

/** A batch as its file holds it. */
export function batchText(batch: KeptBatch): string {
  return JSON.stringify({ v: 1, ...batch });
}

/** Reads a batch; what was under way when the editor closed has been cancelled. */
export function readBatch(text: string): KeptBatch | undefined {
  const batch = parsed(Batch, text) as KeptBatch | undefined;
  return batch && { ...batch, items: batch.items.map((item) => (item.state === 'running' || item.state === 'queued' ? { state: 'cancelled' } : item)) };
}

function parsed(schema: z.ZodType, text: string): unknown {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
