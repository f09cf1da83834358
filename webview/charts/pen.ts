import type uPlot from 'uplot';

/** Draws on a plot's canvas in the plot's own units; lengths in CSS pixels. */
export class Pen {
  private readonly context: CanvasRenderingContext2D;
  readonly ratio: number;

  constructor(private readonly plot: uPlot) {
    this.context = plot.ctx;
    this.ratio = devicePixelRatio;
  }

  x(value: number): number {
    return this.plot.valToPos(value, 'x', true);
  }

  y(value: number): number {
    return this.plot.valToPos(value, 'y', true);
  }

  /** A line between two points of the canvas. */
  line(x0: number, y0: number, x1: number, y1: number, colour: string, options: { width?: number; dash?: number[]; alpha?: number } = {}): void {
    const { context, ratio } = this;
    context.save();
    context.globalAlpha = options.alpha ?? 1;
    context.strokeStyle = colour;
    context.lineWidth = (options.width ?? 1) * ratio;
    context.setLineDash((options.dash ?? []).map((part) => part * ratio));
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
    context.restore();
  }

  /** A filled polygon through points of the canvas. */
  shape(points: readonly (readonly [number, number])[], colour: string, alpha = 1): void {
    const { context } = this;
    context.save();
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.beginPath();
    points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fill();
    context.restore();
  }

  rect(x0: number, y0: number, x1: number, y1: number, colour: string, alpha = 1): void {
    this.shape([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], colour, alpha);
  }

  /** A mean as a diamond with its interval as a whisker, at height `y` of the canvas. */
  whisker(mean: number, interval: { lo: number; hi: number } | null, y: number, colour: string): void {
    const r = 4 * this.ratio;
    if (interval) {
      const [lo, hi] = [this.x(interval.lo), this.x(interval.hi)];
      this.line(lo, y, hi, y, colour, { width: 1.2 });
      for (const end of [lo, hi]) this.line(end, y - r, end, y + r, colour, { width: 1.2 });
    }
    const x = this.x(mean);
    this.shape([[x, y - r], [x + r, y], [x, y + r], [x - r, y]], colour);
  }
}
