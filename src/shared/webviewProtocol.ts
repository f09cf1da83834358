/**
 * What the panels and their hosts say to each other. Texts of environments and models cross as they are, cut to
 * {@link TEXT_LIMIT}, and are only ever shown as text.
 */
import { z } from 'zod';
import { Verdict } from './findings';
import { JsonNumber } from './json';
import { Message } from './message';
import { ArmName, EpisodeStatus, Notice, ToolCall } from './play';
import type { Contract } from './webviewChannel';

/** Code points of one text that cross at once; the rest opens as a document. */
export const TEXT_LIMIT = 20_000;

/** A number with what it rests on. `value` null: nothing measured yet. */
export const Figure = z.object({
  value: z.number().nullable(),
  interval: z.object({ lo: z.number(), hi: z.number() }).nullable(),
  /** Computed from the file and not from plays: it has no interval. */
  exact: z.boolean().default(false),
  /** Plays or pairs; null when unknown. */
  n: z.int().nullable(),
  unit: z.enum(['plays', 'pairs', 'wins']),
  /** Plays won, for `wins`. */
  wins: z.int().default(0),
  /** The ratio before the term was clipped, null when it was not; `rawInterval` is its interval. */
  raw: z.number().nullable().default(null),
  rawInterval: z.object({ lo: z.number(), hi: z.number() }).nullable().default(null),
});
export type Figure = z.infer<typeof Figure>;

/** Weights and band of the designer's reward (run contract §6), and where they come from. */
export const Weights = z.object({
  plateau: z.number(),
  regret: z.number(),
  regretScale: z.number(),
  lo: z.number(),
  hi: z.number(),
  ramp: z.number(),
  source: Message,
});
export type Weights = z.infer<typeof Weights>;

/** A sentence of the value strip: `strong` is true alone; the tone picks the shape before it. */
export const Sentence = z.object({ tone: z.enum(['ok', 'info', 'warning', 'none']), strong: Message.nullable(), rest: z.array(Message) });
export type Sentence = z.infer<typeof Sentence>;

/** The value strip. */
export const ValueView = z.object({
  mean: z.object({ hint: Figure, noHint: Figure, regret: Figure }),
  winRate: z.object({ hint: Figure, noHint: Figure }),
  designer: z.object({ plateau: Figure, regretTerm: Figure, blend: Figure }),
  weights: Weights,
  provisional: z.boolean(),
  sentences: z.array(Sentence),
});
export type ValueView = z.infer<typeof ValueView>;

/** How an episode stands. */
export const CellStatus = z.union([z.enum(['queued', 'running']), EpisodeStatus]);
export type CellStatus = z.infer<typeof CellStatus>;

/** One episode in the strip. `rewards` are the raw rewards by step, null for a tool call. */
export const Cell = z.object({
  status: CellStatus,
  return: z.number().nullable(),
  runReturn: z.number(),
  steps: z.int(),
  rewards: z.array(JsonNumber.nullable()),
});
export type Cell = z.infer<typeof Cell>;

/** One column of the strip: in paired mode both arms' play of one instance, as-run two unrelated plays. */
export const Slot = z.object({
  seed: z.int().nullable(),
  play: z.int(),
  hint: Cell.nullable(),
  noHint: Cell.nullable(),
  gap: z.number().nullable(),
});
export type Slot = z.infer<typeof Slot>;

/** Who plays. */
export const PolicyId = z.enum(['model', 'simulated', 'oracle', 'random', 'noop', 'script', 'human', 'cheats']);
export type PolicyId = z.infer<typeof PolicyId>;

/** A policy as offered; `why` says what it does, or why it cannot be had. */
export const PolicyChoice = z.object({ id: PolicyId, label: Message, why: Message, available: z.boolean(), usesHint: z.boolean() });
export type PolicyChoice = z.infer<typeof PolicyChoice>;

