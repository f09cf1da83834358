import type uPlot from 'uplot';
import { short } from '../ui/format';
import { t } from '../ui/strings';
import { bottomAxis, quiet, type Drawing } from './chart';
import { Pen } from './pen';
import type { ChartColours } from './theme';

/** Raw rewards by step of the two shown episodes; `trains` is the step whose reward trains, from 1, or 0. */
export interface RewardsData {
  readonly hint: { readonly rewards: readonly (number | null)[]; readonly trains: number };
  readonly noHint: { readonly rewards: readonly (number | null)[]; readonly trains: number };
}

/** Draws raw reward by step: circles with hint, squares without, filled where the reward trains. */
export function drawRewards({ hint, noHint }: RewardsData, colours: ChartColours): Drawing {
  const steps = Math.max(1, hint.rewards.length, noHint.rewards.length);
  const x = Array.from({ length: steps }, (_, index) => index + 1);
  const values = [...hint.rewards, ...noHint.rewards].filter((value) => value !== null);
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const every = Math.max(1, Math.ceil(steps / 8));
  const yTicks = low < 0 ? [low, 0, high] : [0, high / 2, high];
  const at = (rewards: readonly (number | null)[]): (number | null)[] => x.map((step) => rewards[step - 1] ?? null);
  const draw = (plot: uPlot): void => {
    const pen = new Pen(plot);
    points(pen, noHint, colours.noHint, colours.ground, true);
    points(pen, hint, colours.hint, colours.ground, false);
  };
  return {
    width: 228, height: 104,
    data: [x, at(hint.rewards), at(noHint.rewards)],
    label: t('Raw reward by step: with hint {hint}; no hint {noHint}', { hint: list(hint.rewards), noHint: list(noHint.rewards) }),
    options: {
      ...quiet, padding: [6, 10, 0, 0],
      scales: { x: { time: false, range: [0.8, steps + 0.2] }, y: { range: [low - 0.06 * (high - low), high] } },
      axes: [
        bottomAxis(colours, x.filter((step) => (step - 1) % every === 0), String, false),
        {
          scale: 'y', stroke: colours.muted, font: colours.font, size: 28, gap: 4, splits: () => yTicks, filter: (_plot, ticks) => ticks,
          values: (_plot, ticks) => ticks.map((tick) => short(Math.round(tick * 100) / 100)),
          grid: { stroke: colours.lines, width: 0.4 }, ticks: { show: false }, border: { show: false },
        },
      ],
      series: [
        {},
        { stroke: colours.hint, width: 1.3, spanGaps: true, points: { show: false } },
        { stroke: colours.noHint, width: 1.3, dash: [4, 3], spanGaps: true, points: { show: false } },
      ],
      hooks: { draw: [draw] },
    },
  };
}

function list(rewards: readonly (number | null)[]): string {
  return rewards.length === 0 ? t('none') : rewards.map((value) => (value === null ? '\u2013' : short(value))).join(', ');
}

function points(pen: Pen, { rewards, trains }: RewardsData['hint'], colour: string, ground: string, square: boolean): void {
  rewards.forEach((value, index) => {
    if (value === null) return;
    const [x, y, r] = [pen.x(index + 1), pen.y(value), (index + 1 === trains ? 4 : 3) * pen.ratio];
    const outline = square
      ? ([[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]] as const)
      : Array.from({ length: 16 }, (_, part) => [x + r * Math.cos((part * Math.PI) / 8), y + r * Math.sin((part * Math.PI) / 8)] as const);
    pen.shape(outline, index + 1 === trains ? colour : ground);
    outline.forEach(([x0, y0], part) => {
      const [x1, y1] = outline[(part + 1) % outline.length] ?? [x0, y0];
      pen.line(x0, y0, x1, y1, colour, { width: 1.4 });
    });
  });
}
