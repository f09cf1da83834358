import { escaped, spelledText } from '../shared/unseen';

/**
 * Text from an environment, a model or a run, made fit for one line of the editor's own surfaces: control characters and
 * direction marks are spelled out, line ends become a sign, and what is longer than `limit` characters is cut visibly.
 */
export function plainLine(text: string, limit: number): string {
  return cut(text, limit, (kept) => spelled(kept.replace(/\r\n|\r|\n/g, '⏎')));
}

/** As {@link plainLine}, for surfaces that show several lines: line ends stay. */
export function plainLines(text: string, limit: number): string {
  return cut(text, limit, (kept) => kept.split(/\r\n|\r|\n/).map(spelled).join('\n'));
}

/** As {@link plainLine}, for a line or a cell of Markdown: what would be markup stands there as it is. */
export function markdownLine(text: string, limit: number): string {
  return plainLine(text, limit).replace(/[\\|`*_[\]<>&#~]/g, '\\$&');
}

function spelled(text: string): string {
  return spelledText(text).replace(/[\t\r\n]/g, escaped);
}

function cut(text: string, limit: number, plain: (kept: string) => string): string {
  const shown = plain(text.slice(0, limit + 1));
  return text.length > limit ? `${shown.slice(0, limit)}…` : shown;
}
