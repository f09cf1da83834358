import type { MemoryRowView } from '../../src/shared/webviewMemory';

/** A record as a point; `faint` when a filter leaves it out. */
export interface Point {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly kind: MemoryRowView['class'];
  readonly inPool: boolean;
  readonly faint: boolean;
}

/** The nearest point in a direction, faint ones left out: what lies sideways counts as twice as far. Null at the end. */
export function nearest(points: readonly Point[], from: string | null, [dx, dy]: readonly [number, number]): string | null {
  const own = points.find(({ key }) => key === from);
  const others = points.filter(({ key, faint }) => key !== from && !faint);
  if (!own) return others[0]?.key ?? null;
  const ranked = others.flatMap(({ key, x, y }) => {
    const [along, across] = dx === 0 ? [(y - own.y) * dy, x - own.x] : [(x - own.x) * dx, y - own.y];
    return along > 0 ? [{ key, far: along + 2 * Math.abs(across) }] : [];
  });
  return ranked.sort((a, b) => a.far - b.far)[0]?.key ?? null;
}
