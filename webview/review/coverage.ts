import type { CoverageCount, CoverageState } from '../../src/shared/webviewCoverage';
import { icon } from '../ui/icons';
import { Chart } from '../charts/chart';
import { el, fill } from '../ui/dom';
import { say, t } from '../ui/strings';
import { drawBars } from './bars';
import { drawGrid } from './grid';

/** Coverage of a set on screen: skill by difficulty, kinds and win-rate bands, with what is missing drawn as holes. */
export class CoveragePage {
  private readonly main = el('main');
  private readonly head = el('header');
  private readonly grid = el('figure', { class: 'grid' });
  private readonly kinds = el('figure');
  private readonly bands = el('figure');
  private readonly holes = el('ul', { class: 'holes' });
  private readonly body = el('div', { class: 'body scroll', tabindex: 0, role: 'region', attrs: { 'aria-label': t('Coverage') } });
  private readonly charts = {
    grid: new Chart(this.grid, drawGrid), kinds: new Chart(this.kinds, drawBars), bands: new Chart(this.bands, drawBars),
  };
  private shown = false;

  update(state: CoverageState): void {
    if (!this.shown) this.build();
    const { name, total, notPlayed, simulated, problem, difficulties, skills, kinds, bands } = state;
    fill(this.head, el('h1', { text: name }), el('p', { class: 'muted', text: facts(total, notPlayed, simulated) }), problem && el('p', { class: 'note', role: 'status' }, icon('warning', 'warning'), el('span', { text: say(problem) })));
    this.body.hidden = problem !== null;
    if (problem) return;
    this.charts.grid.update({ difficulties, skills });
    this.charts.kinds.update({ title: t('Kinds'), counts: kinds.map(named), total });
    this.charts.bands.update({ title: t('Win rate without the hint'), counts: bands.map(named), total });
    fill(this.holes, ...holeWords(state).map((text) => el('li', { text })));
  }

  private build(): void {
    const section = (title: string, ...children: HTMLElement[]) => el('section', {}, el('h2', { text: title }), ...children);
    this.body.append(
      section(t('Skill and difficulty'), this.grid), el('div', { class: 'pair' }, section(t('Kinds'), this.kinds), section(t('Win rate without the hint'), this.bands)),
      section(t('What is missing'), this.holes),
    );
    this.main.append(this.head, this.body);
    document.body.append(this.main);
    this.shown = true;
  }
}

const named = ({ label, count }: CoverageCount) => ({ label: say(label), count });

function facts(total: number, notPlayed: number, simulated: number): string {
  return [
    t('{n} environments', { n: total }), ...(notPlayed > 0 ? [t('{n} not played', { n: notPlayed })] : []),
    ...(simulated > 0 ? [t('{n} played by no model', { n: simulated })] : []),
  ].join(' \u00b7 ');
}

/** Each hole in words, for those who cannot see the plots. */
function holeWords({ skills, difficulties, kinds, bands }: CoverageState): string[] {
  const missing = skills.flatMap(({ name, counts }) => {
    const none = difficulties.filter((_, at) => counts[at] === 0 && difficulties[at] !== 'unknown');
    return none.length === 0 ? [] : [none.length === difficulties.filter((one) => one !== 'unknown').length && counts.every((count) => count === 0) ? t('{skill}: none at all', { skill: name }) : t('{skill}: none {difficulties}', { skill: name, difficulties: none.join(', ') })];
  });
  const empty = (counts: readonly CoverageCount[], what: (label: string) => string): string[] => counts.filter(({ count, name }) => count === 0 && name !== 'not-played').map(({ label }) => what(say(label)));
  const all = [...missing, ...empty(kinds, (label) => t('No environment of the kind {kind}', { kind: label })), ...empty(bands, (label) => t('No win rate in the band {band}', { band: label }))];
  return all.length === 0 ? [t('Nothing: every skill, difficulty, kind and band has an environment.')] : all;
}
