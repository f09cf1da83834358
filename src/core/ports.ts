/** What `core` needs of the world; `node` and `vscode` implement it, `extension.ts` and `cli.ts` join them. */
import type { Tree } from 'web-tree-sitter';
import type {
  HostGreeting, LoadResult, ProbePlan, ResetResult, RunEvidence, SnapshotResult, SolutionResult, StepResult, ToolResult,
} from '../shared/hostProtocol';
import type { ToolCall } from '../shared/play';
import type { Disposable } from './lifecycle';

/** The user's choice of sandbox. */
export type SandboxChoice = 'auto' | 'native' | 'pyodide' | 'seatbelt';

/** Why a session is over; `limit` names the setting that was hit. */
export interface SessionEnd {
  readonly reason: 'closed' | 'killed' | 'wall-time' | 'cpu' | 'memory' | 'output' | 'crashed' | 'host-died';
  readonly limit: string | null;
  readonly detail: string;
}

/** Bounds of one session; `importMs` is what the imports of its plans may take together. Times in milliseconds, sizes in bytes, observation in code points. */
export interface SessionLimits {
  readonly callMs: number;
  readonly loadMs: number;
  readonly importMs: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly observationChars: number;
}

/** How a session is opened. `hashSeed` is Python's `PYTHONHASHSEED`: 0 to 4294967295. */
export interface SessionOptions {
  readonly hashSeed?: number;
  readonly limits?: Partial<SessionLimits>;
  /**
   * Rejects with `sandbox/busy` rather than wait for the end of others (`full`), or also where more sessions are open than run at once, each on
   * a processor of its own (`crowded`). Whoever holds a session must not wait for another: two that do wait for ever.
   */
  readonly unless?: 'full' | 'crowded';
  /** Receives what the environment prints, as it prints it. Untrusted text. */
  readonly onLog?: (text: string) => void;
}

/** What a `load` needs. `file` is only a name for tracebacks; the host never opens it. */
export interface LoadCall {
  readonly source: string;
  readonly file: string;
  readonly construction: 'validate' | 'play';
  readonly maxTurns: number | null;
  readonly thread: 'worker' | 'main';
}

/**
 * One environment in its own contained process or worker. Every method rejects with a `SandboxError` when the session
 * ended or the environment raised, and with an `AbortError` when its signal aborts, which kills the session.
 */
export interface SandboxSession {
  readonly greeting: HostGreeting;
  /** Resolves when the session is over, with the reason. */
  readonly ended: Promise<SessionEnd>;
  load(call: LoadCall, signal?: AbortSignal): Promise<LoadResult>;
  reset(seed: number | null, signal?: AbortSignal): Promise<ResetResult>;
  step(action: string, options?: { trace?: boolean; signal?: AbortSignal }): Promise<StepResult>;
  tool(name: string, args: Record<string, unknown>, options?: { trace?: boolean; signal?: AbortSignal }): Promise<ToolResult>;
  solution(signal?: AbortSignal): Promise<SolutionResult>;
  snapshot(signal?: AbortSignal): Promise<SnapshotResult>;
  /**
   * Carries out a plan and gives evidence of every run of it, complete or not: when a call exceeds a limit the session
   * ends, and the evidence that had arrived is returned with `end` set. Source that does not compile rejects, with the code `syntax`.
   * `onRuns` is told of the runs that are over, each time that there are more.
   */
  plan(source: string, file: string, plan: ProbePlan, signal?: AbortSignal, onRuns?: (complete: readonly RunEvidence[]) => void): Promise<PlanOutcome>;
  /** Ends the session at once; safe to call at any time and more than once. */
  kill(): void;
  close(): Promise<void>;
}

/** Evidence of a plan; `end` is null when the session is still alive, else why it ended and in which run and operation. */
export interface PlanOutcome {
  readonly runs: readonly RunEvidence[];
  readonly end: (SessionEnd & { readonly run: string; readonly op: number; readonly action: string | null }) | null;
}

/** One line of what a sandbox or the set-up can and cannot do. */
export interface HealthLine {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly next: string | null;
}

