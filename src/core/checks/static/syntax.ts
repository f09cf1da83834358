import { message } from '../../../shared/message';
import type { HostError } from '../../../shared/hostProtocol';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';

/** A piece of syntax that older versions of Python do not know. */
export interface NewerSyntax {
  readonly node: SyntaxNode;
  /** What it is, in English, for the message. */
  readonly what: string;
  /** First version that reads it. */
  readonly since: string;
}

const STATEMENTS: Readonly<Record<string, { what: string; since: string }>> = {
  match_statement: { what: 'a match statement', since: '3.10' },
  type_alias_statement: { what: 'a type statement', since: '3.12' },
  type_parameter: { what: 'a type parameter list', since: '3.12' },
};

/** Text of a string's opening, for example `f"""`. */
function opening(string: SyntaxNode): string {
  return string.child('string_start')?.text ?? string.namedChildren.find(({ type }) => type === 'string_start')?.text ?? '';
}

/** What makes an f-string readable from 3.12 on only: its own quote, a backslash, a comment or a line break inside `{…}`. */
function* newerInFString(string: SyntaxNode, text: string): Generator<NewerSyntax> {
  const start = opening(string);
  if (/^[rb]*t/i.test(start)) {
    yield { node: string, what: 'a template string', since: '3.14' };
    return;
  }
  const quote = start.replace(/^[a-z]*/i, '');
  for (const part of string.children) {
    if (part.type !== 'interpolation') continue;
    const inside = part.child('expression');
    if (inside === null) continue;
    const same = [...inside.descendants('string_start'), ...(inside.type === 'string' ? inside.children.slice(0, 1) : [])]
      .some((inner) => inner.text.endsWith(quote) || (quote.length === 3 && inner.text.endsWith(quote)));
    const code = text.slice(inside.start, inside.end);
    if (same) yield { node: part, what: 'the same quotes inside an f-string expression', since: '3.12' };
    else if (code.includes('\\')) yield { node: part, what: 'a backslash inside an f-string expression', since: '3.12' };
    else if (quote.length === 1 && /[\r\n]/.test(text.slice(part.start, part.child('format_specifier')?.start ?? part.end))) yield { node: part, what: 'a line break inside an f-string expression', since: '3.12' };
  }
}

/** Syntax that an older interpreter refuses, in source order. */
export function* newerSyntax(file: PythonFile): Generator<NewerSyntax> {
  for (const node of file.tree.nodes) {
    const statement = STATEMENTS[node.type];
    if (statement !== undefined && node.named) yield { node, ...statement };
    else if (node.type === 'except_clause' && node.children[1]?.type === '*') yield { node: node.children[1], what: 'except*', since: '3.11' };
    else if (node.type === 'string') yield* newerInFString(node, file.text);
  }
}

/** Compares versions by their numbers: negative when `a` is older. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let at = 0; at < 2; at += 1) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first syntax in a file, on a line when one is given, that the interpreter is too old for. */
function tooNewFor(file: PythonFile, python: string, line?: number): NewerSyntax | null {
  for (const newer of newerSyntax(file)) {
    if (compareVersions(python, newer.since) >= 0) continue;
    const range = file.range(newer.node);
    if (line === undefined || (range.line <= line && line <= range.endLine)) return newer;
  }
  return null;
}

