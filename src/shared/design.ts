import { z } from 'zod';
import { Verdict } from './findings';

/** Tokens and time of calls; tokens null where the server did not say. */
export const CallCost = z.object({
  calls: z.int(),
  promptTokens: z.int().nullable(),
  completionTokens: z.int().nullable(),
  ms: z.number(),
});
export type CallCost = z.infer<typeof CallCost>;

/** Who made a draft and from what, so that it can be made again. */
export const Provenance = z.object({
  schema: z.literal(1),
  model: z.string(),
  /** True when no model took part. */
  simulated: z.boolean(),
  at: z.iso.datetime(),
  kind: z.string(),
  skill: z.string(),
  difficulty: z.string(),
  /** Null for a draft that is grounded in a document, which leads in its stead. */
  theme: z.string().nullable(),
  themeSeed: z.int(),
  /** SHA-256 of the first prompt's messages, hexadecimal. */
  promptHash: z.string(),
  /** SHA-256 of the template that sends a draft back; only where repairs were allowed. */
  feedbackHash: z.string().optional(),
  /** Version of every template used; `+` after it marks a workspace's own file. */
  templates: z.record(z.string(), z.string()),
  memory: z.object({ file: z.string().nullable(), drawSeed: z.int().nullable(), examples: z.array(z.object({ gameFile: z.string(), use: z.enum(['seed', 'negative']) })) }).nullable(),
  /** `hash`: SHA-256 of the document's text as the prompt held it. */
  document: z.object({ id: z.string(), words: z.int(), usedWords: z.int(), hash: z.string().optional() }).nullable(),
  sampling: z.record(z.string(), z.number()),
  thinking: z.boolean().nullable(),
  /** Drafts made, the last of which is the file. */
  attempts: z.int(),
  /** Repairs that were allowed. */
  repairs: z.int().optional(),
  /** What the designer was told in free words. */
  wish: z.string().optional(),
  /** SHA-256 of the file that this draft mends, and the checks whose findings went with it. */
  from: z.object({ hash: z.string(), findings: z.array(z.string()) }).optional(),
});
export type Provenance = z.infer<typeof Provenance>;

/** One draft as the command line reports it: `file` is null when nothing was written. */
export const DraftReport = z.object({
  file: z.string().nullable(),
  /** Where the first draft is, when the file is a repair of it: a run trains on the first. */
  first: z.string().nullable().optional(),
  verdict: Verdict.nullable(),
  attempts: z.array(z.object({ verdict: Verdict.nullable(), errors: z.array(z.string()), cost: CallCost })),
  provenance: Provenance,
  tokens: CallCost,
});
export type DraftReport = z.infer<typeof DraftReport>;

/** What `design` prints. `failed`: why there are fewer drafts than were asked for. */
export const DesignReport = z.object({ drafts: z.array(DraftReport), failed: z.object({ code: z.string(), message: z.string(), next: z.string() }).optional() });
export type DesignReport = z.infer<typeof DesignReport>;
