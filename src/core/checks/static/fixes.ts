import type { Fix, TextEdit } from '../../../shared/findings';
import { message, type Message } from '../../../shared/message';
import type { Span } from '../../environment/lines';
import type { PythonFile } from '../../environment/pythonFile';

/** An edit that replaces a stretch of the file. */
export function replace(file: PythonFile, span: Span, newText: string): TextEdit {
  return { ...file.range(span), newText };
}

/** An edit that inserts text. */
export function insert(file: PythonFile, offset: number, newText: string): TextEdit {
  return replace(file, { start: offset, end: offset }, newText);
}

/** A fix of one or more edits. */
export function fix(title: Message, ...edits: TextEdit[]): Fix {
  return { title, edits };
}

/** Wraps an expression in a call, for example `bool(…)`. */
export function wrapIn(file: PythonFile, span: Span, call: string): Fix {
  const text = file.text.slice(span.start, span.end);
  return fix(message('Convert with {call}()', { call }), replace(file, span, text.startsWith('(') && 'type' in span && span.type === 'parenthesized_expression' ? `${call}${text}` : `${call}(${text})`));
}

/** The line ending of a file. */
export function newline(file: PythonFile): string {
  return /\r\n|\r|\n/.exec(file.text)?.[0] ?? '\n';
}

/** Where a new import goes: after the docstring and `from __future__` imports, before everything else. */
export function importOffset(file: PythonFile): number {
  const statements = file.root.namedChildren;
  const future = statements.findLast(({ type }) => type === 'future_import_statement');
  if (future !== undefined) return file.lines.startOf(file.lines.lineAt(future.end) + 1);
  const first = statements.find(({ type, namedChildren: [inner] }, index) => index > 0 || type !== 'expression_statement' || inner?.type !== 'string');
  return first === undefined ? file.text.length : file.lines.startOf(file.lines.lineAt(first.start));
}