/** What the user asks to be played. `hint` null or empty: the arm without a hint alone. Chances belong to the simulated learner. */
export const PlaySettings = z.object({
  policy: PolicyId,
  hint: z.string().nullable(),
  seeds: z.string(),
  plays: z.int().min(1).max(1000),
  mode: z.enum(['paired', 'as-run']),
  chance: z.number().min(0).max(1),
  chanceHint: z.number().min(0).max(1),
});
export type PlaySettings = z.infer<typeof PlaySettings>;

/** A hint that can be chosen. */
export const HintChoice = z.object({ id: z.string(), label: Message, text: z.string() });
export type HintChoice = z.infer<typeof HintChoice>;

/** What the host can do beyond playing; what it cannot is not offered. */
export const Ability = z.enum(['writeHint', 'inspect', 'replay', 'takeOver', 'debug', 'sessions', 'compare', 'push', 'export', 'extend']);
export type Ability = z.infer<typeof Ability>;

/** A field of a tool's form. `json` takes any value as JSON; `choice` one of `choices`, each the JSON of a value. */
export const ToolField = z.object({
  name: z.string(),
  type: z.enum(['text', 'integer', 'number', 'boolean', 'choice', 'json']),
  choices: z.array(z.string()),
  required: z.boolean(),
  description: z.string(),
});
export type ToolField = z.infer<typeof ToolField>;

/** A tool as a form. All texts are the environment's. */
export const ToolForm = z.object({ name: z.string(), description: z.string(), fields: z.array(ToolField) });
export type ToolForm = z.infer<typeof ToolForm>;

/** A person is to move: where, and with what. `step` counts from 1. */
export const HumanTurn = z.object({ arm: ArmName, slot: z.int(), step: z.int(), toolUse: z.boolean(), tools: z.array(ToolForm) });
export type HumanTurn = z.infer<typeof HumanTurn>;

/** What a person does: a reply as an agent would write it, one native call, or nothing more in this episode. */
export const HumanMove = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), text: z.string() }),
  z.object({ kind: z.literal('call'), name: z.string(), arguments: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('end') }),
]);
export type HumanMove = z.infer<typeof HumanMove>;

const ComparedEnd = z.object({ status: EpisodeStatus, return: z.number().nullable() });
/** An episode that came out otherwise than in the earlier session; `slot` is its place in the strip. */
export const EpisodeChangeView = z.object({
  arm: ArmName, seed: z.int().nullable(), play: z.int(), slot: z.int(), kind: z.enum(['flipped', 'return', 'steps']),
  before: ComparedEnd, after: ComparedEnd, step: z.int().nullable(),
});
export type EpisodeChangeView = z.infer<typeof EpisodeChangeView>;

/** The session on screen beside an earlier one. `changes` holds the first of them, `changed` and `flipped` count all. */
export const ComparisonView = z.object({
  other: Message,
  isReplay: z.boolean(),
  rows: z.array(z.object({ name: Message, before: Figure, after: Figure, difference: Figure.nullable(), paired: z.boolean() })),
  differences: z.array(Message),
  compared: z.int(),
  flipped: z.int(),
  changed: z.int(),
  changes: z.array(EpisodeChangeView),
});
export type ComparisonView = z.infer<typeof ComparisonView>;

