import type { ArmName } from '../../src/shared/play';
import type { PlayerState } from '../../src/shared/webviewProtocol';
import { Chart } from '../charts/chart';
import { drawGaps, gapReach, type GapData } from '../charts/gap';
import { link, Segments } from '../ui/controls';
import { el, fill, setAttr, setText } from '../ui/dom';
import { num, signed } from '../ui/format';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { t } from '../ui/strings';
import { armWord, cellLabel, glyphs, groupWord } from './cells';
import { groupOf, statusGroups } from './statusGroup';
import { cellsOf, columnsOf, type Column } from './columns';
import type { Actions, Model, View } from './model';

const ARMS: readonly ArmName[] = ['hint', 'noHint'];

/** All episodes: one column a seed, a cell an arm, and the gap below on the same columns. */
export class Strip implements View {
  readonly element = el('div', { class: 'epl' });
  private readonly legend = el('span', { class: 'row small legend' });
  private readonly back: HTMLElement;
  private readonly order: Segments<'seed' | 'gap'>;
  private readonly grid = el('div', { class: 'strip', role: 'grid' });
  private readonly gapRow = el('div', { class: 'srow gap' });
  private readonly gapBox = el('div');
  private readonly reach = [el('i'), el('i', { text: '0' }), el('i')] as const;
  private readonly gapChart: Chart<GapData>;
  private readonly built = changeOf();
  private readonly legendChanged = changeOf();
  private columns: Column[] = [];
  private heads: HTMLElement[] = [];
  private cells: Record<ArmName, { element: HTMLButtonElement; key: string }[]> = { hint: [], noHint: [] };
  private focus: { arm: ArmName; column: number } = { arm: 'hint', column: 0 };
  private model: Model | null = null;
  private chosen = -1;

  constructor(private readonly actions: Actions) {
    this.order = new Segments(t('Order'), [{ value: 'seed', label: t('By seed') }, { value: 'gap', label: t('By gap') }], (order) => actions.ui({ order }), true);
    this.back = link(t('All seeds'), () => actions.ui({ bin: null }), 'small');
    this.gapChart = new Chart(this.gapBox, drawGaps);
    setAttr(this.grid, 'aria-label', t('Episodes by seed'));
    this.grid.addEventListener('keydown', (event) => this.onKey(event));
    this.gapRow.append(el('span', { class: 'sl' }, t('Gap'), el('span', { class: 'gy', attrs: { 'aria-hidden': 'true' } }, ...this.reach)), this.gapBox);
    this.order.element.classList.add('right');
    const scroller = el('div', { class: 'sx scroll' }, this.grid, this.gapRow);
    this.element.append(el('header', { class: 'row' }, el('h2', { text: t('Episodes') }), this.legend, this.back, this.order.element), scroller);
  }

  update(model: Model): void {
    this.model = model;
    const { state, ui } = model;
    const paired = state.mode === 'paired';
    this.columns = columnsOf(state, paired ? ui.order : 'seed', ui.bin);
    this.back.hidden = ui.bin === null || this.columns.length === state.slots.length;
    const several = this.columns.some(({ slots }) => slots.length > 1);
    if (this.built([this.columns.map(({ slots }) => slots), state.mode])) this.build(several, paired);
    this.order.element.hidden = !paired || state.values?.mean.regret.value === null;
    this.order.update(ui.order);
    this.updateCells(model, several);
    this.updateLegend(state, ui.filter);
    this.gapRow.hidden = !paired || !state.slots.some(({ hint }) => hint !== null);
    if (!this.gapRow.hidden) this.updateGap(model, several);
  }

  private build(several: boolean, paired: boolean): void {
    this.element.classList.toggle('wide', several);
    this.heads = this.columns.map(() => el('span', { class: 'sc', role: 'columnheader' }));
    const head = el('div', { class: 'srow shd', role: 'row' }, el('span', { class: 'sl muted small', role: 'columnheader', text: paired ? t('Seed') : t('Play') }), ...this.heads);
    const rows = ARMS.map((arm) => {
      this.cells[arm] = this.columns.map((_column, column) => ({ element: this.makeCell(arm, column), key: '' }));
      return el('div', { class: 'srow', role: 'row', attrs: { 'data-arm': arm } }, el('span', { class: 'sl', role: 'rowheader', text: armWord(arm) }), ...this.cells[arm].map(({ element }) => element));
    });
    fill(this.grid, head, ...rows);
    this.focus = { arm: this.focus.arm, column: Math.min(this.focus.column, Math.max(0, this.columns.length - 1)) };
  }

