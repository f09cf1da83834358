import { button, link } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './model';

/** One bordered line when plays failed: how many, why, which seeds, what can be done. */
export class Banner implements View {
  readonly element = el('div', { class: 'banner', role: 'status' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {}

  update({ state: { failures, progress, phase } }: Model): void {
    this.element.hidden = progress.failed === 0;
    if (!this.changed([failures, progress.failed, progress.total, phase])) return;
    const words = el('span', { class: 'grow' }, el('b', { text: t('{n} of {total} plays failed.', { n: progress.failed, total: progress.total }) }), ` ${failures.map(say).join(' ')}`);
    const retry = phase === 'idle' && button(t('Retry {n}', { n: progress.failed }), () => this.actions.retry(), { small: true });
    fill(this.element, icon('error', 'err'), words, retry, link(t('Show log'), () => this.actions.open('log')));
  }
}