/** Everything the player shows but the transcripts. */
export const PlayerState = z.object({
  uri: z.string(),
  file: z.string(),
  className: z.string().nullable(),
  /** Skill and difficulty, kind, profile. */
  facts: z.array(Message),
  verdict: z.object({ verdict: Verdict, detail: z.string(), count: z.int() }).nullable(),
  session: Message,
  /** Id of the session as it is saved, null when it is not. */
  sessionId: z.string().nullable(),
  /** What must be said of the session: damaged lines, a text that was edited since, that it could not be saved. */
  sessionNotes: z.array(Message),
  /** Episodes that were planned and not played to an end. */
  missing: z.int(),
  /** Pairs that would be played in addition, so that it can be told whether the hint is worth something; null when that is not the question. */
  morePairs: z.int().nullable(),
  human: HumanTurn.nullable(),
  comparison: ComparisonView.nullable(),
  /** Set when no model takes part in what is shown: says what does. */
  notModel: Message.nullable(),
  phase: z.enum(['idle', 'running', 'stopping']),
  settings: PlaySettings,
  /** How the episodes of the strip were played; the settings may already ask for another way. */
  mode: PlaySettings.shape.mode,
  policies: z.array(PolicyChoice),
  hints: z.array(HintChoice),
  progress: z.object({
    total: z.int(), done: z.int(), failed: z.int(), running: z.int(),
    elapsedMs: z.number(), remainingMs: z.number().nullable(),
    tokens: z.int().nullable(), tokensEstimated: z.boolean(),
  }),
  /** Why plays failed, one line each, with the seeds. */
  failures: z.array(Message),
  values: ValueView.nullable(),
  slots: z.array(Slot),
  /** Turn budget an episode, null when unknown. */
  maxSteps: z.int().nullable(),
  /** Facts of the empty state: what the endpoint answered, what the sandbox is. */
  setup: z.array(z.object({ name: Message, detail: Message })),
  can: z.array(Ability),
});
export type PlayerState = z.infer<typeof PlayerState>;

/** A text, cut for the crossing; `length` counts code points and `lines` lines of all of it. */
export const CutText = z.object({ text: z.string(), length: z.int(), lines: z.int() });
export type CutText = z.infer<typeof CutText>;

/** What the run makes of a step's reward (run contract §4, §5). `value` is what trains, where something does. */
export const Outcome = z.object({
  kind: z.enum([
    'trains', 'clipped', 'nan-wins', 'not-terminal', 'lost-truncated', 'tool-call', 'raised', 'failed-counts-zero', 'failed-dropped', 'cancelled',
    'pending',
  ]),
  value: z.number().nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

/** One step of a transcript; `step` counts from 1. `result` is what the environment answered, where that is shown in the step. */
export const StepView = z.object({
  step: z.int(),
  observation: CutText,
  thinking: CutText,
  reply: CutText,
  action: z.string(),
  calls: z.array(ToolCall),
  result: CutText.nullable(),
  reward: JsonNumber.nullable(),
  notices: z.array(z.object({ id: z.union([Notice, z.literal('reply-cut')]), text: Message })),
  outcome: Outcome,
  /** The line that returned, when the step was traced. */
  line: z.int().nullable(),
  ms: z.number().nullable(),
  tokens: z.int().nullable(),
});
export type StepView = z.infer<typeof StepView>;

/** One episode in full. `live` is the step being played. */
export const Transcript = z.object({
  seed: z.int().nullable(),
  status: CellStatus,
  return: z.number().nullable(),
  runReturn: z.number(),
  hint: z.string().nullable(),
  steps: z.array(StepView),
  live: z.object({ step: z.int(), observation: CutText, thinking: z.string(), reply: z.string() }).nullable(),
  finalObservation: CutText.nullable(),
  error: z.string().nullable(),
});
export type Transcript = z.infer<typeof Transcript>;

/** Where the two arms part first: action or observation, the hint left out. */
export const Divergence = z.object({ step: z.int(), part: z.enum(['observation', 'reply', 'call', 'end']) });
export type Divergence = z.infer<typeof Divergence>;

/** Both columns show one arm: two seeds of it, or with `other` the episode of the earlier session in the first column. */
export const PairCompare = z.object({ arm: ArmName, other: z.boolean() });
export type PairCompare = z.infer<typeof PairCompare>;

/** The two episodes that the view watches. */
export const TranscriptPair = z.object({
  slots: z.object({ hint: z.int().nullable(), noHint: z.int().nullable() }),
  compare: PairCompare.nullable(),
  /** What stands above the columns in place of the arms' names. */
  titles: z.object({ hint: Message, noHint: Message }).nullable(),
  hint: Transcript.nullable(),
  noHint: Transcript.nullable(),
  divergence: Divergence.nullable(),
});
export type TranscriptPair = z.infer<typeof TranscriptPair>;

/** Where an episode is in the strip. */
export const EpisodeRef = z.object({ arm: ArmName, slot: z.int() });
export type EpisodeRef = z.infer<typeof EpisodeRef>;
/** `other`: the slot is of the session that is compared with. */
export const StepRef = EpisodeRef.extend({ step: z.int(), other: z.boolean().optional() });
export type StepRef = z.infer<typeof StepRef>;

/** Text that a model is writing, or the end of a step. */
export const StreamItem = z.discriminatedUnion('kind', [
  EpisodeRef.extend({ kind: z.literal('begin'), step: z.int(), observation: CutText }),
  EpisodeRef.extend({ kind: z.literal('text'), step: z.int(), text: z.string() }),
  EpisodeRef.extend({ kind: z.literal('thinking'), step: z.int(), text: z.string() }),
  EpisodeRef.extend({ kind: z.literal('step'), view: StepView }),
]);
export type StreamItem = z.infer<typeof StreamItem>;

/** What the inspector shows of a step, found by playing its actions again with tracing on. */
export const Inspection = z.object({
  lines: z.object({
    function: z.string(),
    from: z.int(),
    to: z.int(),
    code: z.array(z.object({ line: z.int(), text: z.string(), ran: z.boolean(), paid: z.boolean() })),
  }).nullable(),
  state: z.object({ changed: z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() })), unchanged: z.array(z.string()) }).nullable(),
  /** Why a part is missing, or how the replay differed. */
  notes: z.array(Message),
});
export type Inspection = z.infer<typeof Inspection>;