  private makeCell(arm: ArmName, column: number): HTMLButtonElement {
    return el('button', { class: 'sc cell', role: 'gridcell', tabindex: -1, attrs: { type: 'button' }, on: { click: () => this.choose(arm, column), focus: () => this.rove(arm, column) } });
  }

  /** The slot that a click on a cell means: the selected one if it is in the column, else its first. */
  private choose(arm: ArmName, column: number): void {
    const model = this.model;
    const slots = this.columns[column]?.slots ?? [];
    const selected = model?.ui.slots[arm];
    const slot = selected !== null && selected !== undefined && slots.includes(selected) ? selected : slots[0];
    if (!model || slot === undefined) return;
    this.rove(arm, column);
    const bin = this.columns[column]?.bin ?? null;
    if (bin !== null) this.actions.ui({ bin });
    const paired = model.state.mode === 'paired';
    const at = model.state.slots[slot];
    this.actions.select(paired ? { hint: at?.hint ? slot : null, noHint: at?.noHint ? slot : null } : { ...model.ui.slots, [arm]: slot });
    this.actions.ui({ arm });
  }

  private rove(arm: ArmName, column: number): void {
    this.cells[this.focus.arm][this.focus.column]?.element.setAttribute('tabindex', '-1');
    this.focus = { arm, column };
    this.cells[arm][column]?.element.setAttribute('tabindex', '0');
  }

