import type uPlot from 'uplot';
import type { Weights } from '../../src/shared/webviewProtocol';
import { num, short } from '../ui/format';
import { t } from '../ui/strings';
import { bottomAxis, quiet, type Drawing } from './chart';
import { Pen } from './pen';
import type { ChartColours } from './theme';

/** The plateau curve, and where the no-hint mean stands on it. */
export interface GaugeData {
  readonly weights: Pick<Weights, 'lo' | 'hi' | 'ramp'>;
  readonly mean: number | null;
  readonly interval: { lo: number; hi: number } | null;
}

/** Draws the plateau curve with its band, and the mean above it as a diamond with its interval. */
export function drawGauge({ weights: { lo, hi, ramp }, mean, interval }: GaugeData, colours: ChartColours): Drawing {
  const from = Math.min(0, mean ?? 0, interval?.lo ?? 0);
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const ticks = [...new Set([from < 0 ? Math.floor(from * 10) / 10 : 0, round(lo - ramp), lo, hi, round(hi + ramp), 1])].filter((tick) => tick >= from - 0.1 && tick <= 1);
  const draw = (plot: uPlot): void => {
    const pen = new Pen(plot);
    const [floor, top] = [pen.y(0), pen.y(1)];
    pen.shape([[pen.x(lo - ramp), floor], [pen.x(lo), top], [pen.x(hi), top], [pen.x(hi + ramp), floor]], colours.hint, 0.25);
    pen.line(pen.x(lo), top, pen.x(hi), top, colours.hint, { width: 2 });
    pen.line(pen.x(Math.min(from, 0)), floor, pen.x(1), floor, colours.lines, { alpha: 0.8 });
    if (mean === null) return;
    const y = pen.y(1.65);
    pen.line(pen.x(mean), y, pen.x(mean), floor, colours.text, { dash: [2, 2], alpha: 0.7 });
    pen.whisker(mean, interval, y, colours.text);
  };
  return {
    width: 180, height: 56,
    data: [ticks, ticks.map(() => null)],
    label: mean === null
      ? t('Plateau from {lo} to {hi}; no plays without hint yet', { lo: short(lo), hi: short(hi) })
      : t('No-hint return {mean} against the band {lo} to {hi}', { mean: num(mean), lo: short(lo), hi: short(hi) }),
    options: {
      ...quiet, padding: [2, 8, 0, 6],
      scales: { x: { time: false, range: [Math.min(...ticks), 1] }, y: { range: [0, 2] } },
      axes: [bottomAxis(colours, ticks, short, false), { show: false }],
      series: [{}, { points: { show: false } }],
      hooks: { draw: [draw] },
    },
  };
}
