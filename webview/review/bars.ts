import type uPlot from 'uplot';
import { quiet, type Drawing } from '../charts/chart';
import { Pen } from '../charts/pen';
import type { ChartColours } from '../charts/theme';
import { t } from '../ui/strings';

/** Counts with their names. */
export interface BarsData {
  readonly title: string;
  readonly counts: readonly { readonly label: string; readonly count: number }[];
  readonly total: number;
}

const ROW = 26;
const LABELS = 260;
const WIDTH = 500;

/** Draws counts as lying bars; what has none is a dashed stub. */
export function drawBars({ title, counts, total }: BarsData, colours: ChartColours): Drawing {
  const [rows, most] = [counts.length, Math.max(1, ...counts.map(({ count }) => count))];
  const draw = (plot: uPlot): void => {
    const pen = new Pen(plot);
    counts.forEach(({ count }, index) => {
      const y = rows - 1 - index;
      const [top, bottom] = [pen.y(y + 0.3), pen.y(y - 0.3)];
      if (count > 0) pen.rect(pen.x(0), top, pen.x(count), bottom, colours.hint, 0.75);
      else {
        const [x0, x1] = [pen.x(0), pen.x(0) + 24 * pen.ratio];
        for (const [a, b, c, d] of [[x0, top, x1, top], [x1, top, x1, bottom], [x1, bottom, x0, bottom], [x0, bottom, x0, top]] as const) pen.line(a, b, c, d, colours.below, { dash: [3, 3] });
      }
    });
  };
  return {
    width: WIDTH, height: ROW * rows + 8,
    data: [[0, most], [null, null]],
    label: t('{title}: {counts} of {total}', { title, counts: counts.map(({ label, count }) => `${label} ${count}`).join(', '), total }),
    options: {
      ...quiet, padding: [4, 12, 4, 0],
      scales: { x: { time: false, range: [0, most] }, y: { range: [-0.5, rows - 0.5] } },
      axes: [
        { show: false },
        {
          scale: 'y', stroke: colours.text, font: colours.font, size: LABELS, gap: 8, splits: () => counts.map((_, index) => index), filter: (_plot, values) => values,
          values: (_plot, values) => values.map((value) => { const { label, count } = counts[rows - 1 - value] ?? { label: '', count: 0 }; return `${label}  ${count}`; }),
          grid: { show: false }, ticks: { show: false }, border: { show: false },
        },
      ],
      series: [{}, { points: { show: false } }],
      hooks: { draw: [draw] },
    },
  };
}
