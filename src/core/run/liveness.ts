import type { Heartbeat } from '../../shared/link';
import { message, type Message } from '../../shared/message';
import type { RunInventory, RunStep } from './inventory';

/** Whether something is writing to a run's folders, judged by their times. */
export interface Liveness {
  readonly state: 'not-started' | 'live' | 'stopped';
  /** Time of the last change that the run itself may have made, null when there is none. */
  readonly lastChangeMs: number | null;
  readonly why: Message;
}

const MINUTE = 60_000;
/** A run writes at every regeneration only, hours apart for some: a pause is an end when it is much longer than its own. */
const PAUSES = 3;
const SHORTEST_MS = 10 * MINUTE;
const LONGEST_MS = 6 * 60 * MINUTE;
/** Taken when there are too few steps to know the run's pace. */
const UNKNOWN_PACE_MS = 60 * MINUTE;
/** Rollouts take minutes: folders of several that were all written within this were copied or checked out. */
const COPY_MS = 2_000;

/** Typical time between steps, null when there are none to tell. */
function pace(times: readonly number[]): number | null {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time)).filter((gap) => gap > COPY_MS).sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? null;
}

function ago(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/**
 * Judges a run by the times of its steps, its games and its memory. `memoryMs` is null when the memory was last written by
 * somebody else than the run.
 */
export function judgeLiveness(inventory: Pick<RunInventory, 'steps' | 'games' | 'gamesModifiedMs'>, memoryMs: number | null, nowMs: number): Liveness {
  const { steps, games, gamesModifiedMs } = inventory;
  const gamesMs = games.some(({ inPlay }) => inPlay) ? gamesModifiedMs : null;
  return judgePulse({ steps, hasGames: games.length > 0, gamesModifiedMs: gamesMs }, memoryMs, nowMs);
}

/** The same of a pulse ({@link takePulse}). */
export function judgePulse(
  { steps, hasGames, gamesModifiedMs }: { readonly steps: readonly RunStep[]; readonly hasGames: boolean; readonly gamesModifiedMs: number | null }, memoryMs: number | null, nowMs: number,
): Liveness {
  if (steps.length === 0 && !hasGames) {
    return { state: 'not-started', lastChangeMs: null, why: message('There are no games and no steps yet.') };
  }
  const stepTimes = steps.map(({ modifiedMs }) => modifiedMs).sort((a, b) => a - b);
  const times = [...stepTimes, ...(hasGames && gamesModifiedMs !== null ? [gamesModifiedMs] : []), ...(memoryMs === null ? [] : [memoryMs])];
  const last = times.reduce((a, b) => Math.max(a, b));
  if (steps.length > 1 && last - times.reduce((a, b) => Math.min(a, b)) <= COPY_MS) {
    return { state: 'stopped', lastChangeMs: last, why: message('All {count} steps carry the same time: this folder is a copy that nothing has written to since.', { count: steps.length }) };
  }
  const usual = pace(stepTimes);
  const patience = usual === null ? UNKNOWN_PACE_MS : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, PAUSES * usual));
  const args = { ago: ago(nowMs - last), patience: ago(patience) };
  return nowMs - last < patience
    ? { state: 'live', lastChangeMs: last, why: message('Something was written {ago} ago; at its pace the run counts as live for {patience}.', args) }
    : { state: 'stopped', lastChangeMs: last, why: message('Nothing was written for {ago}; at its pace the run would have within {patience}.', args) };
}

/** A run whose link module has answered lately. */
export function linkedLiveness({ at, rollout }: Heartbeat, nowMs: number): Liveness {
  return { state: 'live', lastChangeMs: at * 1000, why: message('The link module answered {ago} ago, in rollout {rollout}.', { ago: ago(nowMs - at * 1000), rollout }) };
}

/** Rollouts between regenerations, from the steps: the usual difference of their numbers. Null when there are fewer than two. */
export function regenerationInterval(rollouts: readonly number[]): number | null {
  const sorted = [...new Set(rollouts)].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  for (const [index, rollout] of sorted.slice(1).entries()) {
    const difference = rollout - (sorted[index] ?? 0);
    counts.set(difference, (counts.get(difference) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || a - b)[0]?.[0] ?? null;
}
