import { Edit, type Tree } from 'web-tree-sitter';
import type { PythonParser } from '../ports';
import { withoutLongComments } from './longComments';
import { PythonFile, type InterpreterFacts } from './pythonFile';

/** Row and column (from 0, UTF-16 units) as the parser counts: only a line feed ends a row. */
function pointAt(text: string, offset: number): { row: number; column: number } {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    row += 1;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}

/** The one replaced stretch between two texts. */
function changeBetween(before: string, after: string): { start: number; oldEnd: number; newEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > start && newEnd > start && before.charCodeAt(oldEnd - 1) === after.charCodeAt(newEnd - 1)) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { start, oldEnd, newEnd };
}

/** A file while it is edited: each new text is parsed with what is left of the last tree. */
export class PythonDocument {
  private text = '';
  private tree: Tree | null = null;
  private file: PythonFile | null = null;

  constructor(private readonly parser: PythonParser) {}

  update(source: string, interpreter: InterpreterFacts | null = null): PythonFile {
    // Python ends a line at a lone carriage return, the grammar does not; the offsets stay the same.
    const text = withoutLongComments(source.replace(/\r(?!\n)/g, '\n'));
    const old = this.tree;
    if (old !== null) {
      const { start, oldEnd, newEnd } = changeBetween(this.text, text);
      old.edit(new Edit({
        startIndex: start,
        oldEndIndex: oldEnd,
        newEndIndex: newEnd,
        startPosition: pointAt(this.text, start),
        oldEndPosition: pointAt(this.text, oldEnd),
        newEndPosition: pointAt(text, newEnd),
      }));
    }
    const tree = this.parser.parse(text, old ?? undefined);
    // The old tree lives until what the new one shares with it is copied.
    const file = new PythonFile(source, tree, interpreter, this.file);
    old?.delete();
    this.tree = tree;
    this.text = text;
    this.file = file;
    return file;
  }

  dispose(): void {
    this.tree?.delete();
    this.tree = null;
    this.file = null;
  }
}

/** Reads a text once. */
export function readPython(parser: PythonParser, text: string, interpreter: InterpreterFacts | null = null): PythonFile {
  const document = new PythonDocument(parser);
  try {
    return document.update(text, interpreter);
  } finally {
    document.dispose();
  }
}
