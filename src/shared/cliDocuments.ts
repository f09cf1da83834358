/** What the command line prints with `--json`: one document a command. Lines and columns count from 1. */
import { z } from 'zod';
import { Evidence, Profile, Range, Severity, Stage, TextEdit, Verdict } from './findings';
import { Interval } from './interval';
import { JsonNumber } from './json';
import { Backend, Launch } from './launch';
import { MemoryClass, MemoryRecord } from './memory';
import { ArmName, EpisodeStatus, Notice } from './play';

/** Printed in place of the document of any command that could not give one. */
export const ErrorDocument = z.object({ error: z.object({ code: z.string(), message: z.string(), next: z.string() }) });
export type ErrorDocument = z.infer<typeof ErrorDocument>;

/** A finding with its texts in English. */
export const CliFinding = Range.extend({
  id: z.string(),
  severity: Severity,
  message: z.string(),
  stage: Stage,
  evidence: Evidence.nullable(),
  fix: z.object({ title: z.string(), edits: z.array(TextEdit) }).nullable(),
  related: z.array(Range.extend({ message: z.string() })),
});
export type CliFinding = z.infer<typeof CliFinding>;

/** `check`. */
export const CheckDocument = z.object({
  files: z.array(z.object({
    file: z.string(),
    verdict: Verdict,
    class: z.string().nullable(),
    profile: Profile.nullable(),
    findings: z.array(CliFinding),
    suppressed: z.array(CliFinding),
    /** Silencings of the user that do nothing any more; left out when there are none. */
    staleSuppressions: z.array(z.object({ id: z.string(), reason: z.string() })).optional(),
    /** Checks of which an error was made less by the severities given; left out when there are none. */
    lowered: z.array(z.string()).optional(),
    notChecked: z.array(z.object({ id: z.string(), reason: z.string() })),
    timing: z.object({ staticMs: z.number(), probeMs: z.number().nullable() }),
  })),
});
export type CheckDocument = z.infer<typeof CheckDocument>;

/** `audit`. `duplicates` are copies to the letter (similarity 1) or by structure; `holes` are pairs of skill and difficulty that no file has. */
export const AuditDocument = z.object({
  files: z.array(z.object({
    file: z.string(), hash: z.string().nullable(), verdict: Verdict, class: z.string().nullable(), profile: Profile.nullable(), skill: z.string().nullable(),
    errors: z.int(), warnings: z.int(), infos: z.int(), notMade: z.int(),
  })),
  /** Python files that hold no environment. */
  helpers: z.array(z.string()),
  verdicts: z.record(Verdict, z.int()),
  checks: z.array(z.object({ id: z.string(), severity: Severity, files: z.int(), findings: z.int() })),
  notMade: z.array(z.object({ id: z.string(), files: z.int() })),
  duplicates: z.array(z.object({ files: z.array(z.string()), similarity: z.number() })),
  coverage: z.object({
    bySkill: z.record(z.string(), z.int()), byDifficulty: z.record(z.string(), z.int()), byKind: z.record(z.string(), z.int()), byBand: z.record(z.string(), z.int()),
    holes: z.array(z.object({ skill: z.string(), difficulty: z.string() })),
  }),
  worst: z.array(z.string()),
  /** Contents judged now, and those taken over from an earlier audit; times in milliseconds, that of the sandbox over all files. */
  judged: z.int(),
  reused: z.int(),
  wallMs: z.number(),
  sandboxMs: z.number(),
  reports: z.array(z.string()),
});
export type AuditDocument = z.infer<typeof AuditDocument>;

/** `curriculum`. `problems` are files that were left out; `not-played` ones cannot be in a memory file. */
export const CurriculumDocument = z.object({
  name: z.string(),
  entries: z.array(z.object({
    file: z.string(), contentHash: z.string(), skill: z.string(), difficulty: z.enum(['easy', 'medium', 'hard']).nullable(), kind: z.string().nullable(), hint: z.string().nullable(), note: z.string(),
    outcome: z.object({ winRate: z.number(), regret: z.number(), plays: z.int().nullable(), simulated: z.boolean() }).nullable(),
  })),
  problems: z.array(z.object({ file: z.string(), why: z.enum(['missing', 'damaged', 'not-played']) })),
  coverage: AuditDocument.shape.coverage,
});
export type CurriculumDocument = z.infer<typeof CurriculumDocument>;

