/**
 * The protocol between Envwright and the Python host that runs one environment inside the sandbox.
 *
 * A frame is a 4-byte big-endian length and that many bytes of UTF-8 JSON, both ways, on a descriptor of its own (never
 * stdout: environments print). Node sends a {@link HostRequest}; the host answers with any number of events and then one
 * reply that carries the same `id`. A request may say by `lookUs` how many microseconds the host should look for the next one
 * before it sleeps. Python text with lone surrogates crosses as JSON escapes; numbers that JSON cannot
 * hold cross as {@link WireValue}.
 */
import { z } from 'zod';
import { JsonNumber } from './json';

/** Version of this protocol; the host's greeting must name the same. */
export const HOST_PROTOCOL = 1;

/** Longest frame either side accepts, in bytes. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A Python value as far as it can cross: its type, its text, and its number or JSON form where it has one. */
export const WireValue = z.object({
  /** Type name, qualified by its module unless built in: `float`, `numpy.bool_`, `NoneType`. */
  type: z.string(),
  /** The built-in type that it is an instance of where its own is built on one: what an `isinstance` of the run sees. */
  base: z.enum(['bool', 'int', 'float', 'str', 'dict']).optional(),
  /** `repr`, cut to the host's limit. */
  repr: z.string(),
  /** The value of an int, float, bool or numpy number; integers beyond 2^53 only in `repr`. */
  number: JsonNumber.optional(),
  /** The value where plain JSON holds it without loss (text, bool, null, lists and dicts of such). */
  json: z.json().optional(),
});
export type WireValue = z.infer<typeof WireValue>;

/** Text from an environment, cut to the observation limit; `length` counts code points before the cut. */
export const WireText = z.object({ type: z.string(), base: z.literal('str').optional(), text: z.string(), length: z.int(), cut: z.boolean() });
export type WireText = z.infer<typeof WireText>;

/** One frame of a traceback, outermost first; `inFile` marks the environment's own file, `line` counts from 1. */
export const TraceFrame = z.object({ file: z.string(), line: z.int(), function: z.string(), inFile: z.boolean() });
export type TraceFrame = z.infer<typeof TraceFrame>;

/** Why the host could not do what it was asked. */
export const HostError = z.object({
  code: z.enum([
    'syntax', 'import', 'raised', 'no-class', 'missing-method', 'bad-constructor', 'bad-request', 'not-loaded', 'memory', 'recursion', 'import-budget',
  ]),
  /** Python exception type, empty when no exception was raised. */
  type: z.string(),
  message: z.string(),
  traceback: z.array(TraceFrame),
  /** For `syntax`: where, from 1. For `import`: not set. */
  line: z.int().optional(),
  column: z.int().optional(),
  endLine: z.int().optional(),
  endColumn: z.int().optional(),
  /** For `import`: the top-level package that is missing. */
  package: z.string().optional(),
});
export type HostError = z.infer<typeof HostError>;

/** What `reset` gave. A bare string counts as an observation with no info (run contract §2.4); any other shape is reported in `shape`. */
export const ResetResult = z.object({
  kind: z.literal('reset'),
  observation: WireText,
  info: WireValue,
  /** Type and length of the returned value when it was neither a text nor a pair. */
  shape: z.object({ type: z.string(), length: z.int().nullable() }).nullable(),
  ms: z.number(),
});
export type ResetResult = z.infer<typeof ResetResult>;

/** Lines of the environment's file that ran in a traced call, in the order of first running, and the line that returned. */
export const LineTrace = z.object({ lines: z.array(z.int()), returnLine: z.int().nullable() });
export type LineTrace = z.infer<typeof LineTrace>;

