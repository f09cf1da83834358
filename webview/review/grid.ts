import type uPlot from 'uplot';
import type { CoverageState } from '../../src/shared/webviewCoverage';
import { quiet, type Drawing } from '../charts/chart';
import { Pen } from '../charts/pen';
import type { ChartColours } from '../charts/theme';
import { t } from '../ui/strings';

const ROW = 28;
const COLUMN = 76;
const LABELS = 160;
const TOP = 26;

/** Draws counts of each skill by difficulty as filled cells; a cell without any is an empty frame. */
export function drawGrid({ difficulties, skills }: Pick<CoverageState, 'difficulties' | 'skills'>, colours: ChartColours): Drawing {
  const most = Math.max(1, ...skills.flatMap(({ counts }) => counts));
  const rows = skills.length;
  const draw = (plot: uPlot): void => {
    const pen = new Pen(plot);
    skills.forEach(({ counts }, row) => counts.forEach((count, column) => cell(plot, pen, { count, row: rows - 1 - row, column, most, colours })));
  };
  return {
    width: LABELS + COLUMN * difficulties.length + 12, height: TOP + ROW * rows + 8,
    data: [difficulties.map((_, column) => column), difficulties.map(() => null)],
    label: t('Environments by skill and difficulty: {rows}', { rows: skills.map(({ name, counts }) => `${name} ${counts.map((count, at) => `${difficulties[at] ?? ''} ${count}`).join(', ')}`).join('; ') }),
    options: {
      ...quiet, padding: [0, 4, 4, 0],
      scales: { x: { time: false, range: [-0.5, difficulties.length - 0.5] }, y: { range: [-0.5, rows - 0.5] } },
      axes: [
        {
          side: 0, scale: 'x', stroke: colours.muted, font: colours.font, size: TOP, gap: 4, splits: () => difficulties.map((_, column) => column), filter: (_plot, values) => values,
          values: (_plot, values) => values.map((value) => difficulties[value] ?? ''), grid: { show: false }, ticks: { show: false }, border: { show: false },
        },
        {
          scale: 'y', stroke: colours.text, font: colours.font, size: LABELS, gap: 8, splits: () => skills.map((_, row) => row), filter: (_plot, values) => values,
          values: (_plot, values) => values.map((value) => skills[rows - 1 - value]?.name ?? ''), grid: { show: false }, ticks: { show: false }, border: { show: false },
        },
      ],
      series: [{}, { points: { show: false } }],
      hooks: { draw: [draw] },
    },
  };
}

function cell(plot: uPlot, pen: Pen, { count, row, column, most, colours }: { count: number; row: number; column: number; most: number; colours: ChartColours }): void {
  const inset = 2 * pen.ratio;
  const [x0, x1, y0, y1] = [pen.x(column - 0.5) + inset, pen.x(column + 0.5) - inset, pen.y(row + 0.5) + inset, pen.y(row - 0.5) - inset];
  if (count > 0) pen.rect(x0, y0, x1, y1, colours.hint, 0.2 + 0.4 * (count / most));
  else for (const [a, b, c, d] of [[x0, y0, x1, y0], [x1, y0, x1, y1], [x1, y1, x0, y1], [x0, y1, x0, y0]] as const) pen.line(a, b, c, d, colours.below, { dash: [3, 3], width: 1 });
  const { ctx } = plot;
  ctx.save();
  ctx.fillStyle = count > 0 ? colours.text : colours.muted;
  ctx.font = colours.font.replace(/^(\d+)px/, (_all, size: string) => `${Number(size) * pen.ratio}px`);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(count > 0 ? String(count) : t('none'), (x0 + x1) / 2, (y0 + y1) / 2);
  ctx.restore();
}