/** A part of a step that opens as a document or is copied whole. */
export const TextPart = z.enum(['observation', 'thinking', 'reply', 'action', 'result', 'transcript']);
export type TextPart = z.infer<typeof TextPart>;

/** What a link of the player opens in the editor. */
export const OpenTarget = z.enum(['file', 'lines', 'problems', 'log', 'weights', 'session', 'compare', 'export', 'push', 'endpoint', 'settings']);
export type OpenTarget = z.infer<typeof OpenTarget>;

const done = z.null();

/** What the player's host answers. */
export const PlayerHost = {
  requests: {
    ready: { params: z.null(), result: z.object({ strings: z.record(z.string(), z.string()), state: PlayerState }) },
    start: { params: PlaySettings, result: done },
    retry: { params: z.null(), result: done },
    /** Plays what was not played to an end. */
    resume: { params: z.null(), result: done },
    /** Plays so many further seeds. */
    extend: { params: z.object({ pairs: z.int().min(1).max(1000) }), result: done },
    humanMove: { params: HumanMove, result: done },
    /** Plays all saved actions on the file as it is now. */
    replayAll: { params: z.null(), result: done },
    /** Puts the earlier session of the comparison back on screen, or only ends the comparison. */
    endComparison: { params: z.object({ back: z.boolean() }), result: done },
    writeHint: { params: z.null(), result: z.object({ text: z.string() }) },
    inspect: { params: StepRef, result: Inspection },
    replay: { params: StepRef, result: done },
    takeOver: { params: StepRef, result: done },
    debug: { params: StepRef, result: done },
    open: { params: z.object({ target: OpenTarget, line: z.int().nullable().default(null) }), result: done },
    openText: { params: StepRef.extend({ part: TextPart }), result: done },
    copyText: { params: StepRef.extend({ part: TextPart }), result: done },
  },
  notes: {
    /** The user changed the settings; they are kept with the panel. */
    settings: PlaySettings,
    /** The episodes on screen: the host streams these and no others. */
    watch: z.object({ hint: z.int().nullable(), noHint: z.int().nullable(), compare: PairCompare.nullable() }),
    /** Ends all plays, or one. */
    stop: EpisodeRef.nullable(),
  },
} satisfies Contract;

/** What the player itself takes. */
export const PlayerView = {
  requests: {},
  notes: { state: PlayerState, pair: TranscriptPair, stream: z.array(StreamItem) },
} satisfies Contract;
