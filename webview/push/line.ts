import { LINE, type LineStep } from '../../src/shared/webviewPush';
import { el } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import { say, t } from '../ui/strings';
import { timeOf } from './model';

const SHAPES: Readonly<Record<LineStep['status'], readonly [IconName, string]>> = { done: ['won', 'ok'], now: ['now', 'info'], todo: ['ended', 'muted'], failed: ['failed', 'err'] };

function word(state: LineStep['state']): string {
  return { queued: t('queued'), written: t('written'), claimed: t('claimed'), 'in-memory': t('in memory'), drawn: t('drawn'), evicted: t('evicted') }[state];
}

function statusWord(status: LineStep['status']): string {
  return { done: t('done'), now: t('now'), todo: t('to come'), failed: t('failed') }[status];
}

/** The states of a push in a row: done filled, now a ring with a dot, to come a ring, failed a cross; each with its time or what to expect. */
export function stateLine(steps: readonly LineStep[]): HTMLElement {
  return el('ol', { class: 'line', attrs: { 'aria-label': t('State of this push') } }, ...steps.map(({ state, status, at, detail }) => {
    const [shape, tone] = SHAPES[status];
    return el('li', { class: status, ...(status === 'now' && { attrs: { 'aria-current': 'step' } }) },
      el('span', { class: 'dotbox' }, icon(shape, tone)), el('span', { class: 'w' }, el('span', { class: 'word', text: word(state) }), el('span', { class: 'sr', text: `, ${statusWord(status)}` })),
      el('span', { class: 'small muted when', text: at === null || status === 'failed' ? say(detail) : timeOf(at) }));
  }));
}

/** The same, small, in a table. */
export function miniLine(steps: readonly LineStep[]): HTMLElement {
  const at = steps.findIndex(({ status }) => status === 'now' || status === 'failed');
  const step = steps[at];
  return el('span', { class: 'mini', role: 'img', attrs: { 'aria-label': step ? t('{state}, state {n} of {all}', { state: step.status === 'failed' ? t('failed') : word(step.state), n: at + 1, all: LINE.length }) : t('not begun') } },
    ...steps.map(({ status }) => icon(...SHAPES[status])));
}
