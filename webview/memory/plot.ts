import type uPlot from 'uplot';
import type { MemoryRowView } from '../../src/shared/webviewMemory';
import { Chart, quiet, type Drawing } from '../charts/chart';
import { Pen } from '../charts/pen';
import type { ChartColours } from '../charts/theme';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { num, short } from '../ui/format';
import { icon } from '../ui/icons';
import { t } from '../ui/strings';
import { mark } from './marks';
import { nearest, type Point } from './nearest';
import { isListed, poolEdge } from './model';
import type { Actions, Model, View } from './view';
import { classWord, shapeOf } from './shapes';

interface PlotData {
  readonly width: number;
  readonly height: number;
  readonly points: readonly Point[];
  readonly edge: { readonly regret: number; readonly pool: number } | null;
  readonly chosen: { readonly key: string; readonly x: number; readonly y: number; readonly win: MemoryRowView['winInterval']; readonly regret: MemoryRowView['regretInterval'] } | null;
}

const HEIGHT = 286;
/** Pixels around a point in which a click means it. */
const REACH = 14;
const BANDS = [0, 0.1, 0.15, 0.85, 0.9, 1] as const;

/** Win rate against regret, with what the run makes of each rate. */
export class Plot implements View {
  readonly element = el('section', { class: 'plot', attrs: { 'data-region': '' } });
  private readonly legend = el('div', { class: 'legend small' });
  private readonly board: HTMLElement;
  private readonly chart: Chart<PlotData>;
  private plot: uPlot | null = null;
  private data: PlotData | null = null;
  private model: Model | null = null;
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Win rate against regret'));
    const canvas = el('div', { class: 'canvas' });
    this.board = el('div', { class: 'board', role: 'application', tabindex: 0, on: { keydown: (event) => this.onKey(event as KeyboardEvent), click: (event) => this.onClick(event as MouseEvent) } }, canvas);
    this.chart = new Chart(canvas, (data: PlotData, colours) => this.drawing(data, colours));
    this.element.append(this.legend, this.board);
    new ResizeObserver(() => this.model && this.update(this.model)).observe(this.board);
  }

  update(model: Model): void {
    this.model = model;
    const { state, ui, found, chosen, gone } = model;
    const points = state.rows.flatMap((row): Point[] => (row.winRate === null || row.regret === null ? []
      : [{ key: row.key, x: row.winRate, y: row.regret, kind: row.class, inPool: row.inPool, faint: !isListed(row, ui, found) }]));
    if (this.changed([points, ui.skill])) fill(this.legend, ...this.entries(points));
    const edge = poolEdge(state.rows, ui.skill, state.pool);
    this.data = {
      width: Math.max(280, Math.floor(this.board.clientWidth)), height: HEIGHT, points,
      edge: edge === null ? null : { regret: edge, pool: state.pool },
      chosen: chosen && !gone && chosen.winRate !== null && chosen.regret !== null
        ? { key: chosen.key, x: chosen.winRate, y: chosen.regret, win: chosen.winInterval, regret: chosen.regretInterval } : null,
    };
    this.chart.update(this.data);
    const name = chosen && !gone ? `${chosen.name}, ${classWord(chosen.class)}` : t('nothing chosen');
    this.board.setAttribute('aria-label', t('Plot of {n} records; arrows go to the nearest point. Chosen: {name}', { n: points.length, name }));
  }

  private entries(points: readonly Point[]): HTMLElement[] {
    const shown = points.filter(({ faint }) => !faint);
    const count = (test: (point: Point) => boolean): number => shown.filter(test).length;
    const entry = (shape: Parameters<typeof shapeOf>[0], words: string, n: number): HTMLElement => {
      const [name, tone] = shapeOf(shape);
      return el('span', { class: 'row entry' }, icon(name, tone), el('span', { text: words }), el('span', { class: 'muted', text: String(n) }));
    };
    return [
      entry({ class: 'seed', inPool: true }, t('seed, in the pool'), count(({ inPool }) => inPool)),
      entry({ class: 'seed', inPool: false }, t('seed, below the pool'), count(({ kind, inPool }) => kind === 'seed' && !inPool)),
      entry({ class: 'too-easy', inPool: false }, t('too easy, as negative'), count(({ kind }) => kind === 'too-easy')),
      entry({ class: 'too-hard', inPool: false }, t('too hard, as negative'), count(({ kind }) => kind === 'too-hard')),
      entry({ class: 'dead-zone', inPool: false }, t('dead zone, never shown'), count(({ kind }) => kind === 'dead-zone')),
      ...(shown.length < points.length ? [el('span', { class: 'muted', text: t('faint: filtered out') })] : []),
    ];
  }

  private drawing(data: PlotData, colours: ChartColours): Drawing {
    const values = data.points.map(({ y }) => y);
    const low = Math.min(-0.25, Math.floor(Math.min(0, ...values) * 4) / 4);
    const high = Math.max(0.75, Math.ceil(Math.max(0, ...values) * 4) / 4);
    const every = high - low > 1.5 ? 0.5 : 0.25;
    const ticks = Array.from({ length: Math.round((high - low) / every) + 1 }, (_, at) => Math.round((low + at * every) * 100) / 100);
    const wide = data.width > 620;
    const axis = { stroke: colours.muted, font: colours.font, ticks: { show: false }, border: { show: false }, filter: (_plot: uPlot, splits: number[]) => splits };
    const names: Record<number, string> = { 0.05: t('too hard'), 0.125: t('dead'), 0.5: t('seed: shown as example'), 0.875: t('dead'), 0.95: t('too easy') };
    return {
      width: data.width, height: data.height,
      data: [data.points.map(({ x }) => x), values],
      label: t('{n} records by win rate and regret', { n: data.points.length }),
      options: {
        ...quiet, padding: [0, 12, 0, 0],
        scales: { x: { time: false, range: [-0.012, 1.012] }, y: { range: [low - 0.06, high + 0.06] } },
        axes: [
          { ...axis, scale: 'x', size: 20, gap: 3, splits: () => (wide ? [...BANDS.slice(0, 3), 0.5, ...BANDS.slice(3)] : [0, 0.15, 0.5, 0.85, 1]), values: (_plot, splits) => splits.map(short), grid: { show: false }, label: t('win rate (share of plays above 0)'), labelFont: colours.font, labelSize: 16 },
          { ...axis, scale: 'y', size: 38, gap: 6, splits: () => ticks, values: (_plot, splits) => splits.map(short), grid: { stroke: colours.lines, width: 0.4 }, label: t('regret'), labelFont: colours.font, labelSize: 16 },
          { ...axis, scale: 'x', side: 0, size: 20, gap: 4, stroke: colours.text, splits: () => (wide ? [0.05, 0.125, 0.5, 0.875, 0.95] : [0.5]), values: (_plot, splits) => splits.map((split) => names[split] ?? ''), grid: { show: false } },
        ],
        series: [{}, { show: true, paths: () => null, points: { show: false } }],
        hooks: { ready: [(plot) => (this.plot = plot)], drawAxes: [(plot) => bands(new Pen(plot), plot, colours)], draw: [(plot) => points(new Pen(plot), plot, data, colours)] },
      },
    };
  }

  private onClick(event: MouseEvent): void {
    const { plot, data } = this;
    if (!plot || !data) return;
    const box = plot.over.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const near = data.points.map((point) => ({ point, distance: Math.hypot(plot.valToPos(point.x, 'x') - x, plot.valToPos(point.y, 'y') - y) + (point.faint ? 4 : 0) }))
      .sort((a, b) => a.distance - b.distance)[0];
    if (near && near.distance <= REACH) this.actions.select(near.point.key);
  }

  private onKey(event: KeyboardEvent): void {
    const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] } as const)[event.key as 'ArrowLeft'] as readonly [number, number] | undefined;
    if (!way || event.altKey || event.ctrlKey || event.metaKey || !this.data) return;
    event.preventDefault();
    const key = nearest(this.data.points, this.data.chosen?.key ?? null, way);
    if (key !== null) this.actions.select(key);
  }
}

