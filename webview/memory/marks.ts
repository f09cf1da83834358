import type { IconName } from '../ui/icons';

/** Draws a shape of meaning on a canvas, centred, `r` in its pixels. */
export function mark(context: CanvasRenderingContext2D, shape: IconName, x: number, y: number, r: number, colour: string, alpha: number): void {
  context.save();
  context.globalAlpha = alpha;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = Math.max(1.4, r / 3);
  context.beginPath();
  switch (shape) {
    case 'tooEasy': polygon(context, [[x, y - r], [x + r, y + r * 0.8], [x - r, y + r * 0.8]]); break;
    case 'tooHard': polygon(context, [[x, y + r], [x + r, y - r * 0.8], [x - r, y - r * 0.8]]); break;
    case 'deadZone':
      for (const way of [1, -1]) {
        context.moveTo(x - r * 0.8, y - r * 0.8 * way);
        context.lineTo(x + r * 0.8, y + r * 0.8 * way);
      }
      context.stroke();
      break;
    case 'won':
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fill();
      break;
    default:
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.stroke();
  }
  context.restore();
}

function polygon(context: CanvasRenderingContext2D, points: readonly (readonly [number, number])[]): void {
  points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
  context.fill();
}
