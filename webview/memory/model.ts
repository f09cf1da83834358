import type { MemoryClass } from '../../src/shared/memory';
import type { MemoryFindingId, MemoryRowView, MemoryState } from '../../src/shared/webviewMemory';

/** How the list can be ordered; `use` is the order in which the run would draw. */
export const SORTS = ['use', 'file', 'winRate', 'regret', 'evicted'] as const;
export type Sort = (typeof SORTS)[number];

/** What the user has set; it outlives a reload. `skill` null: all skills. */
export interface Ui {
  readonly skill: string | null;
  readonly kind: MemoryClass | null;
  readonly finding: MemoryFindingId | null;
  readonly query: string;
  readonly sort: Sort;
  readonly selected: string | null;
}

/** The skill whose pool is shown first: that of most records. */
export function firstSkill(rows: readonly MemoryRowView[]): string | null {
  return skillsOf(rows)[0]?.skill ?? null;
}

/** Skills with their records, the most first. */
export function skillsOf(rows: readonly MemoryRowView[]): { skill: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { skill } of rows) if (skill !== null) counts.set(skill, (counts.get(skill) ?? 0) + 1);
  return [...counts].map(([skill, count]) => ({ skill, count })).sort((a, b) => b.count - a.count || a.skill.localeCompare(b.skill));
}

/** How a record left the memory, and the rollout in which that was seen. */
export interface Gone {
  readonly how: 'evicted' | 'removed';
  readonly rollout: number | null;
}

/** Records leave in the order of their age: one that left while an older one is still there was taken out. */
export function goneOf(before: Pick<MemoryState, 'rows'>, after: Pick<MemoryState, 'rows' | 'rollout'>, key: string): Gone {
  const there = new Set(after.rows.map((row) => row.key));
  const at = before.rows.findIndex((row) => row.key === key);
  const olderIsThere = before.rows.slice(0, Math.max(0, at)).some((row) => there.has(row.key));
  const hasNewer = after.rows.some((row) => !before.rows.some((old) => old.key === row.key));
  return { how: olderIsThere || !hasNewer ? 'removed' : 'evicted', rollout: after.rollout };
}

/** How many records have each finding. */
export function findingCounts(rows: readonly MemoryRowView[]): Map<MemoryFindingId, number> {
  const counts = new Map<MemoryFindingId, number>();
  for (const { findings } of rows) for (const id of new Set(findings.map((finding) => finding.id))) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

const CLASS_ORDER: Readonly<Record<MemoryClass, number>> = { seed: 0, 'dead-zone': 1, 'too-hard': 2, 'too-easy': 3 };

function byUse(a: MemoryRowView, b: MemoryRowView): number {
  return CLASS_ORDER[a.class] - CLASS_ORDER[b.class] || (a.rank ?? 1e9) - (b.rank ?? 1e9) || b.index - a.index;
}

const down = (a: number | null, b: number | null): number => (b ?? -1e9) - (a ?? -1e9);

const orders: Readonly<Record<Sort, (a: MemoryRowView, b: MemoryRowView) => number>> = {
  use: byUse,
  file: (a, b) => a.name.localeCompare(b.name) || a.index - b.index,
  winRate: (a, b) => down(a.winRate, b.winRate) || byUse(a, b),
  regret: (a, b) => down(a.regret, b.regret) || a.index - b.index,
  evicted: (a, b) => a.index - b.index,
};

/** The rows of the list in its order. */
export function listed(rows: readonly MemoryRowView[], ui: Ui, found: ReadonlySet<string> | null): MemoryRowView[] {
  return rows.filter((row) => isListed(row, ui, found)).sort(orders[ui.sort]);
}

/** True for a record that the filters leave. */
export function isListed(row: MemoryRowView, { skill, kind, finding }: Ui, found: ReadonlySet<string> | null): boolean {
  return (skill === null || row.skill === skill) && (kind === null || row.class === kind) && (found === null || found.has(row.key))
    && (finding === null || row.findings.some(({ id }) => id === finding));
}

/** Index of the first listed row behind the pool, where a line is drawn; null when the list is in another order or has no such place. */
export function poolEnd(rows: readonly MemoryRowView[], { sort, skill }: Ui): number | null {
  if (sort !== 'use' || skill === null || !rows.some(({ inPool }) => inPool)) return null;
  const at = rows.findIndex(({ inPool }) => !inPool);
  return at < 0 ? null : at;
}

/** Regret of the last record of the pool of a skill; null while the pool is not full or there is none. */
export function poolEdge(rows: readonly MemoryRowView[], skill: string | null, pool: number): number | null {
  if (skill === null) return null;
  const members = rows.filter((row) => row.skill === skill && row.inPool);
  return members.length < pool ? null : members.reduce<number | null>((least, { regret }) => (regret !== null && (least === null || regret < least) ? regret : least), null);
}
