import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { setAttr } from '../ui/dom';
import { chartColours, onThemeChange, type ChartColours } from './theme';

/** A plot as its maker describes it for the colours of the moment. */
export interface Drawing {
  readonly options: Omit<uPlot.Options, 'width' | 'height'>;
  readonly data: uPlot.AlignedData;
  readonly width: number;
  readonly height: number;
  /** What the plot says in words. */
  readonly label: string;
}

/** An element that holds a plot and draws it again when data, size or theme change. */
export class Chart<T> {
  private plot: uPlot | null = null;
  private last: { value: T; json: string } | null = null;

  constructor(readonly element: HTMLElement, private readonly draw: (value: T, colours: ChartColours) => Drawing) {
    setAttr(element, 'role', 'img');
    onThemeChange(() => this.last && this.render(this.last.value));
  }

  update(value: T): void {
    const json = JSON.stringify(value);
    if (json === this.last?.json) return;
    this.last = { value, json };
    this.render(value);
  }

  private render(value: T): void {
    const drawing = this.draw(value, chartColours());
    this.plot?.destroy();
    setAttr(this.element, 'aria-label', drawing.label);
    this.plot = new uPlot({ ...drawing.options, width: drawing.width, height: drawing.height }, drawing.data, this.element);
  }
}

/** Options that all small plots share: no cursor, no legend. */
export const quiet = { cursor: { show: false }, legend: { show: false }, select: { show: false, left: 0, top: 0, width: 0, height: 0 } } satisfies Partial<uPlot.Options>;

/** An axis below a plot with ticks at given values. */
export function bottomAxis(colours: ChartColours, splits: number[], label: (value: number) => string, grid = true): uPlot.Axis {
  return {
    scale: 'x', stroke: colours.muted, font: colours.font, size: 20, gap: 3,
    splits: () => splits, filter: (_plot, values) => values, values: (_plot, values) => values.map(label),
    grid: { show: grid, stroke: colours.lines, width: 0.4 }, ticks: { show: false }, border: { show: false },
  };
}
