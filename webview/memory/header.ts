import { iconButton, link } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './view';

/** Whose memory it is, and how the run stands. */
export class Header implements View {
  readonly element = el('header', { class: 'hd', attrs: { 'data-region': '' } });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {}

  update({ state }: Model): void {
    const { run, file, liveness, facts, rows, capacity, unreadable } = state;
    if (!this.changed([run, file, liveness, facts, rows.length, capacity, unreadable])) return;
    const title = el('h1', { text: run === null ? t('Memory') : t('Memory of run {run}', { run }) });
    const open = file !== '' && link(file.split(/[\\/]/).pop() ?? file, () => this.actions.act('openFile'));
    if (open) open.title = file;
    const meta = el('span', { class: 'meta muted ell' });
    facts.forEach((fact, at) => {
      if (at > 0) meta.append(el('span', { class: 'dot', text: '\u00b7' }));
      meta.append(say(fact));
    });
    fill(this.element, title, open, liveness && livenessChip(liveness), meta, el('div', { class: 'row right acts' },
      !unreadable && el('span', { class: 'muted small', text: t('{n} of {capacity} records', { n: rows.length, capacity }) }),
      iconButton('refresh', t('Read again'), () => this.actions.act('refresh')),
      file !== '' && iconButton('open', t('Open the memory file'), () => this.actions.act('openFile'))));
  }
}

/** Whether the run is live, as a word with its shape; the reason is in its tooltip. */
export function livenessChip({ state, why }: { state: 'live' | 'stopped' | 'not-started'; why: Parameters<typeof say>[0] }, word?: string): HTMLElement {
  const [shape, tone] = ({ live: ['running', 'info'], stopped: ['ended', 'muted'], 'not-started': ['queued', 'muted'] } as const)[state];
  const words = word ?? { live: t('live'), stopped: t('stopped'), 'not-started': t('not started') }[state];
  return el('span', { class: 'chip', title: say(why) }, icon(shape, tone), el('span', { text: words }));
}
