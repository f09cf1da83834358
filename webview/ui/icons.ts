const SVG = 'http://www.w3.org/2000/svg';

type Shape = readonly [tag: 'path' | 'circle' | 'rect' | 'ellipse', attrs: Readonly<Record<string, string>>];
const p = (d: string, extra: Record<string, string> = {}): Shape => ['path', { d, ...extra }];
const c = (cx: number, cy: number, r: number, extra: Record<string, string> = {}): Shape => ['circle', { cx: `${cx}`, cy: `${cy}`, r: `${r}`, ...extra }];
const r = (x: number, y: number, width: number, height: number, extra: Record<string, string> = {}): Shape =>
  ['rect', { x: `${x}`, y: `${y}`, width: `${width}`, height: `${height}`, ...extra }];
const solid = { fill: 'currentColor', stroke: 'none' };

/** Icons on a 16 px grid, and below them shapes of meaning on a 12 px grid. */
const shapes = {
  play: [p('M4.5 3v10l8-5z', solid)],
  stop: [r(4, 4, 8, 8, { rx: '1', ...solid })],
  down: [p('M4 6.5l4 4 4-4')],
  right: [p('M6.5 4l4 4-4 4')],
  left: [p('M9.5 4l-4 4 4 4')],
  check: [p('M3.5 8.5l3 3 6-7')],
  warning: [p('M8 2.2L14.4 13.5H1.6zM8 6.2v3.6M8 11.4v.6')],
  error: [c(8, 8, 6), p('M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6')],
  info: [c(8, 8, 6), p('M8 7.2v4M8 4.8v.6')],
  more: [c(3.5, 8, 1.1, solid), c(8, 8, 1.1, solid), c(12.5, 8, 1.1, solid)],
  copy: [r(5.5, 5.5, 7.5, 8, { rx: '1' }), p('M10.5 3.5v-1h-7.5v8h1')],
  open: [p('M9 3h4v4M13 3L7.5 8.5M11.5 9.5V13H3V4.5h3.5')],
  history: [c(8, 8, 5.5), p('M8 4.8V8l2.3 1.6')],
  tool: [p('M10.2 2.6a3.4 3.4 0 00-3.1 4.7L2.6 11.8l1.6 1.6 4.5-4.5a3.4 3.4 0 004.6-3.9l-2 2-1.8-.4-.4-1.8 2-2a3 3 0 00-.9-.2z')],
  refresh: [p('M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3')],
  undo: [p('M6 3.5L3 6.5l3 3M3 6.5h6a3.5 3.5 0 010 7H6.5')],
  trash: [p('M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5')],
  link: [p('M6.8 9.2l2.4-2.4M7 5l1.4-1.4a2.8 2.8 0 014 4L11 9M9 11l-1.4 1.4a2.8 2.8 0 01-4-4L5 7')],
  search: [c(7, 7, 4), p('M10 10l3.5 3.5')],
  lock: [r(3.5, 7, 9, 6.5, { rx: '1' }), p('M5.5 7V5a2.5 2.5 0 015 0v2')],
  bug: [['ellipse', { cx: '8', cy: '9', rx: '3', ry: '4' }], p('M6 5.5a2 2 0 014 0M5 8H2.5M11 8h2.5M5.3 11.5L3.3 13M10.7 11.5l2 1.5M5.3 6L3.5 4.5M10.7 6l1.8-1.5')],
  compare: [r(2.5, 3, 4.5, 10, { rx: '1' }), r(9, 3, 4.5, 10, { rx: '1' })],
  hand: [c(8, 5, 2.5), p('M3 13.5c0-3 2.2-4.5 5-4.5s5 1.5 5 4.5')],
  replay: [p('M4 3v4h4M4.3 7A4.6 4.6 0 1 1 4 10.2')],
  edit: [p('M11 2.8l2.2 2.2-7.4 7.4-2.9.7.7-2.9zM9.4 4.4l2.2 2.2')],
  up: [p('M8 13V4M4 7.5L8 3.5l4 4')],
  won: [c(6, 6, 4.5, solid)],
  ended: [c(6, 6, 3.9)],
  truncated: [p('M9.5 2H2.5v8h7'), p('M9.5 4.6v2.8', { 'stroke-dasharray': '1.4 1.4' })],
  failed: [p('M2.5 2.5l7 7M9.5 2.5l-7 7', { 'stroke-width': '1.8' })],
  running: [c(6, 6, 4, { opacity: '.35' }), p('M6 2a4 4 0 014 4')],
  queued: [c(6, 6, 1.3, solid)],
  now: [c(6, 6, 4.4), c(6, 6, 2, solid)],
  dropped: [c(6, 6, 4), p('M3.2 8.8l5.6-5.6')],
  tooEasy: [p('M6 2l4.6 8H1.4z', solid)],
  tooHard: [p('M6 10L1.4 2h9.2z', solid)],
  deadZone: [p('M3 3l6 6M9 3l-6 6')],
} as const satisfies Record<string, readonly Shape[]>;

/** Names of icons and shapes. */
export type IconName = keyof typeof shapes;

const small = new Set<IconName>(['won', 'ended', 'truncated', 'failed', 'running', 'queued', 'now', 'dropped', 'tooEasy', 'tooHard', 'deadZone']);

/** An icon; it is decoration, so what it means is also said in words beside it or on its control. `tone` is a class. */
export function icon(name: IconName, tone = ''): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', `${small.has(name) ? 'g' : 'i'} ${tone}`.trim());
  svg.setAttribute('viewBox', small.has(name) ? '0 0 12 12' : '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  for (const [tag, attrs] of shapes[name]) {
    const shape = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attrs)) shape.setAttribute(key, value);
    svg.append(shape);
  }
  return svg;
}
