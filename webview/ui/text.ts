import type { CutText } from '../../src/shared/webviewProtocol';
import { link } from './controls';
import { el } from './dom';
import { count } from './format';
import { restOf } from './rest';
import { t } from './strings';
import { FOLDED, head, picture, UNFOLDED, UNSEEN_RUNS } from './visible';

/** Appends untrusted text: what would not show is made visible and marked. */
export function appendText(parent: Element, text: string): void {
  let at = 0;
  for (const match of text.matchAll(UNSEEN_RUNS)) {
    if (match.index > at) parent.append(text.slice(at, match.index));
    const shown = [...match[0]];
    const first = (shown[0]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    parent.append(el('span', { class: 'unseen', text: shown.map(picture).join(''), title: `U+${first}` }));
    at = match.index + match[0].length;
  }
  if (at < text.length) parent.append(text.slice(at));
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
