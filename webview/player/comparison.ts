import type { ComparisonView, EpisodeChangeView } from '../../src/shared/webviewProtocol';
import { button, iconButton } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { basis, count, num, signed } from '../ui/format';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { armWordInside, glyphs, statusWord } from './cells';
import type { Actions, Model, View } from './model';
import { groupOf } from './statusGroup';

/** The session on screen beside an earlier one: what differs, and the episodes that came out otherwise. */
export class Comparison implements View {
  readonly element = el('section', { class: 'cmp', attrs: { 'data-region': '' } });
  private readonly changed = changeOf();
  private open = true;

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Comparison'));
  }

  update({ state: { comparison, phase }, ui }: Model): void {
    this.element.hidden = comparison === null;
    if (!comparison || !this.changed([comparison, phase, ui.compare, ui.slots, this.open])) return;
    const toggle = (): void => {
      this.open = !this.open;
      this.element.querySelector<HTMLElement>('.toggle')?.setAttribute('aria-expanded', String(this.open));
      for (const part of this.element.querySelectorAll<HTMLElement>('.in')) part.hidden = !this.open;
    };
    const head = el('header', { class: 'row' },
      el('button', { class: 'toggle fold', attrs: { type: 'button', 'aria-expanded': String(this.open) }, on: { click: toggle } }, icon('compare', 'muted'),
        el('h2', { text: comparison.isReplay ? t('Replay of {session}', { session: say(comparison.other) }) : t('Compared with {session}', { session: say(comparison.other) }) })),
      el('span', { class: 'muted small ell', text: comparison.differences.map(say).join(' ') }),
      el('div', { class: 'row right acts' }, button(t('Back to that session'), () => this.actions.endComparison(true), { small: true }), iconButton('failed', t('End comparison'), () => this.actions.endComparison(false))));
    fill(this.element, head, verdict(comparison), table(comparison), this.list(comparison, ui));
    for (const part of this.element.querySelectorAll<HTMLElement>('.in')) part.hidden = !this.open;
  }

  private list({ changes, changed }: ComparisonView, { compare, slots }: Model['ui']): HTMLElement | null {
    if (changes.length === 0) return null;
    const rows = changes.map((change) => {
      const isShown = compare?.other === true && compare.arm === change.arm && slots.noHint === change.slot;
      const show = (): void => {
        this.actions.select({ hint: change.slot, noHint: change.slot }, { arm: change.arm, other: true });
        if (change.step !== null) this.actions.selectStep('noHint', change.step);
      };
      return el('li', {}, el('button', { class: `chg${isShown ? ' sel' : ''}`, attrs: { type: 'button', 'aria-pressed': String(isShown) }, on: { click: show } },
        el('span', { class: 'nw', text: where(change) }), ...ends(change), el('span', { class: 'muted nw', text: kindWords(change) })));
    });
    if (changed > changes.length) rows.push(el('li', { class: 'muted small', text: t('{n} more', { n: count(changed - changes.length) }) }));
    return el('ul', { class: 'changes in scroll', tabindex: 0, attrs: { 'aria-label': t('Episodes that came out otherwise') } }, ...rows);
  }
}

/** In one sentence: how many outcomes flipped. */
function verdict({ compared, flipped, changed, isReplay }: ComparisonView): HTMLElement {
  const strong = flipped === 0 ? t('No outcome flipped.') : flipped === 1 ? t('1 outcome flipped.') : t('{n} outcomes flipped.', { n: count(flipped) });
  const others = changed - flipped;
  const rest = compared === 0 ? t('No episode is in both sessions.')
    : others > 0 ? t('{n} more changed, of {all} that are in both.', { n: count(others), all: count(compared) })
      : isReplay ? t('{all} episodes were played again with the same actions.', { all: count(compared) }) : t('{all} episodes are in both.', { all: count(compared) });
  return el('p', { class: 'say', attrs: { 'aria-live': 'polite' } }, icon(flipped > 0 ? 'warning' : 'info', flipped > 0 ? 'warning' : 'info'), el('span', {}, el('b', { text: strong }), ` ${rest}`));
}

function table({ rows }: ComparisonView): HTMLElement {
  const cell = (value: number | null, under: string, words = value === null ? '–' : num(value)) => el('td', {}, el('span', { class: 'n', text: words }), el('span', { class: 'muted small', text: under }));
  const head = el('thead', {}, el('tr', {}, ...['', t('earlier'), t('this session'), t('difference')].map((text) => el('th', { text, attrs: { scope: 'col' } }))));
  return el('table', { class: 'in' }, head, el('tbody', {}, ...rows.map(({ name, before, after, difference, paired }) => el('tr', {},
    el('th', { text: say(name), attrs: { scope: 'row' } }), cell(before.value, basis(before)), cell(after.value, basis(after)),
    difference ? cell(difference.value, paired ? `${basis(difference)}, ${t('same instances')}` : basis(difference), difference.value === null ? '–' : signed(difference.value)) : el('td', { class: 'muted', text: '–' })))));
}

function where({ arm, seed, play }: EpisodeChangeView): string {
  return seed === null ? t('Play {n}, {arm}', { n: play + 1, arm: armWordInside(arm) }) : t('Seed {seed}, {arm}', { seed, arm: armWordInside(arm) });
}

/** How the episode ended in both sessions, each with its shape. */
function ends({ before, after }: EpisodeChangeView): HTMLElement[] {
  const one = (end: EpisodeChangeView['before']): HTMLElement => {
    const cell = { status: end.status, runReturn: end.return ?? 0, return: end.return };
    return el('span', { class: 'row nw' }, icon(...glyphs[groupOf(cell)]), el('span', { text: end.return === null ? statusWord(cell) : `${statusWord(cell)} ${num(end.return)}` }));
  };
  return [one(before), el('span', { class: 'muted', text: '→', attrs: { role: 'img', 'aria-label': t('became') } }), one(after)];
}

function kindWords({ kind, step }: EpisodeChangeView): string {
  if (step === null) return kind === 'flipped' ? t('flipped') : t('another return');
  return { flipped: t('flipped, from step {step} on', { step }), return: t('another return, from step {step} on', { step }), steps: t('step {step} differs, same return', { step }) }[kind];
}
