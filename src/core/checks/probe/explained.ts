import type { HostError } from '../../../shared/hostProtocol';
import type { PythonFile } from '../../environment/pythonFile';
import { lineOf } from './judge';

/** The name that an f-string's brace asks for in vain; null when the exception has another cause. */
export function fstringName(file: PythonFile, error: HostError): string | null {
  const line = lineOf(error);
  if (line === null || error.type !== 'NameError') return null;
  const name = /name '(\w+)' is not defined/.exec(error.message)?.[1];
  if (name === undefined) return null;
  const text = file.lines.lineText(line);
  return new RegExp(`\\{\\s*${name}\\s*\\}`).test(text) && /(?:\\\\?boxed|[fF][rR]?["'])/.test(text) ? name : null;
}

/** True when a `raise` of the file itself made the exception: whatever the file calls it, the sandbox refused nothing and nobody was asked. */
function raisedByFile(file: PythonFile, { traceback }: HostError): boolean {
  const innermost = traceback.at(-1);
  return innermost !== undefined && innermost.inFile && /(?:^|[:;])\s*raise\b/.test(file.lines.lineText(innermost.line));
}

/** True for a thread that the sandbox did not let begin. */
export const isRefusedThread = ({ type, message }: HostError): boolean => type === 'RuntimeError' && message === "can't start new thread";

/** True for an exception of what the sandbox refuses: it says nothing of what the file would do where files may be read. */
export function refusedBySandbox(file: PythonFile, error: HostError): boolean {
  if (raisedByFile(file, error)) return false;
  if (isRefusedThread(error)) return true;
  return /^(PermissionError|BlockingIOError)$/.test(error.type) || (error.type === 'OSError' && /not permitted|denied|read-only/i.test(error.message));
}

/** True for an exception that a check of its own explains. */
export function explainedElsewhere(file: PythonFile, error: HostError): boolean {
  return error.code === 'import' || error.code === 'memory' || fstringName(file, error) !== null || refusedBySandbox(file, error)
    || (error.type === 'EOFError' && error.message === 'EOF when reading a line' && !raisedByFile(file, error));
}