/** What `step` gave, uncoerced. When it was no 5-tuple, `shape` says what it was and the other parts hold what could be read. */
export const StepResult = z.object({
  kind: z.literal('step'),
  /** The action as sent, after `<solution()>` was replaced. */
  action: z.string(),
  observation: WireText,
  reward: WireValue,
  terminated: WireValue,
  truncated: WireValue,
  info: WireValue,
  shape: z.object({ type: z.string(), length: z.int().nullable() }).nullable(),
  trace: LineTrace.optional(),
  ms: z.number(),
});
export type StepResult = z.infer<typeof StepResult>;

/** What `execute_tool` gave; `shape` is set when it was no dict of output and returncode. */
export const ToolResult = z.object({
  kind: z.literal('tool'),
  name: z.string(),
  output: WireText,
  returncode: WireValue,
  shape: z.object({ type: z.string(), length: z.int().nullable() }).nullable(),
  trace: LineTrace.optional(),
  ms: z.number(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** What `solution()` gave. */
export const SolutionResult = z.object({ kind: z.literal('solution'), value: WireValue, text: WireText });
export type SolutionResult = z.infer<typeof SolutionResult>;

/**
 * The instance's state by value: attribute paths to short texts, made without addresses, object ids or function
 * identities; `digest` covers all of it also where `values` was cut.
 */
export const SnapshotResult = z.object({
  kind: z.literal('snapshot'),
  digest: z.string(),
  values: z.record(z.string(), z.string()),
});
export type SnapshotResult = z.infer<typeof SnapshotResult>;

/** Each criterion of `_message_criteria` on the present state. */
export const CriteriaResult = z.object({
  kind: z.literal('criteria'),
  current: z.int().nullable(),
  results: z.array(z.union([z.object({ holds: z.boolean(), line: z.int().nullable() }), z.object({ error: HostError, line: z.int().nullable() })])),
});
export type CriteriaResult = z.infer<typeof CriteriaResult>;

/**
 * First actions, each tried on a fresh `reset` of one seed. `ends` has one letter an action: `-` the episode goes on, `t`
 * terminated, `u` truncated, `b` both, `x` the step raised or gave no 5-tuple; `rewards` is null where there was no number.
 */
export const OpeningsResult = z.object({ kind: z.literal('openings'), ends: z.string(), rewards: z.array(JsonNumber.nullable()) });
export type OpeningsResult = z.infer<typeof OpeningsResult>;

/** A parameter of a `tool_<name>` method, `self` left out. */
export const ToolParameter = z.object({ name: z.string(), required: z.boolean(), variadic: z.boolean() });
export type ToolParameter = z.infer<typeof ToolParameter>;

/** What loading and constructing gave. */
export const LoadResult = z.object({
  kind: z.literal('load'),
  /** The class the run's loader picks: the first callable whose name ends in `Env` (run contract §2.2). */
  className: z.string(),
  classLine: z.int().nullable(),
  /** All callables whose name ends in `Env`, in namespace order. */
  candidates: z.array(z.string()),
  toolUse: z.boolean(),
  multiMessage: z.boolean(),
  hasSolution: z.boolean(),
  /** `max_turns` of the instance after construction, null when there is none or it is no integer. */
  maxTurns: z.int().nullable(),
  /** Function-calling schema from `get_tools()`, null for a game. */
  tools: z.json().nullable(),
  /** Why `tools` is null although the class has `get_tools()`. */
  toolsError: HostError.optional(),
  /** Parameters of every `tool_<name>` method of the instance, declared or not, where Python tells them. */
  toolMethods: z.record(z.string(), z.array(ToolParameter)).optional(),
  importMs: z.number(),
  constructMs: z.number(),
});
export type LoadResult = z.infer<typeof LoadResult>;

/** How an instance is built: as for validation (`max_turns=1000`, then nothing) or as in play (nothing, then `max_turns`); run contract §2.3. */
export const Construction = z.enum(['validate', 'play']);

/** Where load, reset and step run: on a worker thread as in the run, or on the main thread (run contract §2.8). */
export const ThreadChoice = z.enum(['worker', 'main']);

/**
 * An action of a plan. `<solution()>` in `text` is replaced by the present `solution()` of the instance it is sent to.
 * `boxed` wraps the text as `\boxed{…}` unless it already holds `\boxed`.
 */
export const PlanAction = z.object({ text: z.string(), boxed: z.boolean().optional() });
export type PlanAction = z.infer<typeof PlanAction>;

/** One operation of a probe run on instance `on` (default 0) of that run. */
export const PlanOp = z.discriminatedUnion('op', [
  /** With `brief` it gives a {@link BuiltResult}. */
  z.object({
    op: z.literal('construct'), on: z.int().default(0), construction: Construction.default('validate'), maxTurns: z.int().nullable().default(null),
    brief: z.boolean().optional(),
  }),
  z.object({ op: z.literal('reset'), on: z.int().default(0), seed: z.int().nullable() }),
  /** Sends the actions in turn, from the first again when they run out, until `count` steps are made or an end flag is true. */
  z.object({
    op: z.literal('steps'), on: z.int().default(0), actions: z.array(PlanAction).min(1), count: z.int().min(1), stopAtEnd: z.boolean().default(true),
    trace: z.boolean().default(false),
  }),
  z.object({ op: z.literal('tool'), on: z.int().default(0), name: z.string(), arguments: z.record(z.string(), z.json()) }),
  /** For each action: `reset(seed)`, then that one step. An exception of a step is part of the result; one of `reset` is the operation's. */
  z.object({ op: z.literal('openings'), on: z.int().default(0), seed: z.int().nullable(), actions: z.array(z.string()).min(1) }),
  z.object({ op: z.literal('solution'), on: z.int().default(0) }),
  z.object({ op: z.literal('snapshot'), on: z.int().default(0) }),
  z.object({ op: z.literal('criteria'), on: z.int().default(0) }),
  /** Seeds the module-level generators with this number and draws from them, to see who depends on them. */
  z.object({ op: z.literal('disturb'), seed: z.int() }),
]);
export type PlanOp = z.infer<typeof PlanOp>;

/**
 * A run of a plan: a fresh module, or a used one that is provably as it was imported, then the operations in order. An exception ends the operations on that instance
 * unless `goOn` is true, when only the failing operation is skipped.
 */
export const PlanRun = z.object({
  id: z.string(),
  thread: ThreadChoice.default('worker'),
  goOn: z.boolean().default(false),
  /** Told of as soon as it is over, with all runs before it; otherwise a batched plan may keep it back for a moment. */
  atOnce: z.boolean().optional(),
  ops: z.array(PlanOp),
});
export type PlanRun = z.infer<typeof PlanRun>;

/**
 * Probes to be made together in one session. A `batched` plan is reported some runs at a time, and what it says again is told by number,
 * which costs less; when the session ends, what was being done is then known only roughly, and some evidence may be missing. With `watch`
 * false nobody looks for what importing the file changes elsewhere. Once importing has taken `importSeconds` in the session, the run that would
 * import the file again constructs nothing: its error has the code `import-budget`.
 */
export const ProbePlan = z.object({ runs: z.array(PlanRun), batched: z.boolean().optional(), watch: z.boolean().optional(), importSeconds: z.number().optional() });
export type ProbePlan = z.infer<typeof ProbePlan>;

/** A text of a plan; a long one that repeats a character as what stands before, the character, how often, and what comes after. */
const SentText = z.union([z.string(), z.tuple([z.string(), z.string(), z.int(), z.string()])]);
/** An action by its place among the `texts` of the plan. */
const TextNumber = z.int();
const SentOp = z.union([
  z.object({
    op: z.literal('steps'), on: z.int().optional(), actions: z.array(z.union([TextNumber, PlanAction])), count: z.int(), stopAtEnd: z.boolean().optional(),
    trace: z.boolean().optional(),
  }),
  z.object({ op: z.literal('openings'), on: z.int(), seed: z.int().nullable(), actions: z.array(TextNumber) }),
  z.object({ op: z.literal('construct'), on: z.int().optional(), construction: Construction, maxTurns: z.int().optional(), brief: z.boolean().optional() }),
  PlanOp,
]);
/** A {@link ProbePlan} as it crosses: its actions are told once, and operations leave out what is the default. */
export const SentPlan = ProbePlan.extend({ texts: z.array(SentText), runs: z.array(PlanRun.extend({ ops: z.array(SentOp) })) });
export type SentPlan = z.infer<typeof SentPlan>;

/** What constructing gave, in short: `max_turns` as in {@link LoadResult}. */
export const BuiltResult = z.object({ kind: z.literal('built'), maxTurns: z.int().nullable() });

const resultKinds = [
  LoadResult, BuiltResult, ResetResult, StepResult, ToolResult, SolutionResult, SnapshotResult, CriteriaResult, OpeningsResult,
  z.object({ kind: z.literal('disturb') }),
  z.object({ kind: z.literal('error'), error: HostError, action: z.string().optional() }),
] as const;

/** Result of one operation; a `steps` operation gives one result a step. */
export const OpResult = z.discriminatedUnion('kind', resultKinds);
export type OpResult = z.infer<typeof OpResult>;

/**
 * An ordinary step in short: observation (ASCII text, not cut), `repr` of the reward (a finite int or float), the end as in
 * {@link OpeningsResult}, milliseconds, and the info unless that is an empty dict. Flags are bools, the action is the one that was asked for.
 */
export const PlainStep = z.tuple([z.string(), z.string().regex(/^-?\d[\d.e+-]*$/), z.enum(['-', 't', 'u', 'b']), z.number(), WireValue.optional()]);
export type PlainStep = z.infer<typeof PlainStep>;

/**
 * What a batched plan tells once and names by its number from then on; the first that it tells has number 0. A step is told without
 * its action, which the plan knows, and times are told with the number.
 */
export const ToldResult = z.discriminatedUnion('kind', [...resultKinds, z.object({ kind: z.literal('plain'), step: PlainStep })]);
export type ToldResult = z.infer<typeof ToldResult>;

/** Ordinary steps that came one after the other: the number of each, and its microseconds. */
interface PlainSteps {
  readonly kind: 'steps';
  readonly told: readonly number[];
  readonly us: readonly number[];
}
/** A result in full; by its number among what was told; by number and microseconds where it has a time; or ordinary steps. */
type SentResult = OpResult | number | readonly [number, number] | PlainSteps;

const areWhole = (values: unknown): values is number[] => Array.isArray(values) && values.every(Number.isSafeInteger);

function isSentResult(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 2 && areWhole(value);
  const { kind, told, us } = value as Partial<PlainSteps>;
  return kind === 'steps' ? areWhole(told) && areWhole(us) : OpResult.safeParse(value).success;
}

function isSentOp(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { index, results } = value as { index?: unknown; results?: unknown };
  return Number.isSafeInteger(index) && Array.isArray(results) && results.every(isSentResult);
}

/** Results as they cross, by operation. Nearly all of them are numbers, a thousand for each check of a file: looked at by hand, since a schema of their parts makes objects for each. */
const SentOps = z.custom<readonly { readonly index: number; readonly results: readonly SentResult[] }[]>((value) => Array.isArray(value) && value.every(isSentOp));
export type SentOps = z.infer<typeof SentOps>;

/** What the environment did besides its answers while a run was made. */
export const SideEffects = z.object({
  /** Characters printed, and the lines of the file that printed. */
  printed: z.int(),
  printLines: z.array(z.int()),
  /** Audit events of the file's own frames: what was touched, and from which line. */
  audits: z.array(z.object({ event: z.string(), detail: z.string(), line: z.int().nullable() })),
  /** Names bound in foreign modules or builtins while the file was imported; looked for in the first run of a file only. */
  globalChanges: z.array(z.string()),
});
export type SideEffects = z.infer<typeof SideEffects>;

/** Evidence of one run of a plan: per operation, its results. `complete` is false when the session ended inside it. */
export const RunEvidence = z.object({
  id: z.string(),
  ops: z.array(z.object({ index: z.int(), results: z.array(OpResult) })),
  effects: SideEffects,
  complete: z.boolean(),
});
export type RunEvidence = z.infer<typeof RunEvidence>;

/** A run that is over, as it crosses: `ops` hold only what no `progress` frame has brought, `effects` are left out where there are none. */
const SentRun = z.object({ id: z.string(), ops: SentOps, effects: SideEffects.optional() });
export type SentRun = z.infer<typeof SentRun>;

/** What Node asks of the host. */
export const HostRequest = z.discriminatedUnion('op', [
  z.object({
    id: z.int(), op: z.literal('load'), source: z.string(), file: z.string(), construction: Construction, maxTurns: z.int().nullable(), thread: ThreadChoice,
  }),
  z.object({ id: z.int(), op: z.literal('reset'), seed: z.int().nullable() }),
  /** With `plain` an ordinary step is answered by a {@link PlainStep}. */
  z.object({ id: z.int(), op: z.literal('step'), action: z.string(), trace: z.boolean().default(false), plain: z.boolean().optional() }),
  z.object({ id: z.int(), op: z.literal('tool'), name: z.string(), arguments: z.record(z.string(), z.json()), trace: z.boolean().default(false) }),
  z.object({ id: z.int(), op: z.literal('solution') }),
  z.object({ id: z.int(), op: z.literal('snapshot') }),
  /** Tries every attack of the host's list from every thread; the result is a {@link SelfTestResult}. */
  z.object({ id: z.int(), op: z.literal('selftest') }),
  z.object({ id: z.int(), op: z.literal('plan'), source: z.string(), file: z.string(), plan: SentPlan }),
]);
export type HostRequest = z.infer<typeof HostRequest>;
/** A request before the session numbers it. */
export type HostCall = HostRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

/** What the attacks of the self-test reached: `reached` is null where nothing was. */
export const SelfTestResult = z.object({
  attacks: z.array(z.object({ group: z.string(), name: z.string(), thread: ThreadChoice, reached: z.string().nullable() })),
});
export type SelfTestResult = z.infer<typeof SelfTestResult>;

/** First frame of every session: what it runs on. */
export const HostGreeting = z.object({
  hello: z.literal(HOST_PROTOCOL),
  python: z.string(),
  implementation: z.string(),
  hashSeed: z.string(),
  /** Packages of interest that can be imported, with versions: numpy, math-verify. */
  packages: z.record(z.string(), z.string().nullable()),
  /** Containment layers in force in this session, for example `landlock`, `seccomp`, `rlimits`, `import-lock`. */
  layers: z.array(z.string()),
});
export type HostGreeting = z.infer<typeof HostGreeting>;

/** A reply to a request. */
export const HostReply = z.discriminatedUnion('ok', [
  z.object({ id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), error: HostError }),
]);
export type HostReply = z.infer<typeof HostReply>;

/** What the host says while it works on a request. */
export const HostEvent = z.discriminatedUnion('event', [
  z.object({ id: z.int(), event: z.literal('log'), text: z.string() }),
  /**
   * A plan goes on: results that have come since the last frame, and the operation of `run` that begins now. Sent before
   * every operation and every step, so that a call that never returns is known (now and then only in a batched plan); `effects` is all so far, when it changed.
   */
  z.object({
    id: z.int(), event: z.literal('progress'), run: z.string(), next: z.int(), ops: SentOps, effects: SideEffects.optional(), told: z.array(ToldResult).optional(),
  }),
  /** Runs of a plan are over: one, or some of a batched plan. */
  z.object({ id: z.int(), event: z.literal('runs'), runs: z.array(SentRun), told: z.array(ToldResult).optional() }),
]);
export type HostEvent = z.infer<typeof HostEvent>;
