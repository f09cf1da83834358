import type { FileReport } from '../../shared/findings';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { message, type Message } from '../../shared/message';
import { undecodableReport } from './undecodable';

/** Text of a file, or the report of one that cannot be read as text. */
export type Source = { readonly text: string } | { readonly report: FileReport };

/** What was not done, by its id in `notChecked`, where a file could not be read. */
export const UNREAD = 'read-file';

/** What was not done, by its id in `notChecked`, where the judging was stopped before it came to a file's end. */
export const STOPPED = 'check-file';

/** The report of a file that could not be read: not judged, and said so. */
export function unreadableReport(file: string, error: EnvwrightError): FileReport {
  return unjudged(file, UNREAD, error.what);
}

/** The report of a file that nobody waited for: not judged, and said so. */
export function stoppedReport(file: string): FileReport {
  return unjudged(file, STOPPED, message('Stopped before it was judged.'));
}

function unjudged(file: string, id: string, reason: Message): FileReport {
  return { file, verdict: 'cannot-run', class: null, profile: null, findings: [], suppressed: [], notChecked: [{ id, reason }], timing: { staticMs: 0, probeMs: null } };
}

/** Reads a file to be judged with `read`; what no interpreter could read is judged at once. */
export async function judgeableSource(files: FileStore, file: string, read: () => Promise<string | undefined>, signal: AbortSignal): Promise<Source> {
  try {
    const text = await read();
    if (text !== undefined) return { text };
    throw new EnvwrightError('files/gone', message('{file} is no longer there.', { file }), message('List the files anew.'));
  } catch (error) {
    if (!(error instanceof EnvwrightError)) throw error;
    return { report: error.code === 'files/not-utf-8' ? undecodableReport(file, await firstUnreadableLine(files, file, signal)) : unreadableReport(file, error) };
  }
}

/** The first line (from 1) whose bytes are no UTF-8. */
async function firstUnreadableLine(files: FileStore, file: string, signal: AbortSignal): Promise<number> {
  let line = 0;
  for await (const { utf8 } of files.lines(file, signal)) {
    line += 1;
    if (!utf8) break;
  }
  return Math.max(1, line);
}
