import type { ReadPart } from '../../src/shared/webviewMemory';
import { link } from '../ui/controls';
import { el } from '../ui/dom';
import { count } from '../ui/format';
import { say, t } from '../ui/strings';
import { restOf } from '../ui/rest';
import { appendText } from '../ui/text';
import { head, UNFOLDED } from '../ui/visible';

/** How much of an example shows before it is opened. */
const FIRST = { lines: 20, chars: 2_000 };

export interface ReadPartOptions {
  /** What it is in the prompt: `seed 1`, `negative`. */
  readonly who: string;
  readonly isChosen: boolean;
  readonly unfolded: boolean;
  readonly onUnfold: () => void;
  readonly open: () => void;
}

/** One example as the prompt carries it, with its place in the gutter; where the run cuts it, that is said. */
export function readPart(part: ReadPart, { who, isChosen, unfolded, onUnfold, open }: ReadPartOptions): HTMLElement {
  const title = el('div', { class: 'ui small says' });
  const name = el(isChosen ? 'b' : 'span');
  appendText(name, part.name);
  title.append(name, ' \u00b7 ', say(part.says));
  const box = el('div', { class: 'what' }, title);
  if (part.use === 'seed') {
    const shown = head(part.text.text, unfolded ? UNFOLDED : FIRST);
    const pre = el('pre');
    appendText(pre, shown);
    box.append(pre);
    const cut = part.cut ? t('cut by the run at {shown} of {length} characters', { shown: count(part.cut.shown), length: count(part.cut.length) }) : '';
    if (shown.length < part.text.text.length) box.append(link(`${restOf(part.text, shown)}${cut === '' ? t(' of {n} characters', { n: count(part.text.length) }) : `; ${cut}`}`, unfolded ? open : onUnfold, 'small'));
    else if (cut !== '') box.append(el('p', { class: 'small cutmark ui', text: cut }));
  } else {
    box.append(el('p', { class: 'small ui muted', text: t('Only the name and the reason are shown, not the code.') }));
  }
  return el('div', { class: `src ${part.use === 'seed' ? '' : 'neg'}${isChosen ? ' chosen' : ''}` }, el('span', { class: 'who', text: who }), box);
}
