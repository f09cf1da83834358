import type uPlot from 'uplot';
import { num, signed } from '../ui/format';
import { t } from '../ui/strings';
import { quiet, type Drawing } from './chart';
import { Pen } from './pen';
import type { ChartColours } from './theme';

/** The gap of each column, the mean with its interval, and the width of a column in pixels. */
export interface GapData {
  readonly gaps: readonly (number | null)[];
  readonly mean: number | null;
  readonly interval: { lo: number; hi: number } | null;
  readonly column: number;
  readonly selected: number;
}

/** Greatest gap that fits: 1 unless one is wider (returns lie in [-1, 1]). */
export function gapReach(gaps: readonly (number | null)[]): number {
  return gaps.some((gap) => gap !== null && Math.abs(gap) > 1) ? 2 : 1;
}

/** Draws the gaps as arrows from zero, on the same columns as the strip above. */
export function drawGaps({ gaps, mean, interval, column, selected }: GapData, colours: ChartColours): Drawing {
  const reach = gapReach(gaps);
  const draw = (plot: uPlot): void => {
    const pen = new Pen(plot);
    const [left, right] = [pen.x(-0.5), pen.x(gaps.length - 0.5)];
    if (selected >= 0 && colours.selection) pen.rect(pen.x(selected - 0.5), pen.y(reach * 1.18), pen.x(selected + 0.5), pen.y(-reach * 1.18), colours.selection);
    if (interval) pen.rect(left, pen.y(interval.hi), right, pen.y(interval.lo), colours.text, 0.1);
    for (const value of [-reach, 0, reach]) pen.line(left, pen.y(value), right, pen.y(value), colours.lines, { width: value === 0 ? 1 : 0.5, alpha: 0.6 });
    if (mean !== null) pen.line(left, pen.y(mean), right, pen.y(mean), colours.text, { dash: [4, 3], alpha: 0.8 });
    gaps.forEach((gap, index) => gap !== null && arrow(pen, index, gap, colours));
  };
  const shown = gaps.filter((gap) => gap !== null);
  return {
    width: Math.max(column, gaps.length * column),
    height: 52,
    data: [gaps.map((_gap, index) => index), [...gaps]],
    label: mean === null ? t('Gaps by seed: none yet') : t('Gaps by seed: {n} gaps, mean {mean}, from {lo} to {hi}', {
      n: shown.length, mean: signed(mean), lo: num(Math.min(...shown)), hi: num(Math.max(...shown)),
    }),
    options: {
      ...quiet, padding: [0, 0, 0, 0],
      scales: { x: { time: false, range: [-0.5, gaps.length - 0.5] }, y: { range: [-reach * 1.18, reach * 1.18] } },
      axes: [{ show: false }, { show: false }],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: { draw: [draw] },
    },
  };
}

function arrow(pen: Pen, index: number, gap: number, colours: ChartColours): void {
  const [x, zero, tip] = [pen.x(index), pen.y(0), pen.y(gap)];
  const r = 3.5 * pen.ratio;
  const colour = gap > 0 ? colours.above : colours.below;
  if (gap === 0) return pen.rect(x - r / 2, zero - r / 2, x + r / 2, zero + r / 2, colours.muted);
  const back = gap > 0 ? r * 1.4 : -r * 1.4;
  if (Math.abs(zero - tip) > Math.abs(back)) pen.line(x, zero, x, tip + back, colour, { width: 1.5 });
  pen.shape([[x, tip], [x - r, tip + back], [x + r, tip + back]], colour);
}