/** The bands of the win rate: dead zones hatched, so that they read without colour. */
function bands(pen: Pen, plot: uPlot, colours: ChartColours): void {
  const { top, height } = plot.bbox;
  const between = (from: number, to: number, colour: string, alpha: number): void => pen.rect(pen.x(from), top, pen.x(to), top + height, colour, alpha);
  between(0, 0.1, colours.hint, 0.12);
  between(0.15, 0.85, colours.above, 0.1);
  between(0.9, 1, colours.hint, 0.12);
  for (const [from, to] of [[0.1, 0.15], [0.85, 0.9]] as const) hatch(pen, plot, pen.x(from), pen.x(to), colours);
  pen.line(pen.x(0), pen.y(0), pen.x(1), pen.y(0), colours.lines, { alpha: 0.9 });
}

function hatch(pen: Pen, plot: uPlot, left: number, right: number, colours: ChartColours): void {
  const { ctx, bbox: { top, height } } = plot;
  const step = 6 * pen.ratio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, right - left, height);
  ctx.clip();
  for (let y = top - (right - left); y < top + height + step; y += step) pen.line(left, y + (right - left), right, y, colours.muted, { width: 1, alpha: 0.45 });
  ctx.restore();
}

function points(pen: Pen, plot: uPlot, { points: all, edge, chosen }: PlotData, colours: ChartColours): void {
  if (edge) {
    const y = pen.y(edge.regret);
    pen.line(pen.x(0.15), y, pen.x(0.85), y, colours.above, { dash: [4, 3], width: 1.2 });
    caption(pen, plot, t('dashed line: the pool of {pool} ends at regret {regret}', { pool: edge.pool, regret: num(edge.regret) }), colours);
  }
  if (chosen) {
    const [x, y] = [pen.x(chosen.x), pen.y(chosen.y)];
    if (chosen.win) pen.line(pen.x(chosen.win.lo), y, pen.x(chosen.win.hi), y, colours.text, { width: 1.2 });
    if (chosen.regret) pen.line(x, pen.y(chosen.regret.lo), x, pen.y(chosen.regret.hi), colours.text, { width: 1.2 });
  }
  for (const point of [...all].sort((a, b) => Number(b.faint) - Number(a.faint))) {
    const colour = point.faint ? colours.muted : point.kind === 'seed' ? (point.inPool ? colours.above : colours.text) : point.kind === 'dead-zone' ? colours.text : colours.hint;
    mark(plot.ctx, shapeOf({ class: point.kind, inPool: point.inPool })[0], pen.x(point.x), pen.y(point.y), 3.6 * pen.ratio, colour, point.faint ? 0.35 : 1);
  }
  if (chosen) mark(plot.ctx, 'ended', pen.x(chosen.x), pen.y(chosen.y), 7.5 * pen.ratio, colours.focus, 1);
}

function caption(pen: Pen, plot: uPlot, text: string, colours: ChartColours): void {
  const { ctx, bbox: { top, height } } = plot;
  ctx.save();
  ctx.font = colours.font.replace('11px', `${11 * pen.ratio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'alphabetic';
  const [x, y] = [pen.x(0.85) - 5 * pen.ratio, top + height - 6 * pen.ratio];
  ctx.strokeStyle = colours.ground;
  ctx.lineWidth = 4 * pen.ratio;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colours.text;
  ctx.fillText(text, x, y);
  ctx.restore();
}
