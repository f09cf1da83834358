/** A piece of a reply: what the run reads, what it leaves, and the rest. */
export interface Piece {
  readonly text: string;
  readonly kind: 'plain' | 'read' | 'unread';
}

const BOX = /\\boxed\{[^{}]*\}/g;

/** Splits a reply at the action that the run reads; boxes that it does not read are marked as unread. */
export function pieces(reply: string, action: string): Piece[] {
  const at = action === '' ? -1 : reply.indexOf(action);
  const marks: { from: number; to: number; kind: Piece['kind'] }[] = at >= 0 ? [{ from: at, to: at + action.length, kind: 'read' }] : [];
  if (at >= 0 && action !== reply) {
    for (const box of reply.matchAll(BOX)) {
      const to = box.index + box[0].length;
      if (to <= at || box.index >= at + action.length) marks.push({ from: box.index, to, kind: 'unread' });
    }
  }
  marks.sort((a, b) => a.from - b.from);
  const all: Piece[] = [];
  let end = 0;
  for (const { from, to, kind } of marks) {
    if (from > end) all.push({ text: reply.slice(end, from), kind: 'plain' });
    all.push({ text: reply.slice(from, to), kind });
    end = to;
  }
  if (end < reply.length) all.push({ text: reply.slice(end), kind: 'plain' });
  return all;
}
