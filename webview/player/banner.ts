import { button, link } from '../ui/controls';
import { el, fill, type Child } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './model';

/** Bordered lines on what is wrong: plays that failed, plays that are missing, what must be said of the session; each with what can be done. */
export class Banner implements View {
  readonly element = el('div', { class: 'banners', role: 'status' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {}

  update({ state: { failures, progress, phase, missing, sessionNotes } }: Model): void {
    const { failed, total } = progress;
    this.element.hidden = failed === 0 && missing === 0 && sessionNotes.length === 0;
    if (!this.changed([failures, failed, total, phase, missing, sessionNotes])) return;
    const idle = phase === 'idle';
    fill(this.element,
      failed > 0 && line('error', t('{n} of {total} plays failed.', { n: failed, total }), failures.map(say).join(' '),
        idle && button(t('Retry {n}', { n: failed }), () => this.actions.retry(), { small: true }), link(t('Show log'), () => this.actions.open('log'))),
      missing > 0 && line('warning', t('{n} of {total} plays are missing.', { n: missing, total }), t('They were stopped, or never began. They count in no figure.'),
        idle && button(t('Play {n}', { n: missing }), () => this.actions.resume(), { small: true })),
      ...sessionNotes.map((note) => line('warning', '', say(note))));
  }
}

function line(tone: 'error' | 'warning', strong: string, rest: string, ...acts: Child[]): HTMLElement {
  return el('div', { class: `banner${tone === 'warning' ? ' warning-line' : ''}` }, icon(tone, tone === 'error' ? 'err' : 'warning'),
    el('span', { class: 'grow' }, strong !== '' && el('b', { text: strong }), ` ${rest}`), ...acts);
}
