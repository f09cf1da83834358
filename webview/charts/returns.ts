import type uPlot from 'uplot';
import { num, short } from '../ui/format';
import { t } from '../ui/strings';
import { bottomAxis, quiet, type Drawing } from './chart';
import { Pen } from './pen';
import type { ChartColours } from './theme';

/** Returns of one arm with their mean. */
export interface ArmReturns {
  readonly returns: readonly number[];
  readonly mean: number | null;
  readonly interval: { lo: number; hi: number } | null;
}

/** The returns of both arms as the plot shows them. */
export interface ReturnsData {
  readonly hint: ArmReturns;
  readonly noHint: ArmReturns;
}

const BINS_PER_UNIT = 20;

/** How many returns fall into each bin of a twentieth, centred on its value. */
export function bins(returns: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of returns) {
    const bin = Math.round(value * BINS_PER_UNIT);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return counts;
}

/** Draws both arms' returns as bars, one arm above the other, each with its mean and interval below. */
export function drawReturns({ hint, noHint }: ReturnsData, colours: ChartColours): Drawing {
  const all = [...hint.returns, ...noHint.returns];
  const negative = all.some((value) => value < -0.05);
  const [from, to] = [negative ? -1.05 : -0.06, 1.06];
  const ticks = negative ? [-1, -0.5, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const draw = (plot: uPlot): void => {
    const pen = new Pen(plot);
    arm(pen, hint, 0.62, colours.hint, colours);
    arm(pen, noHint, 0.12, colours.noHint, colours);
    function arm(on: Pen, data: ArmReturns, base: number, colour: string, all: ChartColours): void {
      const counts = bins(data.returns);
      const most = Math.max(1, ...counts.values());
      const half = 0.4 / BINS_PER_UNIT;
      for (const [bin, n] of counts) {
        const at = bin / BINS_PER_UNIT;
        on.rect(on.x(at - half), on.y(base + (0.36 * n) / most), on.x(at + half), on.y(base), colour, 0.9);
      }
      on.line(on.x(from), on.y(base), on.x(to), on.y(base), all.lines, { alpha: 0.8 });
      if (data.mean !== null) on.whisker(data.mean, data.interval, on.y(base) + 6 * on.ratio, all.text);
    }
  };
  const words = (name: string, { mean, returns }: ArmReturns): string => (mean === null ? t('{arm} none yet', { arm: name }) : t('{arm} mean {mean} of {n}', { arm: name, mean: num(mean), n: returns.length }));
  return {
    width: 184, height: 104,
    data: [ticks, ticks.map(() => null)],
    label: t('Returns by arm: {hint}; {noHint}', { hint: words(t('with hint'), hint), noHint: words(t('no hint'), noHint) }),
    options: {
      ...quiet, padding: [0, 8, 0, 0],
      scales: { x: { time: false, range: [from, to] }, y: { range: [0, 1] } },
      axes: [bottomAxis(colours, ticks, (tick) => (Number.isInteger(tick) ? short(tick) : tick.toFixed(2).replace('0.', '.').replace('-', '\u2212'))), { show: false }],
      series: [{}, { points: { show: false } }],
      hooks: { draw: [draw] },
    },
  };
}
