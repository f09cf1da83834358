import type { ArmName } from '../../src/shared/play';
import type { Cell, PlayerState } from '../../src/shared/webviewProtocol';

/** Most seeds that get a column each; more are put into bins. */
const MOST_COLUMNS = 60;
/** About how many bins there are then. */
const BINS = 18;

/** A column of the strip: the slots of one seed, of a bin of seeds, or one slot where seeds do not pair. */
export interface Column {
  readonly label: string;
  readonly slots: readonly number[];
  /** Mean gap over the pairs of the column, null when none has ended. */
  readonly gap: number | null;
  /** Number of the bin when the column is one that can be opened. */
  readonly bin: number | null;
}

type Part = Omit<Column, 'bin'> & { readonly gaps: readonly number[] };

const mean = (values: readonly number[]): number | null => (values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : null);

/** The slots by seed, or one by one where seeds do not pair. */
function bySeed({ slots, mode }: PlayerState): Part[] {
  const groups = new Map<string, { label: string; slots: number[]; gaps: number[] }>();
  slots.forEach((slot, index) => {
    const label = mode === 'paired' && slot.seed !== null ? String(slot.seed) : String(slot.play + 1);
    const key = mode === 'paired' && slot.seed !== null ? label : `slot ${index}`;
    const group = groups.get(key) ?? { label, slots: [], gaps: [] };
    groups.set(key, group);
    group.slots.push(index);
    if (slot.gap !== null) group.gaps.push(slot.gap);
  });
  return [...groups.values()].map((group) => ({ ...group, gap: mean(group.gaps) }));
}

/** The columns in the order asked for; above 60 seeds bins, or the seeds of the bin that is open. */
export function columnsOf(state: PlayerState, order: 'seed' | 'gap', open: number | null): Column[] {
  const parts = bySeed(state);
  if (order === 'gap') parts.sort((a, b) => (b.gap ?? -Infinity) - (a.gap ?? -Infinity));
  const plain = ({ label, slots, gap }: Part): Column => ({ label, slots, gap, bin: null });
  if (parts.length <= MOST_COLUMNS) return parts.map(plain);
  const size = Math.ceil(parts.length / BINS);
  const bins = Array.from({ length: Math.ceil(parts.length / size) }, (_, bin) => parts.slice(bin * size, (bin + 1) * size));
  const opened = open === null ? undefined : bins[open];
  if (opened) return opened.map(plain);
  return bins.map((members, bin): Column => {
    const [first, last] = [members[0]?.label ?? '', members.at(-1)?.label ?? ''];
    const label = order === 'seed' && first !== last ? `${first}\u2013${last}` : String(bin + 1);
    return { label, slots: members.flatMap(({ slots }) => slots), gap: mean(members.flatMap(({ gaps }) => gaps)), bin };
  });
}

/** The cells of an arm in a column. */
export function cellsOf(state: PlayerState, column: Column, arm: ArmName): Cell[] {
  return column.slots.map((index) => state.slots[index]?.[arm] ?? null).filter((cell) => cell !== null);
}
