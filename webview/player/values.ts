import type { Figure, Sentence, ValueView } from '../../src/shared/webviewProtocol';
import { Chart } from '../charts/chart';
import { drawGauge, type GaugeData } from '../charts/gauge';
import { link } from '../ui/controls';
import { el, fill, type Child } from '../ui/dom';
import { basis, count, num, range, short, signed } from '../ui/format';
import { changeOf } from '../ui/frame';
import { icon, type IconName } from '../ui/icons';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './model';

const tones: Readonly<Record<Sentence['tone'], readonly [IconName, string]>> = {
  ok: ['check', 'ok'], info: ['info', 'info'], warning: ['warning', 'warning'], none: ['info', 'muted'],
};

/** The value of the environment to this policy: returns, win rates, the designer's reward, the frontier, and one sentence. */
export class Values implements View {
  readonly element = el('section', { class: 'values', tabindex: -1, attrs: { 'data-region': '' } });
  private readonly groups = [group(), group(), group()] as const;
  private readonly frontier = group('grp last');
  private readonly gauge: Chart<GaugeData>;
  private readonly gaugeBox = el('div', { class: 'gauge' });
  private readonly says = el('div', { class: 'says', attrs: { 'aria-live': 'polite' } });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Value'));
    this.gauge = new Chart(this.gaugeBox, drawGauge);
    this.element.append(...this.groups, this.frontier, this.says);
  }

  update({ state }: Model): void {
    const { values, can, morePairs } = state;
    this.element.hidden = values === null;
    if (!values || !this.changed([values, can, morePairs])) return;
    const [mean, win, designer] = this.groups;
    draw(mean, [t('Mean return'), values.provisional && el('span', { class: 'prov', text: t('provisional') })], [
      figure(t('With hint'), values.mean.hint), figure(t('No hint'), values.mean.noHint), figure(t('Regret'), values.mean.regret, { key: true, sign: true }),
    ]);
    draw(win, [t('Win rate'), el('span', { class: 'muted', text: t('share of plays above 0') })], [
      figure(t('With hint'), values.winRate.hint), figure(t('No hint'), values.winRate.noHint),
    ]);
    const { weights } = values;
    draw(designer, [t('Designer\u2019s reward'), link(say(weights.source), () => this.actions.open('weights'))], [
      figure(t('Plateau \u00d7 {w}', { w: short(weights.plateau) }), values.designer.plateau),
      figure(t('Regret term \u00d7 {w}', { w: short(weights.regret) }), values.designer.regretTerm, { scale: weights.regretScale }),
      figure(t('Blend'), values.designer.blend, { key: true }),
    ]);
    this.frontier.hidden = values.mean.noHint.value === null;
    if (!this.frontier.hidden) this.drawFrontier(values);
    fill(this.says, ...values.sentences.map(sentence));
    if (morePairs !== null && can.includes('extend')) {
      const label = morePairs === 1 ? t('Play 1 more pair') : t('Play {n} more pairs', { n: count(morePairs) });
      this.says.firstElementChild?.append(link(label, () => this.actions.extend(morePairs), 'nw'));
    }
  }

  private drawFrontier({ mean: { noHint }, weights }: ValueView): void {
    const n = noHint.n === null ? '\u2013' : count(noHint.n);
    if (!this.frontier.contains(this.gaugeBox)) this.frontier.append(el('h2'), this.gaugeBox);
    fill(this.frontier.firstElementChild as HTMLElement, t('Frontier'), el('span', { class: 'muted', text: t('no-hint return, n {n}', { n }) }));
    this.gauge.update({ weights: { lo: weights.lo, hi: weights.hi, ramp: weights.ramp }, mean: noHint.value, interval: noHint.interval });
  }
}

function group(className = 'grp'): HTMLElement {
  return el('div', { class: className });
}

function draw(box: HTMLElement, title: Child[], figures: HTMLElement[]): void {
  fill(box, el('h2', {}, ...title), el('div', { class: 'figs' }, ...figures));
}

/** A number with what it rests on; a clipped term shows the raw ratio beside it. */
function figure(name: string, value: Figure, options: { key?: boolean; sign?: boolean; scale?: number } = {}): HTMLElement {
  const shown = value.value === null ? '\u2013' : options.sign ? signed(value.value) : num(value.value);
  const cell = el('dd', { class: 'v', text: shown });
  if (value.raw !== null) cell.append(el('span', { class: 'clip', text: t('{raw} clipped', { raw: num(value.raw) }) }));
  const title = value.raw !== null && options.scale !== undefined
    ? t('regret / {scale} = {raw}{interval}', { scale: short(options.scale), raw: num(value.raw), interval: value.rawInterval ? ` (${range(value.rawInterval)})` : '' })
    : '';
  return el('dl', { class: options.key ? 'fig key' : 'fig', title }, el('dt', { text: name }), cell, el('dd', { class: 's', text: basis(value) }));
}

/** A sentence with its shape. */
function sentence({ tone, strong, rest }: Sentence): HTMLElement {
  const [shape, colour] = tones[tone];
  const words = el('span');
  if (strong) words.append(el('b', { text: say(strong) }), ' ');
  words.append(rest.map(say).join(' '));
  return el('p', { class: 'say' }, icon(shape, colour), words);
}
