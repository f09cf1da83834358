import type { Range } from '../../shared/findings';

/** A stretch of text, in UTF-16 units from the start; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Turns offsets into lines and columns as editors and Python count them: `\n`, `\r\n` and a lone `\r` end a line, and
 * a byte order mark at the start takes no column.
 */
export class LineMap {
  private readonly starts: number[];

  constructor(readonly text: string) {
    this.starts = [text.startsWith('\uFEFF') ? 1 : 0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.starts.push(index + end.length);
  }

  get count(): number {
    return this.starts.length;
  }

  /** The line (from 1) that holds an offset. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The offset where a line (from 1) begins; lines past the end begin at the end of the text. */
  startOf(line: number): number {
    return line < 1 ? 0 : (this.starts[line - 1] ?? this.text.length);
  }

  /** The text of a line (from 1) without its ending. */
  lineText(line: number): string {
    return this.text.slice(this.startOf(line), this.startOf(line + 1)).replace(/[\r\n]+$/, '');
  }

  /** Lines and columns from 1. */
  range({ start, end }: Span): Range {
    const line = this.lineAt(start);
    const endLine = this.lineAt(end);
    return {
      line,
      column: Math.max(1, start - this.startOf(line) + 1),
      endLine,
      endColumn: Math.max(1, end - this.startOf(endLine) + 1),
    };
  }

  /** The offset of a position; columns past the end of the line stop there. */
  offsetAt(line: number, column: number): number {
    const start = this.startOf(line);
    return Math.min(start + column - 1, start + this.lineText(line).length);
  }

  /** The range of a line's text without its indentation; an empty line has an empty range. */
  rangeOfLine(line: number): Range {
    const at = Math.min(Math.max(1, line), this.count);
    const text = this.lineText(at);
    const indent = text.length - text.trimStart().length;
    const begin = text.trim() === '' ? 0 : indent;
    return { line: at, column: begin + 1, endLine: at, endColumn: Math.max(begin, text.trimEnd().length) + 1 };
  }
}
