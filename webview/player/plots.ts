import type { ArmName } from '../../src/shared/play';
import type { Cell, PlayerState } from '../../src/shared/webviewProtocol';
import { Chart } from '../charts/chart';
import { drawReturns, type ReturnsData } from '../charts/returns';
import { drawRewards, type RewardsData } from '../charts/rewards';
import { el, setText } from '../ui/dom';
import { t } from '../ui/strings';
import { groupOf } from './statusGroup';
import type { Model } from './model';
import { plottable } from './outcome';

/** Two plots beside the episodes: returns by arm, and raw reward by step of the shown episodes. */
export class Plots {
  readonly returns: HTMLElement;
  readonly rewards: HTMLElement;
  private readonly returnsChart: Chart<ReturnsData>;
  private readonly rewardsChart: Chart<RewardsData>;
  private readonly ns = { hint: el('p', { class: 'muted' }), noHint: el('p', { class: 'muted' }) };
  private readonly which = el('span', { class: 'muted' });

  constructor() {
    const returnsBox = el('div', { class: 'plotbox' });
    const rewardsBox = el('div', { class: 'plotbox' });
    this.returnsChart = new Chart(returnsBox, drawReturns);
    this.rewardsChart = new Chart(rewardsBox, drawRewards);
    const names = el('div', { class: 'names', attrs: { 'aria-hidden': 'true' } },
      el('div', {}, el('p', { text: t('With hint') }), this.ns.hint), el('div', { class: 'second' }, el('p', { text: t('No hint') }), this.ns.noHint));
    this.returns = el('figure', { class: 'pl returns' },
      el('figcaption', {}, t('Returns'), el('span', { class: 'muted', text: t('mean, 95 % interval') })), el('div', { class: 'holder' }, names, returnsBox));
    this.rewards = el('figure', { class: 'pl rewards' }, el('figcaption', {}, t('Reward by step'), this.which), rewardsBox);
  }

  update({ state, ui }: Model): void {
    const { values } = state;
    const arm = (name: ArmName) => ({ returns: returnsOf(state, name), mean: values?.mean[name].value ?? null, interval: values?.mean[name].interval ?? null });
    const data = { hint: arm('hint'), noHint: arm('noHint') };
    setText(this.ns.hint, t('n {n}', { n: data.hint.returns.length }));
    setText(this.ns.noHint, t('n {n}', { n: data.noHint.returns.length }));
    this.returnsChart.update(data);
    const slot = ui.slots.hint ?? ui.slots.noHint;
    const seed = slot === null ? null : state.slots[slot]?.seed ?? null;
    setText(this.which, seed === null ? t('filled = trains') : t('seed {seed}, filled = trains', { seed }));
    this.rewardsChart.update({ hint: rewardsOf(state, 'hint', ui.slots.hint), noHint: rewardsOf(state, 'noHint', ui.slots.noHint) });
  }
}

/** Returns of an arm that count: of episodes that ended and did not fail. */
function returnsOf(state: PlayerState, arm: ArmName): number[] {
  return state.slots.map((slot) => slot[arm]).filter((cell): cell is Cell => cell !== null && ['won', 'ended', 'truncated'].includes(groupOf(cell))).map(({ runReturn }) => runReturn);
}

function rewardsOf(state: PlayerState, arm: ArmName, slot: number | null): RewardsData['hint'] {
  const cell = slot === null ? null : state.slots[slot]?.[arm] ?? null;
  if (!cell) return { rewards: [], trains: 0 };
  return { rewards: cell.rewards.map(plottable), trains: cell.status === 'terminated' ? cell.rewards.length : 0 };
}
