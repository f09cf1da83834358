import type { Range } from '../../shared/findings';

/** A replacement in a text: what was replaced, and by what. */
export interface TextChange extends Range {
  readonly text: string;
}

/** A position; line and column from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

const isBefore = (a: Place, b: Place) => a.line < b.line || (a.line === b.line && a.column < b.column);

function shiftPlace(place: Place, change: TextChange): Place {
  const end = { line: change.endLine, column: change.endColumn };
  if (isBefore(place, end)) return place;
  const lines = change.text.split(/\r\n|\r|\n/);
  const last = lines.at(-1) ?? '';
  const line = place.line + lines.length - 1 - (change.endLine - change.line);
  if (place.line !== change.endLine) return { line, column: place.column };
  const from = lines.length === 1 ? change.column : 1;
  return { line, column: from + last.length + place.column - change.endColumn };
}

/** Where a range lies after a change; undefined when the change touches it, so that what was said of it may no longer hold. */
export function shiftRange(range: Range, change: TextChange): Range | undefined {
  const start = { line: range.line, column: range.column };
  const end = { line: range.endLine, column: range.endColumn };
  const changeStart = { line: change.line, column: change.column };
  const changeEnd = { line: change.endLine, column: change.endColumn };
  if (isBefore(changeStart, end) && isBefore(start, changeEnd)) return undefined;
  if (!isBefore(changeStart, end)) return range;
  const newStart = shiftPlace(start, change);
  const newEnd = shiftPlace(end, change);
  return { line: newStart.line, column: newStart.column, endLine: newEnd.line, endColumn: newEnd.column };
}