const Call = z.object({ name: z.json(), arguments: z.json(), id: z.string() });

/** `read --reply`. `calls` are those the run's native path reads; `writtenCalls` the same as they were written. */
export const ReplyDocument = z.object({
  boxed: z.string().nullable(),
  action: z.string(),
  answer: z.string().nullable(),
  calls: z.array(Call),
  writtenCalls: z.array(Call),
  notices: z.array(Notice),
});
export type ReplyDocument = z.infer<typeof ReplyDocument>;

/** The document of `read FILE`: texts, to be filled with what the run reads in them. */
export const ReadDocument = z.strictObject(Object.fromEntries(
  (['extract_boxed_answer', 'parse_action_boxed', 'parse_tool_calls', 'extract_game_code'] as const)
    .map((section) => [section, z.array(z.looseObject({ text: z.string() })).optional()]),
));
export type ReadDocument = z.infer<typeof ReadDocument>;

const Warning = z.object({ id: z.string(), severity: Severity, message: z.string() });

/** `memory show`. What a record does not hold as the run needs it is null; `problems` say why. */
export const MemoryDocument = z.object({
  file: z.string(),
  records: z.array(z.object({
    index: z.int(),
    gameFile: z.string().nullable(),
    skill: z.string().nullable(),
    winRate: JsonNumber.nullable(),
    regret: JsonNumber.nullable(),
    rolloutId: JsonNumber.nullable(),
    metadata: z.json(),
    class: MemoryClass,
    poolRank: z.int().min(1).nullable(),
    odds: z.number(),
    evictedAfterAdds: z.int().min(1),
    warnings: z.array(Warning),
  })),
  pools: z.record(z.string(), z.object({ seeds: z.array(z.int()), negatives: z.array(z.int()) })),
  problems: z.array(Warning.extend({ index: z.int(), line: z.int() })),
});
export type MemoryDocument = z.infer<typeof MemoryDocument>;

/** `memory push` and `memory preview`. `file` is the memory the record is for; `backup` the copy made of it before. */
export const PushDocument = z.object({
  state: z.enum(['written', 'queued', 'refused', 'preview']),
  id: z.string().nullable(),
  file: z.string(),
  record: MemoryRecord,
  class: MemoryClass,
  poolRank: z.int().nullable(),
  odds: z.number(),
  evictedAfterAdds: z.int(),
  evictedAfterRegenerations: z.int(),
  oddsByEviction: z.number(),
  /** Records a regeneration, prompts of a skill at one in which it designs, and the share of those; `assumed` without the run's flags. */
  pace: z.object({ records: z.number(), prompts: z.number(), share: z.number(), assumed: z.boolean() }),
  displaces: z.array(z.object({ index: z.int(), gameFile: z.string().nullable(), from: z.enum(['memory', 'pool']) })),
  warnings: z.array(Warning),
  live: z.boolean(),
  note: z.string(),
  backup: z.string().nullable(),
});
export type PushDocument = z.infer<typeof PushDocument>;

/** `memory remove`. */
export const RemoveDocument = z.object({
  state: z.enum(['removed', 'asked', 'cancelled', 'refused', 'not-found']), file: z.string(), gameFile: z.string(), note: z.string(), backup: z.string().nullable(),
});
export type RemoveDocument = z.infer<typeof RemoveDocument>;

/** `memory sync`; `at` is ISO 8601. */
export const SyncDocument = z.object({
  pushes: z.array(z.object({ id: z.string(), state: z.string(), gameFile: z.string(), at: z.string(), note: z.string() })),
});
export type SyncDocument = z.infer<typeof SyncDocument>;

/** `run link-module`: the module's folder, a shell command for each way to add it, and the flag of the launch line. */
export const LinkModuleDocument = z.object({ folder: z.string(), pip: z.string(), pythonPath: z.string(), flag: z.string() });
export type LinkModuleDocument = z.infer<typeof LinkModuleDocument>;

/** `corpus`. `documents` counts them; `first` are the first few; `words` those of the whole document. */
export const CorpusDocumentReport = z.object({
  documents: z.int(),
  problems: z.array(z.object({ line: z.int(), why: z.string() })),
  blank: z.int(),
  first: z.array(z.object({ line: z.int(), words: z.int(), metadata: z.json() })),
});
export type CorpusDocumentReport = z.infer<typeof CorpusDocumentReport>;

