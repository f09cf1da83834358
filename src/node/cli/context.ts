import type { CheckInput } from '../../core/checks/checkFile';
import type { TemplateSource } from '../../core/design/templates';
import type { Clock, FileStore, HealthLine, ModelClient, PythonParser, SandboxChoice, SandboxProvider } from '../../core/ports';
import type { SandboxBounds } from '../../core/sandboxBounds';
import type { Disposable } from '../../core/lifecycle';
import type { FileReport } from '../../shared/findings';
import { message, type Message } from '../../shared/message';
import { EnvwrightError } from '../../core/errors';

/** Exit codes of the command line. */
export const EXIT = { fine: 0, no: 1, usage: 2, notDone: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The code that counts when several things were done: the first of wrong usage, no, not done, fine. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return [EXIT.usage, EXIT.no, EXIT.notDone].find((code) => codes.includes(code)) ?? EXIT.fine;
}

/** The command was called wrongly. */
export class UsageError extends EnvwrightError {
  /** Without a next step of its own the usage of the command is it. */
  readonly needsUsage: boolean;

  constructor(what: Message, next?: Message) {
    super('cli/usage', what, next ?? message('See envwright --help.'));
    this.needsUsage = next === undefined;
  }
}

/** A server to ask, and the key for it. */
export interface EndpointChoice {
  readonly endpoint: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Longest silence of the server, in milliseconds; default two minutes. */
  readonly idleMs?: number;
}

/** Full checks away from the thread that commands run on. Without a sandbox only the text can be judged. */
export interface CheckRunner extends Disposable {
  check(input: CheckInput, sandbox: SandboxProvider | null, signal: AbortSignal): Promise<FileReport>;
}

/** What commands need of the world, made on first use. */
export interface CliContext {
  readonly cwd: string;
  /** Version of Envwright. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly stdin: () => Promise<string>;
  /** Asks whoever sits at the terminal for a yes or no; false where nobody does. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly newId: () => string;
  readonly parser: () => Promise<PythonParser>;
  readonly checks: () => Promise<CheckRunner>;
  readonly sandbox: (choice: SandboxChoice, python: string | undefined, bounds: SandboxBounds) => Promise<SandboxProvider>;
  readonly model: (choice: EndpointChoice) => Promise<ModelClient>;
  /** The bundled designs and hints, which say that they are no model. */
  readonly offlineModel: () => Promise<ModelClient>;
  readonly templates: TemplateSource;
  /** The folder of Envwright's Python parts. */
  readonly pythonFolder: string;
  /** Whether an interpreter is there, as a line of health. */
  readonly interpreter: (python: string | undefined) => Promise<readonly HealthLine[]>;
  /** Installs the wheels of the embedded Python from the user's package index; `report` is told of each file. */
  readonly installWheels: (python: string | undefined, report: (text: string) => void) => Promise<void>;
  readonly testEndpoint: (choice: EndpointChoice) => Promise<readonly HealthLine[]>;
}

/** A command: its name as it is typed, one line of help, its flags, what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  run(argv: readonly string[], context: CliContext): Promise<ExitCode>;
}
