import type { Note } from './decision';

/** Makes a note for `line` (from 1) of `text`. */
export function anchorNote(text: string, line: number, body: string, at: string): Note {
  const lines = text.split(/\r\n|\r|\n/);
  return { line, text: lines[line - 1] ?? '', before: lines[line - 2] ?? null, after: lines[line] ?? null, body, at };
}

/** Where a note stands in a text: its line from 1, and whether that line is still as it was. */
export interface Anchor {
  readonly line: number;
  readonly exact: boolean;
}

/**
 * Finds a note's line in a text that may have been edited: among the lines with the note's text the one whose neighbours fit
 * best, the nearest of those. When the line is gone, the place between its neighbours, or its old number, not `exact`.
 */
export function findAnchor(text: string, note: Note): Anchor {
  const lines = text.split(/\r\n|\r|\n/);
  const clamp = (line: number) => Math.min(Math.max(line, 1), lines.length);
  const score = (index: number) => Number((lines[index - 1] ?? null) === note.before) + Number((lines[index + 1] ?? null) === note.after);
  const best = (candidates: number[]): number | undefined =>
    candidates.sort((a, b) => score(b) - score(a) || Math.abs(a - note.line + 1) - Math.abs(b - note.line + 1))[0];

  const same = best(lines.flatMap((line, index) => (line === note.text ? [index] : [])));
  if (same !== undefined && (note.text.trim() !== '' || score(same) > 0)) return { line: same + 1, exact: true };
  const between = lines.flatMap((line, index) => (note.before?.trim() && line === note.before ? [index + 1] : []));
  const near = between.sort((a, b) => Math.abs(a - note.line + 1) - Math.abs(b - note.line + 1))[0];
  return { line: clamp(near === undefined ? note.line : near + 1), exact: false };
}
