import type { CheckInput } from '../core/checks/checkFile';
import type { StaticJudgement } from '../core/checks/static/run';
import type { StaticContext } from '../core/checks/static/session';
import type { Corpus } from '../core/design/corpusSummary';
import type { TemplateSource } from '../core/design/templates';
import type { Disposable } from '../core/lifecycle';
import type { LaunchSources } from '../core/run/launchSources';
import type { Fingerprint } from '../core/review/novelty';
import type { KeyGroup, Nearest } from '../core/review/noveltyIndex';
import type { FileReport } from '../shared/findings';
import type { Message } from '../shared/message';
import type { Clock, FileStore, HealthLine, Logger, ModelClient, PythonParser, SandboxChoice, SandboxProvider, SessionLimits } from '../core/ports';

/** How the sandbox is set up; a change of any of these needs a new provider. */
export interface SandboxSetup {
  readonly choice: SandboxChoice;
  /** Interpreter named by the user; empty to look for one. */
  readonly pythonPath: string;
  /** What the editor's Python extension has chosen. */
  readonly editorPython: () => Promise<string | undefined>;
  /** Folders whose virtual environment counts. */
  readonly folders: readonly string[];
  readonly limits: SessionLimits;
  /** Most sessions at once. */
  readonly maxSessions: number;
  readonly logger: Logger;
}

/** A server to ask, with the key that was given for its origin. */
export interface EndpointSetup {
  readonly endpoint: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Fields put into every request body as they are. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** False takes any certificate, as the editor's `http.proxyStrictSSL` says. */
  readonly strictTls?: boolean;
  /** Longest silence of the server, in milliseconds; default two minutes. */
  readonly idleMs?: number;
  /** Whether the model is let think; undefined leaves it to the server. */
  readonly thinking?: boolean;
}

/** Static checks while typing: small files at once, large ones on a thread. */
export interface StaticChecks extends Disposable {
  check(key: string, text: string, context: StaticContext, signal?: AbortSignal): Promise<StaticJudgement>;
  forget(key: string): void;
}

/** Full checks on a thread of their own; the sandbox stays with the caller. */
export interface FullChecks extends Disposable {
  check(input: CheckInput, sandbox: SandboxProvider, signal: AbortSignal): Promise<FileReport>;
}

/** Structures of texts, kept by key and compared away from the editor's thread. */
export interface Novelty extends Disposable {
  add(texts: readonly { readonly key: string; readonly text: string }[]): Promise<void>;
  groups(keys: readonly string[]): Promise<readonly KeyGroup[]>;
  nearest(keys: readonly string[], among: readonly string[]): Promise<ReadonlyMap<string, Nearest | null>>;
  print(text: string): Promise<Fingerprint>;
}

/**
 * What the editor's adapters need from Node, joined in `extension.ts`. Everything is made on first use: nothing heavy is
 * loaded before somebody asks for it.
 */
export interface NodePorts {
  readonly clock: Clock;
  files(): Promise<FileStore>;
  launchSources(): Promise<LaunchSources>;
  parser(): Promise<PythonParser>;
  staticChecks(): Promise<StaticChecks>;
  fullChecks(): Promise<FullChecks>;
  novelty(): Promise<Novelty>;
  /** Prompt templates; a trusted workspace may override them. */
  templates(): Promise<TemplateSource>;
  sandbox(setup: SandboxSetup): Promise<SandboxProvider>;
  /**
   * Installs the wheels of math-verify for the embedded Python from the user's package index, by version and hash. `report` is told
   * of each step.
   */
  installWheels(setup: Pick<SandboxSetup, 'pythonPath' | 'editorPython' | 'folders'>, report: (text: string) => void, signal: AbortSignal): Promise<void>;
  endpointModel(setup: EndpointSetup): Promise<ModelClient>;
  offlineModel(): Promise<ModelClient>;
  /** Opens a corpus on a thread of its own. */
  corpus(path: string): Promise<Corpus>;
  /** Tokens of a text by the server's own tokenizer; null where it offers none. */
  countTokens(setup: EndpointSetup, text: string, signal: AbortSignal): Promise<number | null>;
  /** Length of a model's context in tokens, null where its server does not say. */
  contextOf(setup: EndpointSetup, signal: AbortSignal): Promise<number | null>;
  /** The models that a server lists, with the length of their context where it says so. @throws ModelError */
  listModels(setup: Omit<EndpointSetup, 'model'>, signal: AbortSignal): Promise<readonly { readonly id: string; readonly context: number | null }[]>;
  testConnection(setup: EndpointSetup, signal: AbortSignal, report?: (text: Message) => void): Promise<readonly HealthLine[]>;
}
