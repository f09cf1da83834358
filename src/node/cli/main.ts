import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { EXIT, UsageError, type CliContext, type Command, type ExitCode } from './context';
import { errorDocument } from './errorDocument';
import { KEY_VARIABLE } from './modelArgs';
import { BOUNDS_HELP, SANDBOX_USAGE } from './sandboxArgs';
import { safeJson, terminalSafe } from './terminal';

/** Errors of `core` that a wrong flag is the cause of. */
const WRONG_FLAGS = /^(design\/(unknown-|skill-of)|play\/bad-seeds|push\/bad-record|model\/endpoint-)/;

/** Errors that say no to a push, rather than that something could not be done. */
const REFUSALS = /^(memory|run)\//;

const lines = ({ usage, summary }: Command): string => `  ${usage}\n      ${summary}`;

/** What one command takes, or all of them. */
function help(commands: readonly Command[], about: string): string {
  const one = commands.find(({ name }) => name === about);
  if (one) return [lines(one), ...(one.usage.includes(SANDBOX_USAGE) ? ['', BOUNDS_HELP] : []), ''].join('\n');
  return [
    'envwright: design, check, play and push self-play training environments',
    '',
    ...commands.map(lines),
    '',
    BOUNDS_HELP,
    'Every command takes --json: one document on stdout, the rest on stderr.',
    'Exit codes: 0 fine, 1 the answer is no, 2 wrong usage, 3 could not be done.',
    `The key of an endpoint is read from ${KEY_VARIABLE}. envwright --version prints the version.`,
    '',
  ].join('\n');
}

function exitCodeOf(error: unknown, argv: readonly string[]): ExitCode {
  if (error instanceof UsageError || (error instanceof EnvwrightError && WRONG_FLAGS.test(error.code))) return EXIT.usage;
  const isPush = argv[0] === 'memory' && argv[1] === 'push';
  return isPush && error instanceof EnvwrightError && REFUSALS.test(error.code) ? EXIT.no : EXIT.notDone;
}

/** Runs one command line and resolves with its exit code. Never rejects: every error becomes a message with its next step. */
export async function runCli(argv: readonly string[], commands: readonly Command[], context: CliContext): Promise<ExitCode> {
  const [name = '', ...rest] = argv;
  const command = commands.find((candidate) => candidate.name === name);
  try {
    const asksHelp = name === '' || name === 'help' || rest.includes('--help') || rest.includes('-h') || name === '--help' || name === '-h';
    if (asksHelp) {
      context.stdout(help(commands, name === 'help' ? (rest[0] ?? '') : name));
      return name === '' ? EXIT.usage : EXIT.fine;
    }
    if (name === '--version') {
      context.stdout(`${context.version}\n`);
      return EXIT.fine;
    }
    if (!command) throw new UsageError(message('There is no command {name}.', { name }));
    return await command.run(rest, context);
  } catch (error) {
    const document = errorDocument(error, command);
    if (argv.includes('--json')) context.stdout(`${safeJson(document)}\n`);
    context.stderr(`${terminalSafe(`${document.error.message} ${document.error.next}`)}\n`);
    return exitCodeOf(error, argv);
  }
}
