import type { PushState } from '../../src/shared/webviewPush';
import { livenessChip } from '../memory/header';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { say, t } from '../ui/strings';
import { appendText } from '../ui/text';
import type { View } from './model';

/** What is pushed, where to, and how that run stands. */
export class Head implements View {
  readonly element = el('header', { class: 'hd', attrs: { 'data-region': '' } });
  private readonly changed = changeOf();

  update({ name, file, run, liveness, facts }: PushState): void {
    if (!this.changed([name, file, run, liveness, facts])) return;
    const title = el('h1', { title: file });
    title.append(t('Push'), ' ');
    appendText(title, name);
    const meta = el('span', { class: 'meta muted ell', text: [...facts.map(say), say(liveness.why)].join(' \u00b7 ') });
    meta.title = meta.textContent ?? '';
    fill(this.element, title, el('span', { class: 'muted nw', text: t('to the memory of run {run}', { run }) }), livenessChip(liveness), meta);
  }
}
