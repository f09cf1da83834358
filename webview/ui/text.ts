import type { CutText } from '../../src/shared/webviewProtocol';
import { link } from './controls';
import { el } from './dom';
import { count } from './format';
import { t } from './strings';

/** Characters that would act instead of show: C0 and C1 controls, direction marks, zero widths, lone surrogates. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]+/u;
const SPLIT = new RegExp(UNSEEN.source, 'gu');

/** How an unseen character is shown: its picture where Unicode has one, else its number. */
export function picture(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u27e8${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** Appends untrusted text: what would not show is made visible and marked. */
export function appendText(parent: Element, text: string): void {
  let at = 0;
  for (const match of text.matchAll(SPLIT)) {
    if (match.index > at) parent.append(text.slice(at, match.index));
    const shown = [...match[0]];
    const first = (shown[0]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    parent.append(el('span', { class: 'unseen', text: shown.map(picture).join(''), title: `U+${first}` }));
    at = match.index + match[0].length;
  }
  if (at < text.length) parent.append(text.slice(at));
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

/** Says what a cut leaves out: lines when whole lines are missing, else characters. */
export function restOf(text: CutText, shown: string): string {
  const lines = text.lines - shown.split('\n').length;
  if (lines > 0) return lines === 1 ? t('1 more line') : t('{n} more lines', { n: count(lines) });
  const chars = text.length - [...shown].length;
  return chars < 1000 ? t('{n} more characters', { n: chars }) : t('{n} kB more', { n: (chars / 1000).toFixed(1) });
}

/** What a folded text can do. `render` draws the shown part; `open` opens the whole as a document. */
export interface FoldedText {
  readonly text: CutText;
  readonly unfolded: boolean;
  readonly onUnfold: () => void;
  readonly open: () => void;
  readonly render?: (parent: Element, shown: string) => void;
}

/** Appends a text, cut by lines, with the way to open it beside it. */
export function appendFolded(parent: Element, { text, unfolded, onUnfold, open, render = appendText }: FoldedText): void {
  const shown = head(text.text, unfolded ? UNFOLDED : FOLDED);
  render(parent, shown);
  if (shown.length === text.text.length && text.length === [...text.text].length) return;
  const beyond = unfolded || text.lines > UNFOLDED.lines * 5;
  if (!unfolded) parent.append(' ', link(restOf(text, shown), onUnfold, 'small'));
  if (beyond) {
    const cut = t('cut at {shown} of {all} characters', { shown: count([...shown].length), all: count(text.length) });
    parent.append(' ', el('span', { class: 'muted small ui', text: cut }), ' ', link(t('Open as document'), open, 'small'));
  }
}