  private updateCells({ state, ui }: Model, several: boolean): void {
    for (const arm of ARMS) {
      const row = this.grid.querySelector<HTMLElement>(`[data-arm=${arm}]`);
      if (row) row.hidden = !state.slots.some((slot) => slot[arm] !== null);
    }
    let chosen = -1;
    this.columns.forEach((column, index) => {
      const within = (slot: number | null): boolean => slot !== null && column.slots.includes(slot);
      const { compare } = ui;
      const selected = ARMS.map((arm) => (compare ? compare.arm === arm && (within(ui.slots.hint) || within(ui.slots.noHint)) : within(ui.slots[arm])));
      if (selected[0] || selected[1]) chosen = index;
      const near = index - chosen === 1 && chosen >= 0 && column.label.length > 1;
      setText(this.heads[index] as HTMLElement, several || this.columns.length <= 16 || index % 4 === 0 || selected.includes(true) ? (near && !several && this.columns.length > 16 && index % 4 !== 0 ? '' : column.label) : '');
      ARMS.forEach((arm, which) => this.updateCell(state, column, index, arm, several, selected[which] === true, ui.filter));
    });
    if (chosen !== this.chosen) {
      this.chosen = chosen;
      this.cells.noHint[chosen]?.element.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
    if (this.cells[this.focus.arm].every(({ element }) => element.tabIndex !== 0)) this.rove(this.focus.arm, Math.max(0, chosen));
  }

  private updateCell(state: PlayerState, column: Column, index: number, arm: ArmName, several: boolean, selected: boolean, filter: Model['ui']['filter']): void {
    const entry = this.cells[arm][index];
    if (!entry) return;
    const cells = cellsOf(state, column, arm);
    const groups = cells.map(groupOf);
    const key = JSON.stringify([cells.map(({ status, runReturn, steps }) => [status, runReturn, steps]), selected, filter]);
    if (key === entry.key) return;
    entry.key = key;
    const { element } = entry;
    element.className = `sc cell${selected ? ' sel' : ''}${filter && !groups.includes(filter) ? ' out' : ''}`;
    setAttr(element, 'aria-selected', String(selected));
    const label = column.slots.length === 1 && !several
      ? cellLabel(state.slots[column.slots[0] as number] as PlayerState['slots'][number], arm)
      : t('Seed {seed}, {arm}: {won} of {n} won', { seed: column.label, arm: armWord(arm), won: groups.filter((group) => group === 'won').length, n: groups.length });
    element.title = label;
    setAttr(element, 'aria-label', label);
    fill(element, cells.length === 0 ? null : several ? fraction(groups) : icon(...glyphs[groups[0] ?? 'queued']));
  }

  /** Compares two episodes of one arm: the one that was left, and the one that Shift and an arrow lead to. */
  private extend(arm: ArmName, column: number, by: number): void {
    if (!this.model) return;
    const { ui, state } = this.model;
    const to = this.columns[column + by]?.slots[0];
    const from = ui.compare && !ui.compare.other && ui.compare.arm === arm ? ui.slots.hint : this.columns[column]?.slots[0];
    if (to === undefined || from === undefined || from === null || !state.slots[to]?.[arm]) return;
    this.cells[arm][column + by]?.element.focus();
    if (to === from) return this.choose(arm, column + by);
    const chosen = { slots: { hint: from, noHint: to }, compare: { arm, other: false } };
    // The next key may come before the next frame, with which the model comes.
    this.model = { ...this.model, ui: { ...ui, ...chosen } };
    this.actions.select(chosen.slots, chosen.compare);
  }

  private updateLegend(state: PlayerState, filter: Model['ui']['filter']): void {
    const counts = new Map<string, number>();
    for (const slot of state.slots) {
      for (const arm of ARMS) {
        const cell = slot[arm];
        if (cell) counts.set(groupOf(cell), (counts.get(groupOf(cell)) ?? 0) + 1);
      }
    }
    if (!this.legendChanged([[...counts], filter])) return;
    const focused = this.legend.contains(document.activeElement) ? document.activeElement?.getAttribute('data-group') : null;
    fill(this.legend, ...statusGroups.filter((group) => counts.has(group)).map((group) =>
      el('button', {
        title: t('Show only: {status}', { status: groupWord(group) }),
        attrs: { type: 'button', 'aria-pressed': String(filter === group), 'data-group': group },
        on: { click: () => this.actions.ui({ filter: filter === group ? null : group }) },
      }, icon(...glyphs[group]), el('span', { text: groupWord(group) }), el('span', { class: 'muted', text: String(counts.get(group)) }))));
    if (focused) this.legend.querySelector<HTMLElement>(`[data-group=${focused}]`)?.focus();
  }

  private updateGap({ state, ui }: Model, several: boolean): void {
    const gaps = this.columns.map(({ gap }) => gap);
    const reach = gapReach(gaps);
    setText(this.reach[0], signed(reach, 0));
    setText(this.reach[2], num(-reach, 0));
    const regret = state.values?.mean.regret;
    const selected = this.columns.findIndex(({ slots }) => ui.slots.hint !== null && slots.includes(ui.slots.hint));
    this.gapChart.update({ gaps, mean: regret?.value ?? null, interval: regret?.interval ?? null, column: several ? 36 : 20, selected });
  }

  private onKey(event: KeyboardEvent): void {
    const { arm, column } = this.focus;
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      return this.extend(arm, column, event.key === 'ArrowLeft' ? -1 : 1);
    }
    if (event.key === 'Escape' && this.model?.ui.compare) return this.choose(arm, column);
    const last = this.columns.length - 1;
    const moves: Readonly<Record<string, readonly [ArmName, number]>> = {
      ArrowLeft: [arm, column - 1], ArrowRight: [arm, column + 1], ArrowUp: ['hint', column], ArrowDown: ['noHint', column], Home: [arm, 0], End: [arm, last],
    };
    const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.classList.contains('cell')) {
      event.preventDefault();
      this.choose(arm, column);
      this.actions.selectStep(arm, 1);
      return;
    }
    if (!move) return;
    event.preventDefault();
    const target = this.cells[move[0]][Math.min(last, Math.max(0, move[1]))]?.element;
    if (target?.parentElement?.hidden) return;
    target?.focus();
    target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/** Several plays of one seed: won of all, with a small bar. */
function fraction(groups: readonly string[]): HTMLElement {
  const won = groups.filter((group) => group === 'won').length;
  const going = groups.some((group) => group === 'running' || group === 'queued');
  const bar = el('meter', { attrs: { min: '0', max: String(groups.length), value: String(won), 'aria-hidden': 'true' } });
  return el('span', { class: 'frac' }, el('span', { class: going ? 'muted' : '', text: `${won}/${groups.length}` }), bar);
}
