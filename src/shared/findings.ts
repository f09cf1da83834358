import { z } from 'zod';
import { Message } from './message';

/** Severity of a finding, as the check catalog names it. */
export const Severity = z.enum(['error', 'warning', 'info']);
export type Severity = z.infer<typeof Severity>;

/** What a file is judged, the first that applies (check catalog, "Verdict of a file"). */
export const Verdict = z.enum(['reject', 'cannot-run', 'accept-with-warnings', 'accept']);
export type Verdict = z.infer<typeof Verdict>;

/**
 * What kind of environment a file is: `s` single-turn, `m` multi-turn, `c` corpus-grounded, `t` tool use, `u` tool use
 * with several user messages.
 */
export const Profile = z.enum(['s', 'm', 'c', 't', 'u']);
export type Profile = z.infer<typeof Profile>;

/** Where a finding comes from: the syntax tree, a run in the sandbox, played episodes, a model's opinion. */
export const Stage = z.enum(['static', 'probe', 'play', 'screen']);
export type Stage = z.infer<typeof Stage>;

/** A range in a file; lines and columns count from 1, the end is exclusive, columns are UTF-16 units. */
export const Range = z.object({
  line: z.int().min(1),
  column: z.int().min(1),
  endLine: z.int().min(1),
  endColumn: z.int().min(1),
});
export type Range = z.infer<typeof Range>;

/** One replacement of a fix. */
export const TextEdit = Range.extend({ newText: z.string() });
export type TextEdit = z.infer<typeof TextEdit>;

/** A change that mends a finding; edits do not overlap and refer to the text that was checked. */
export const Fix = z.object({ title: Message, edits: z.array(TextEdit).min(1) });
export type Fix = z.infer<typeof Fix>;

/** What a probe saw. `seed` and `actions` replay it; `expected` and `actual` are the two values that differ. */
export const Evidence = z.object({
  seed: z.union([z.int(), z.null()]).optional(),
  actions: z.array(z.string()).optional(),
  /** Turn limit that the instance was built with, where it was not the class's own. */
  maxTurns: z.int().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  traceback: z.array(z.string()).optional(),
  seeds: z.array(z.int()).optional(),
  detail: z.string().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** One finding of one check. All text that came from the environment is untrusted and only ever shown as text. */
export const Finding = Range.extend({
  id: z.string(),
  severity: Severity,
  message: Message,
  stage: Stage,
  evidence: Evidence.nullable(),
  fix: Fix.nullable(),
  related: z.array(Range.extend({ message: Message })).default([]),
});
export type Finding = z.infer<typeof Finding>;

/** A check that could not be made, and why. */
export const NotChecked = z.object({ id: z.string(), reason: Message });
export type NotChecked = z.infer<typeof NotChecked>;

/** A silencing that the user recorded and that no longer does anything, and why. */
export const StaleSuppression = z.object({ id: z.string(), reason: Message });
export type StaleSuppression = z.infer<typeof StaleSuppression>;

/** The judgement of one file; `class` is the class that the run's loader picks, null when there is none. */
export const FileReport = z.object({
  file: z.string(),
  verdict: Verdict,
  class: z.string().nullable(),
  profile: Profile.nullable(),
  findings: z.array(Finding),
  suppressed: z.array(Finding),
  staleSuppressions: z.array(StaleSuppression).optional(),
  /** Checks of which the user's severities made an error less; left out when there are none. */
  lowered: z.array(z.string()).optional(),
  notChecked: z.array(NotChecked),
  timing: z.object({ staticMs: z.number(), probeMs: z.number().nullable() }),
});
export type FileReport = z.infer<typeof FileReport>;