/** `run show`. `live` is judged by the times of the folders, `lastChange` is the newest of them. */
export const RunDocument = z.object({
  dir: z.string(),
  backend: z.string().nullable(),
  live: z.boolean(),
  state: z.enum(['not-started', 'live', 'stopped']),
  why: z.string(),
  lastChange: z.string().nullable(),
  rollout: z.int().nullable(),
  interval: z.int().nullable(),
  /** `used`: whether the run reads its memory, null when that is not known. */
  memory: z.object({ file: z.string(), exists: z.boolean(), records: z.int().nullable(), problems: z.int(), used: z.boolean().nullable(), why: z.array(z.string()) }),
  link: z.object({ alive: z.boolean(), rollout: z.int(), memorySize: z.int().nullable(), at: z.string() }).nullable(),
  /** The kept flags and where they were read; null when none are known. */
  launch: Launch.nullable(),
  games: z.array(z.object({ file: z.string(), rollout: z.int(), index: z.int(), inPlay: z.boolean(), hint: z.string().nullable() })),
  rejects: z.array(z.object({ file: z.string(), rollout: z.int().nullable(), stage: z.string(), reason: z.string().nullable() })),
  hints: z.array(z.string()),
  problems: z.array(z.string()),
});
export type RunDocument = z.infer<typeof RunDocument>;

/** `run processes`, `run jobs`: where flags of a run can be read from. Of a launch line only the kept flags are in it. */
export const RunSourcesDocument = z.object({
  sources: z.array(z.object({ id: z.string(), status: z.string(), backend: Backend.nullable(), cacheDir: z.string().nullable(), flags: Launch.shape.flags })),
});
export type RunSourcesDocument = z.infer<typeof RunSourcesDocument>;

/** `memory ledger`: every push, undo and receipt, in the order it was noted; `at` is ISO 8601. */
export const LedgerDocument = z.object({
  events: z.array(z.object({
    at: z.string(), id: z.string(), state: z.string(), memoryFile: z.string(), gameFile: z.string(), note: z.string(), record: MemoryRecord.nullable(), inbox: z.string().nullable(),
  })),
  unreadable: z.int(),
});
export type LedgerDocument = z.infer<typeof LedgerDocument>;

/** `doctor`. */
export const DoctorDocument = z.object({
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), next: z.string().nullable() })),
});
export type DoctorDocument = z.infer<typeof DoctorDocument>;

const ComparedArm = z.object({ mean: z.number().nullable(), interval: Interval.nullable(), n: z.int(), failed: z.int() });

/**
 * `play --replay` and `play --compare`: an earlier session and a later one. `changes` are the episodes that came out otherwise, those whose
 * outcome flipped first; `step` counts from 1.
 */
export const ComparisonDocument = z.object({
  before: z.string(),
  after: z.string(),
  arms: z.array(z.object({
    arm: ArmName, before: ComparedArm, after: ComparedArm,
    difference: z.object({ value: z.number(), interval: Interval.nullable(), n: z.int(), paired: z.boolean() }).nullable(),
  })),
  regret: z.object({ before: z.number().nullable(), after: z.number().nullable() }),
  compared: z.int(),
  flipped: z.int(),
  changes: z.array(z.object({
    arm: ArmName, seed: z.int().nullable(), play: z.int(), kind: z.enum(['flipped', 'return', 'steps']), step: z.int().nullable(),
    before: z.object({ status: EpisodeStatus, return: z.number().nullable() }), after: z.object({ status: EpisodeStatus, return: z.number().nullable() }),
  })),
  differences: z.array(z.string()),
});
export type ComparisonDocument = z.infer<typeof ComparisonDocument>;

/** `play --sessions`: the saved sessions of the folder, the newest first; `at` is ISO 8601. */
export const SessionsDocument = z.object({
  sessions: z.array(z.object({
    id: z.string(), path: z.string(), at: z.string(), file: z.string(), policy: z.string(), planned: z.int(), missing: z.int(), damagedLines: z.int(),
    noHint: z.object({ mean: z.number().nullable(), n: z.int() }), hint: z.object({ mean: z.number().nullable(), n: z.int() }).nullable(),
  })),
  unreadable: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type SessionsDocument = z.infer<typeof SessionsDocument>;