/** A backend that passed its self-test. */
export interface Sandbox extends Disposable {
  readonly backend: Exclude<SandboxChoice, 'auto'>;
  /** Version of the Python that runs the environments, for example `3.11.7`. */
  readonly python: string;
  /** Packages that environments commonly need, by distribution name: the version that sessions can import, null where there is none. */
  readonly packages: Readonly<Record<string, string | null>>;
  readonly health: readonly HealthLine[];
  open(options?: SessionOptions, signal?: AbortSignal): Promise<SandboxSession>;
}

/** Gives the sandbox, starting and testing it on first use; rejects with a `SandboxError` when none may be used. Fails closed. */
export interface SandboxProvider extends Disposable {
  get(signal?: AbortSignal): Promise<Sandbox>;
  /** What was tried and found, also after a failure. */
  health(): Promise<readonly HealthLine[]>;
}

/** Parses Python, incrementally when the old tree (already edited) is given. */
export interface PythonParser {
  parse(text: string, old?: Tree): Tree;
}

/** One message of a chat. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** Sampling parameters; what is not set is left to the server. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
}

/** The part that a model plays in a request. */
export type ModelRole = 'designer' | 'agent' | 'hint' | 'screen';

/**
 * What a request is for, beside its messages: for the count of tokens by role, and for clients that are no model and
 * must know what they are asked. Never sent to an endpoint.
 */
export interface RequestPurpose {
  readonly role: ModelRole;
  readonly skill?: string;
  readonly kind?: string;
  readonly seed?: number;
  /** Number of the draft in a repair loop, from 0. */
  readonly attempt?: number;
  /** The environment's code, for a hint or a screen. */
  readonly code?: string;
}

/** What is asked of a model. `tools` is a function-calling schema. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
  readonly sampling?: Sampling;
  readonly thinking?: boolean;
  readonly purpose?: RequestPurpose;
}

/** Tokens of a call; null where the server did not say. */
export interface Usage {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly totalTokens: number | null;
}

/** What arrives from a model, in order; `done` is the last event of a good reply. */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'wait'; readonly ms: number; readonly why: string }
  | { readonly type: 'done'; readonly finishReason: string; readonly calls: readonly ToolCall[]; readonly usage: Usage | null; readonly warnings: readonly string[] };

/** A model, or something that says it is none (`simulated`). Failures reject with a `ModelError`; a failed reply is never an empty one. */
export interface ModelClient {
  readonly name: string;
  readonly simulated: boolean;
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
}

/** Time, so that tests can own it. Milliseconds since 1970. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The log; everything passes the redactor before it is written. */
export interface Logger {
  info(text: string): void;
  warn(text: string): void;
  error(text: string, error?: unknown): void;
}

/** Files as the run's folder needs them. */
export interface FileStore {
  /** Text of a file, undefined when it does not exist. */
  read(path: string): Promise<string | undefined>;
  /**
   * Replaces a file atomically: readers see the old text or the new one, never a part; the mode of an existing file is kept.
   * `flush` false leaves it to the system when the text reaches the disk: for what can be made anew after a power cut.
   */
  replace(path: string, text: string, options?: { readonly flush?: boolean }): Promise<void>;
  /** Runs `work` while holding the lock of `path`; rejects when the lock cannot be had in time. */
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Names in a folder, undefined when there is no such folder. */
  list(folder: string): Promise<readonly { name: string; folder: boolean }[] | undefined>;
  /** Size in bytes and time of the last change, undefined when there is no such file or folder. */
  stat(path: string): Promise<{ size: number; modifiedMs: number; folder: boolean } | undefined>;
  /** Adds whole lines to the end of a file and flushes them to the disk; makes file and folders. A line torn before is closed first. */
  append(path: string, lines: string, options?: { readonly flush?: boolean }): Promise<void>;
  /** Makes a folder and those above it. */
  makeFolder(path: string): Promise<void>;
  /** Deletes a file. Resolves with true when this call took it away, false when there was none: of several callers one gets it. */
  remove(path: string): Promise<boolean>;
  /** The lines of a file as Python splits them, one after the other, without the whole file in memory; `utf8` is false where bytes had to be replaced. */
  lines(path: string, signal?: AbortSignal): AsyncIterable<{ text: string; utf8: boolean }>;
}
