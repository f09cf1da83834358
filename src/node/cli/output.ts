import { relative } from 'node:path';
import { toJsonNumber } from '../../shared/json';
import { formatMessage, type Message } from '../../shared/message';
import type { Args } from './args';
import type { CliContext } from './context';
import { columnsOf, safeJson, terminalLine, terminalSafe } from './terminal';

/** Where a command's words go: with `--json` one document to stdout and everything else to stderr. */
export class Output {
  readonly json: boolean;

  constructor(private readonly context: Pick<CliContext, 'stdout' | 'stderr'>, args: Pick<Args, 'flag'>) {
    this.json = args.flag('json');
  }

  /** The answer: the document with `--json`, else the text. */
  answer(document: unknown, text: () => string): void {
    this.context.stdout(this.json ? `${safeJson(document)}\n` : `${terminalSafe(text())}\n`);
  }

  /** An answer that is a document either way. */
  document(document: unknown): void {
    this.context.stdout(`${safeJson(document)}\n`);
  }

  /** A word beside the answer. */
  note(text: string | Message): void {
    this.context.stderr(`${terminalSafe(typeof text === 'string' ? text : formatMessage(text))}\n`);
  }

  /** A piece of text that is still being written. */
  stream(text: string): void {
    this.context.stderr(terminalSafe(text));
  }
}

/** Rows as columns that line up; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  // Cells as they will be shown: what is spelled out is longer than what it stands for.
  const shown = rows.map((row) => row.map(terminalLine));
  const widths = (rows[0] ?? []).map((_, column) => shown.reduce((widest, row) => Math.max(widest, columnsOf(row[column] ?? '')), 0));
  return shown.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)))).join('  ')).join('\n');
}

/** A number or null for JSON. */
export function jsonNumber(value: number | null): ReturnType<typeof toJsonNumber> | null {
  return value === null ? null : toJsonNumber(value);
}

/** A path from the working folder on, or whole when it lies elsewhere. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** A path as people read it, on one line. */
export function shownPath(path: string, cwd: string): string {
  return terminalLine(shortPath(path, cwd));
}
