/** Characters that would act instead of show: C0 and C1 controls, direction marks, zero widths, lone surrogates. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]+/u;
/** Finds runs of unseen characters. */
export const UNSEEN_RUNS = new RegExp(UNSEEN.source, 'gu');

/** How an unseen character is shown: its picture where Unicode has one, else its number. */
export function picture(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u27e8${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** How much of a text shows at once. */
export interface Fold {
  readonly lines: number;
  readonly chars: number;
}

export const FOLDED: Fold = { lines: 6, chars: 700 };
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
