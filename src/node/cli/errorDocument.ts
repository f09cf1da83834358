import { EnvwrightError, isCancelled } from '../../core/errors';
import type { ErrorDocument } from '../../shared/cliDocuments';
import { formatMessage, message } from '../../shared/message';
import { UsageError, type Command } from './context';

/** Flags that help where the text of an error, which the editor shows too, cannot name them. */
const ADVICE: Readonly<Record<string, string>> = {
  'run/no-memory': 'To seed a run before it starts, use --create.',
  'run/not-a-run-folder': 'For a run that has not started, use --create.',
  'run/no-such-process': 'envwright run processes lists them; --launcher takes a script.',
  'run/no-flags': 'envwright run processes lists what was started with flags of a run; --launcher takes a script.',
  'run/which-job': 'Give one with --job, or the launcher script with --launcher.',
  'model/budget': 'It is raised with --budget.',
  'run/ray-unreachable': 'The launcher script is given with --launcher.',
};

/** An error as a document, with the flags that help; `command` is the one that was called wrongly. */
export function errorDocument(error: unknown, command?: Command): ErrorDocument {
  if (error instanceof EnvwrightError) {
    const advice = ADVICE[error.code];
    const next = error instanceof UsageError && error.needsUsage && command ? message('See envwright {command} --help.', { command: command.name }) : error.next;
    return { error: { code: error.code, message: formatMessage(error.what), next: `${formatMessage(next)}${advice === undefined ? '' : ` ${advice}`}` } };
  }
  if (isCancelled(error)) return { error: { code: 'cancelled', message: 'Cancelled.', next: 'Start again when you like.' } };
  return { error: { code: 'defect', message: error instanceof Error ? error.message : String(error), next: 'This is a defect of Envwright: please report it.' } };
}
