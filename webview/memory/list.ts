import type { MemoryRowView } from '../../src/shared/webviewMemory';
import { el, fill, setAttr } from '../ui/dom';
import { icon } from '../ui/icons';
import { oncePerFrame } from '../ui/frame';
import { range } from '../ui/format';
import { t } from '../ui/strings';
import { appendText } from '../ui/text';
import { poolEnd, type Sort } from './model';
import type { Actions, Model, View } from './view';
import { classWord, drawnWords, figure, inRegenerations, rankWords, shapeOf } from './shapes';

/** Height of a row, and rows drawn beyond the screen at either end. */
const ROW = 22;
const BEYOND = 12;

interface Line {
  readonly row: MemoryRowView | null;
}

/** The records as a grid of which only the rows near the screen exist; one tab stop, the chosen row is its active one. */
export class List implements View {
  readonly element = el('section', { class: 'list', attrs: { 'data-region': '' } });
  private readonly grid: HTMLElement;
  private readonly heads = el('div', { class: 'lrow heads', role: 'row' });
  private readonly body = el('div', { class: 'body', role: 'rowgroup' });
  private model: Model | null = null;
  private lines: readonly Line[] = [];
  private shown = '';
  private revealed: string | null = null;
  private readonly draw = oncePerFrame(() => this.drawWindow());

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Records'));
    this.grid = el('div', { class: 'grid scroll', role: 'grid', tabindex: 0, attrs: { 'aria-label': t('Records of the memory'), 'aria-colcount': '10' }, on: { scroll: () => this.draw(), keydown: (event) => this.onKey(event as KeyboardEvent) } },
      el('div', { role: 'rowgroup', class: 'headgroup' }, this.heads), this.body);
    this.element.append(this.grid);
    new ResizeObserver(() => {
      this.reveal();
      this.draw();
    }).observe(this.grid);
  }

  update(model: Model): void {
    this.model = model;
    this.element.hidden = model.state.rows.length === 0;
    this.drawHeads(model.ui.sort);
    const end = poolEnd(model.rows, model.ui);
    const lines: Line[] = model.rows.map((row) => ({ row }));
    if (end !== null) lines.splice(end, 0, { row: null });
    this.lines = lines;
    setAttr(this.grid, 'aria-rowcount', String(lines.length + 1));
    this.body.style.height = `${lines.length * ROW}px`;
    this.shown = '';
    this.reveal();
    this.drawWindow();
  }

  /** Scrolls to the chosen row when the choice is new. */
  private reveal(): void {
    const { chosen } = this.model ?? {};
    const key = chosen?.key ?? null;
    if (key === this.revealed || this.grid.clientHeight < 4 * ROW) return;
    this.revealed = key;
    const at = this.lines.findIndex(({ row }) => row?.key === key);
    if (at < 0) return;
    const [top, bottom] = [at * ROW, (at + 1) * ROW + ROW];
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (bottom > this.grid.scrollTop + this.grid.clientHeight) this.grid.scrollTop = bottom - this.grid.clientHeight;
  }

  private drawWindow(): void {
    const { model } = this;
    if (!model) return;
    const from = Math.max(0, Math.floor(this.grid.scrollTop / ROW) - BEYOND);
    const to = Math.min(this.lines.length, Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / ROW) + BEYOND);
    const key = `${from} ${to}`;
    if (key !== this.shown) {
      this.shown = key;
      fill(this.body, ...this.lines.slice(from, to).map(({ row }, at) => {
        const line = row ? this.row(row, model) : this.cut(model);
        line.style.top = `${(from + at) * ROW}px`;
        line.setAttribute('aria-rowindex', String(from + at + 2));
        return line;
      }));
    }
    const at = this.lines.findIndex(({ row }) => row !== null && row.key === model.chosen?.key);
    setAttr(this.grid, 'aria-activedescendant', at >= from && at < to ? idOf(this.lines[at]?.row?.index ?? 0) : null);
  }

  private drawHeads(sort: Sort): void {
    if (this.heads.dataset['sort'] === sort) return;
    this.heads.dataset['sort'] = sort;
    const head = (text: string, className: string, by?: Sort, title = ''): HTMLElement => {
      const cell = el('div', { class: `lc ${className}`, role: 'columnheader', title });
      if (by === undefined) cell.textContent = text;
      else {
        setAttr(cell, 'aria-sort', sort === by ? (by === 'winRate' || by === 'regret' ? 'descending' : 'ascending') : 'none');
        cell.append(el('button', { class: 'sort', text: sort === by ? `${text} ${by === 'winRate' || by === 'regret' ? '\u2193' : '\u2191'}` : text, tabindex: -1, attrs: { type: 'button' }, on: { click: () => this.actions.set({ sort: by }) } }));
      }
      return cell;
    };
    fill(this.heads, head(t('Class'), 'k', 'use'), head(t('File'), 'f', 'file'), head(t('Win rate'), 'r w', 'winRate'), head(t('Regret'), 'r w', 'regret'), head(t('Plays'), 'r'),
      head(t('Rank'), 'r'), head(t('Drawn'), 'r', undefined, t('Chance in the next prompt of its skill, exact')), head(t('By eviction'), 'r e'), head(t('Evicted'), 'r', 'evicted', t('Regenerations until it leaves')), head(t('From'), 's'));
  }

  private row(row: MemoryRowView, { chosen, state, fresh }: Model): HTMLElement {
    const [shape, tone] = shapeOf(row);
    const [next, ever] = drawnWords(row);
    const selected = chosen?.key === row.key;
    const cell = (className: string, ...parts: (Node | string)[]): HTMLElement => el('div', { class: `lc ${className}`, role: 'gridcell' }, ...parts);
    const name = cell('f ell');
    appendText(name, row.name);
    name.title = row.gameFile ?? '';
    const odds = cell('r e', ever);
    if (row.odds > 0) odds.title = t(row.evictedIn === 1 ? '{n} prompts at the one regeneration before{assumed}, if the pool stays' : '{n} prompts a regeneration{assumed}, {times} regenerations, if the pool stays', { n: state.prompts.count, assumed: state.prompts.assumed ? t(' (assumed)') : '', times: row.evictedIn ?? 0 });
    return el('div', {
      class: `lrow${selected ? ' sel' : ''}${fresh.has(row.key) ? ' fresh' : ''}`, role: 'row',
      attrs: { id: idOf(row.index), 'aria-selected': String(selected) },
      on: { click: () => this.actions.select(row.key), dblclick: () => this.actions.onRecord('open') },
    },
    cell('k row', icon(shape, tone), classWord(row.class)), name,
    cell('r w', ...measured(row.winRate, row.winInterval)), cell('r w', ...measured(row.regret, row.regretInterval)),
    cell('r', row.plays === null ? t('n \u2013') : `${row.wins ?? '\u2013'}/${row.plays}`), cell('r', rankWords(row)), cell('r', next), odds,
    cell('r', inRegenerations(row.evictedIn)), cell('s', row.from === 'you' ? t('you') : t('run')));
  }

  private cut({ state }: Model): HTMLElement {
    return el('div', { class: 'lrow cutrow', role: 'row' }, el('div', { class: 'lc cut', role: 'gridcell', attrs: { 'aria-colspan': '10' } },
      el('span', { text: t('Pool ends here: the first {pool} are drawn from, {seeds} a prompt. Ranks below are not drawn now.', { pool: state.pool, seeds: state.seeds }) })));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== this.grid) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / ROW) - 2);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowUp: () => this.actions.move(-1), ArrowDown: () => this.actions.move(1), PageUp: () => this.actions.move(-page), PageDown: () => this.actions.move(page),
      Home: () => this.actions.move(-1e6), End: () => this.actions.move(1e6),
      Enter: () => this.actions.onRecord('open'), p: () => this.actions.onRecord('play'), P: () => this.actions.onRecord('play'), Delete: () => this.actions.onRecord('remove'),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

const idOf = (index: number): string => `record-${index}`;

function measured(value: number | null, interval: MemoryRowView['winInterval']): (Node | string)[] {
  return [figure(value), ...(interval ? [el('span', { class: 'muted ci', text: ` ${range(interval)}` })] : [])];
}
