import type { SandboxChoice, SandboxProvider } from '../../core/ports';
import type { Args } from './args';
import type { CliContext } from './context';

/** Flags of every command that runs an environment. */
export const SANDBOX_OPTIONS = { sandbox: { type: 'string' }, python: { type: 'string' } } as const;

const CHOICES: readonly SandboxChoice[] = ['auto', 'native', 'pyodide', 'seatbelt'];

/** The sandbox that the flags ask for; nothing starts yet. */
export function sandboxOf(args: Args, context: CliContext): Promise<SandboxProvider> {
  return context.sandbox(args.choice('sandbox', CHOICES) ?? 'auto', args.path('python'));
}
