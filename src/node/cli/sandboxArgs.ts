import type { SandboxChoice, SandboxProvider } from '../../core/ports';
import { sandboxBounds, type BoundSetting } from '../../core/sandboxBounds';
import { message } from '../../shared/message';
import { settings, type SettingValue } from '../../shared/settings';
import type { Args } from './args';
import { UsageError, type CliContext } from './context';

/** The flag of each bound; each takes what the setting takes. */
const BOUND_FLAGS = {
  'sandbox.callSeconds': 'call-seconds', 'sandbox.loadSeconds': 'load-seconds', 'sandbox.importSeconds': 'import-seconds',
  'sandbox.cpuSeconds': 'cpu-seconds', 'sandbox.memoryMegabytes': 'memory-mb', 'sandbox.outputMegabytes': 'output-mb', 'sandbox.observationCharacters': 'observation-chars',
  'sandbox.sessions': 'sessions',
} as const satisfies Record<BoundSetting, string>;

const string = { type: 'string' } as const;

/** Flags of every command that runs an environment. */
export const SANDBOX_OPTIONS = {
  sandbox: string, python: string, 'call-seconds': string, 'load-seconds': string, 'import-seconds': string, 'cpu-seconds': string, 'memory-mb': string, 'output-mb': string,
  'observation-chars': string, sessions: string,
} as const;

/** How the flags that choose the sandbox stand in the usage of a command. */
export const SANDBOX_USAGE = '[--sandbox auto|native|seatbelt|pyodide] [--python PATH]';

/** A line of help for the flags that every command with {@link SANDBOX_USAGE} takes besides. */
export const BOUNDS_HELP = `With --sandbox go its bounds, as in the settings: ${Object.values(BOUND_FLAGS).map((flag) => `--${flag}`).join(' ')}, each with a number.`;

const CHOICES: readonly SandboxChoice[] = ['auto', 'native', 'pyodide', 'seatbelt'];

/** The sandbox that the flags ask for; nothing starts yet. */
export function sandboxOf(args: Args, context: CliContext): Promise<SandboxProvider> {
  const bounds = sandboxBounds((key) => bound(args, key));
  return context.sandbox(args.choice('sandbox', CHOICES) ?? 'auto', args.path('python'), bounds);
}

function bound<K extends BoundSetting>(args: Args, key: K): SettingValue<K> {
  const flag = BOUND_FLAGS[key];
  const given = args.number(flag);
  const { schema, default: usual } = settings[key];
  if (given === undefined) return usual as SettingValue<K>;
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new UsageError(message('--{flag} takes another value than {given}: {problem}', { flag, given, problem: parsed.error.issues[0]?.message ?? '' }));
  return parsed.data as SettingValue<K>;
}
