import { z } from 'zod';
import { Interval } from './interval';
import { JsonNumber } from './json';

/** Notices on how a reply was read; the wording lives with the reader. */
export const Notice = z.enum([
  'several-boxes', 'box-in-thinking', 'empty-box', 'unclosed-box', 'no-box', 'nested-arguments-lost', 'braces-in-string-lost', 'stringified-arguments',
  'parameters-key', 'several-calls', 'answer-drops-calls', 'unparsed-call',
]);
export type Notice = z.infer<typeof Notice>;

/** How an episode ended. */
export const EpisodeStatus = z.enum([
  'terminated', 'truncated', 'turn-limit', 'reply-cut', 'context-full', 'step-raised', 'step-timeout', 'policy-failed', 'cancelled',
]);
export type EpisodeStatus = z.infer<typeof EpisodeStatus>;

/** With the hint, or without. */
export const ArmName = z.enum(['noHint', 'hint']);
export type ArmName = z.infer<typeof ArmName>;

/** A tool call the agent made natively. */
export const ToolCall = z.object({ id: z.string(), name: z.string(), arguments: z.json() });
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * One step: what the agent saw (`observation`), what it wrote, what the run reads in it, and what was paid. A native
 * tool call is a step with `reward` null: it neither counts as a turn of the environment nor pays (run contract §4).
 */
export const EpisodeStep = z.object({
  observation: z.string(),
  reply: z.string(),
  thinking: z.string().default(''),
  action: z.string(),
  calls: z.array(ToolCall).default([]),
  /** What each call gave, in the order of the calls. */
  results: z.array(z.object({ callId: z.string(), output: z.string() })).optional(),
  reward: JsonNumber.nullable(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  notices: z.array(Notice),
});
export type EpisodeStep = z.infer<typeof EpisodeStep>;

/**
 * One episode. `return` is the plain reading and null when it is not a number; `runReturn` is what the run computes:
 * the last reward clipped to [-1, 1] when terminated, else 0, NaN becoming 1 (run contract §4).
 */
export const Episode = z.object({
  seed: z.int().nullable(),
  steps: z.array(EpisodeStep),
  /** What the environment said last, after the last step. */
  finalObservation: z.string().default(''),
  return: z.number().nullable(),
  runReturn: z.number(),
  status: EpisodeStatus,
  error: z.string().nullable(),
});
export type Episode = z.infer<typeof Episode>;

/** One arm's episodes in order of seed, and its value: mean of `return`, its interval, share of plays above 0, plays that failed. */
export const ArmReport = z.object({
  episodes: z.array(Episode),
  mean: z.number().nullable(),
  interval: Interval.nullable(),
  winRate: z.number().nullable(),
  failed: z.int(),
});
export type ArmReport = z.infer<typeof ArmReport>;

/** What `play` prints. `paired` pairs plays of one seed; `designer` holds the terms of the designer's reward (run contract §6). */
export const PlayReport = z.object({
  file: z.string(),
  policy: z.string(),
  /** True when no model chose the actions, or the hint came from the samples: the figures say nothing about a model. */
  simulated: z.boolean(),
  /** How the arms were played: the same seeds, or as the run samples them. */
  mode: z.enum(['paired', 'as-run']),
  hint: z.string().nullable(),
  arms: z.object({ noHint: ArmReport, hint: ArmReport.nullable() }),
  paired: z.object({ regret: z.number(), interval: Interval.nullable(), pairs: z.int() }).nullable(),
  /** Regret of arms that are not on the same instances, in mode `as-run`; its interval is of two independent means. */
  unpaired: z.object({ regret: z.number(), interval: Interval.nullable() }).optional(),
  designer: z.object({ plateau: z.number(), regretTerm: z.number().nullable(), blend: z.number().nullable() }).nullable(),
  notes: z.array(z.string()),
  /** Path of the file that the plays are saved in, where they are. */
  session: z.string().optional(),
});
export type PlayReport = z.infer<typeof PlayReport>;
