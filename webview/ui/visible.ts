export { picture, UNSEEN_RUNS } from '../../src/shared/unseen';

/** How much of a text shows at once. */
export interface Fold {
  readonly lines: number;
  readonly chars: number;
}

/** What a folded text shows at first. */
export const FOLDED: Fold = { lines: 6, chars: 700 };
/** What a text shows at most. */
export const UNFOLDED: Fold = { lines: 200, chars: 20_000 };

/** The beginning of a text within a fold, cut at a line's end where that is near. */
export function head(text: string, fold: Fold): string {
  let end = Math.min(text.length, fold.chars);
  let at = -1;
  for (let line = 0; line < fold.lines; line++) {
    const next = text.indexOf('\n', at + 1);
    if (next < 0 || next >= end) return text.slice(0, boundary(text, end));
    at = next;
  }
  end = Math.min(end, at);
  return text.slice(0, boundary(text, end));
}

/** Moves a cut off the middle of a surrogate pair. */
function boundary(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