function needsNewer(file: PythonFile, { node, what, since }: NewerSyntax, python: string): FindingDraft {
  return {
    range: file.range(node),
    message: message(
      'This is {what}, which Python reads from {since} on; the selected interpreter is {python}. A run on {python} cannot load the file. Write it the older way, or select Python {since} or later.',
      { what, since, python: python.split('.').slice(0, 2).join('.') },
    ),
  };
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The bracket that is still open where the error begins, if that is what is wrong: the innermost one without its closer. */
function unclosed(error: SyntaxNode): SyntaxNode | null {
  const open: SyntaxNode[] = [];
  for (const node of error.descendants()) {
    if (node.children.length > 0 || node.missing) continue;
    if (node.type in CLOSERS) open.push(node);
    else if (open.length > 0 && CLOSERS[open.at(-1)!.type] === node.type) open.pop();
  }
  return open[0] ?? null;
}

/** What the parser could not read: the first error in the text, and in a word what it is. */
function firstError(file: PythonFile): FindingDraft | null {
  const nul = file.text.indexOf('\0');
  if (nul !== -1) {
    return { range: file.range({ start: nul, end: nul + 1 }), message: message('The file holds a null character, which Python refuses anywhere: the run cannot load it. Remove it.') };
  }
  for (const node of file.tree.nodes) {
    if (node.missing) {
      const before = file.tree.nodes[node.index - 1];
      const expected = node.named ? 'an expression' : `"${node.type}"`;
      return {
        range: file.range(before ? { start: Math.min(before.start, node.start), end: Math.max(node.start, before.start + 1) } : node),
        message: message('Invalid syntax: {expected} is missing here. The run cannot load the file: Python stops here. Complete or correct the line.', { expected }),
      };
    }
    if (node.type === 'ERROR') return describeError(file, node);
    if (node.type === 'print_statement' || node.type === 'exec_statement') {
      if (node.children.some(({ type }) => type === 'chevron')) continue;
      return {
        range: file.range(node),
        message: message('This is a statement of Python 2. The run cannot load the file: Python stops here. Call {name}(…) as a function.', { name: node.children[0]?.text ?? 'print' }),
      };
    }
  }
  return null;
}

function describeError(file: PythonFile, node: SyntaxNode): FindingDraft {
  const string = [node, ...node.descendants()].find(({ type }) => type === 'string_start');
  if (string !== undefined && string.parent?.type === 'ERROR') {
    return { range: file.range(string), message: message('This string is not closed on its line. The run cannot load the file: Python stops here. Add the closing quote.') };
  }
  const bracket = unclosed(node);
  if (bracket !== null) {
    return { range: file.range(bracket), message: message('This "{bracket}" is never closed. The run cannot load the file: Python stops here. Add "{closer}".', { bracket: bracket.type, closer: CLOSERS[bracket.type] ?? '' }) };
  }
  const { line } = file.range(node);
  const lineEnd = file.lines.startOf(line) + file.lines.lineText(line).length;
  const end = Math.max(node.start + 1, Math.min(node.end, lineEnd));
  return {
    range: file.range({ start: node.start, end: Math.min(end, file.text.length) }),
    message: message('Invalid syntax at "{text}". The run cannot load the file: Python stops here. Correct the line.', { text: file.text.slice(node.start, Math.min(end, node.start + 40)) }),
  };
}

/** `syntax-error`: what the parser cannot read, or what the selected interpreter is too old for. At most one, as Python reports. */
export function syntaxError(file: PythonFile): FindingDraft[] {
  const error = firstError(file);
  if (error !== null) return [error];
  const newer = file.interpreter && tooNewFor(file, file.interpreter.python);
  return newer && file.interpreter ? [needsNewer(file, newer, file.interpreter.python)] : [];
}

/** True when the parser could read the whole text, so that what is not in the tree is not in the file. */
export function isReadable(file: PythonFile): boolean {
  return firstError(file) === null;
}

/**
 * The interpreter's own syntax error as a finding; names the version when newer syntax on that line is the reason.
 * @param python version of the interpreter that refused the file, for example `3.11.7`.
 */
export function compileError(file: PythonFile, error: HostError, python: string): FindingDraft {
  const line = error.line ?? 1;
  const newer = tooNewFor(file, python, line);
  if (newer !== null) return needsNewer(file, newer, python);
  const whole = file.lines.rangeOfLine(line);
  const column = error.column !== undefined && error.column >= 1 ? Math.min(error.column, file.lines.lineText(line).length + 1) : whole.column;
  return {
    range: { ...whole, column, endColumn: Math.max(whole.endColumn, column) },
    message: message('Python {python} says: {text}. The run cannot load the file. Correct the line.', { python, text: error.message }),
    evidence: { detail: `${error.type}: ${error.message}` },
  };
}
