/** What the memory file tells about the pushes that were written into it. */
import { readMemory, type MemoryEntry } from '../memory/readMemory';
import { added } from '../memory/writeMemory';
import type { LedgerPush, PushState } from './ledger';

/** A new state of a push. */
export interface PushUpdate {
  readonly push: LedgerPush;
  readonly state: PushState;
  readonly note: string;
}

/** True when a push waits for the file. */
export const isWaiting = ({ state }: LedgerPush): boolean => state === 'queued' || state === 'lost';

/** True when two record texts stand for the same record, however they are laid out. */
export function sameRecord(record: string, other: string | null): boolean {
  return other !== null && identity(record) === identity(other);
}

function identity(record: string): string {
  const [entry] = readMemory(`[${record}]`).entries;
  return entry ? identityOf(entry) : '';
}

function identityOf({ gameFile, skill, snippet, winRate, regret, rolloutId, metadata }: MemoryEntry): string {
  return JSON.stringify([gameFile, skill, snippet, winRate, regret, rolloutId, metadata]);
}

/** Where the records of pushes are in the file, by push. A record answers for one push only. */
export function placesOf(pushes: readonly LedgerPush[], entries: readonly MemoryEntry[]): ReadonlyMap<LedgerPush, number> {
  const free = new Map<string, number[]>();
  for (const entry of entries) {
    const key = identityOf(entry);
    const own = free.get(key);
    if (own) own.push(entry.index);
    else free.set(key, [entry.index]);
  }
  const places = new Map<LedgerPush, number>();
  for (const push of pushes) {
    const place = free.get(identity(push.record))?.shift();
    if (place !== undefined) places.set(push, place);
  }
  return places;
}

/**
 * Why a record that was in the file is not: records leave in order of age, so when there is room, or an older push is still there, it
 * was overwritten.
 */
export function whyMissing(push: LedgerPush, pushes: readonly LedgerPush[], entries: readonly MemoryEntry[], places: ReadonlyMap<LedgerPush, number>): PushUpdate {
  const overwritten = entries.length < push.capacity || pushes.slice(0, pushes.indexOf(push)).some((older) => places.has(older));
  return overwritten ? { push, state: 'lost', note: 'the run had overwritten the file' } : { push, state: 'evicted', note: 'newer records took its place' };
}

/**
 * New states of pushes that go into the file. `runWroteMs`: when the run last made games, if somebody else than this workspace wrote
 * the file; only a save after that shows that the run took a record in.
 */
export function judgeFile(pushes: readonly LedgerPush[], entries: readonly MemoryEntry[], runWroteMs: number | null): PushUpdate[] {
  const places = placesOf(pushes, entries);
  return pushes.flatMap((push): PushUpdate[] => {
    if (!places.has(push)) return isWaiting(push) ? [] : [whyMissing(push, pushes, entries, places)];
    if (isWaiting(push)) return [{ push, state: 'written', note: 'found in the file' }];
    const taken = push.state === 'written' && runWroteMs !== null && runWroteMs > push.at;
    return taken ? [{ push, state: 'in-memory', note: 'a later save of the run holds it' }] : [];
  });
}

/**
 * The records with those that wait brought in. Each goes in front of the next younger push that is there already, so that the order of
 * pushing is kept also when the run had overwritten some of them; else to the end. `all` are the pushes in their order.
 */
export function withWaiting(records: readonly string[], waiting: readonly LedgerPush[], all: readonly LedgerPush[]): readonly string[] {
  const places = new Map(placesOf(all.filter((push) => !waiting.includes(push)), readMemory(`[${records.join(',')}]`).entries));
  const next: (number | undefined)[] = [];
  let seen: number | undefined;
  for (const push of all.toReversed()) {
    seen = places.get(push) ?? seen;
    next.unshift(seen);
  }
  const before = new Map<number, string[]>();
  const behind: LedgerPush[] = [];
  for (const push of waiting) {
    const place = next[all.indexOf(push)];
    if (place === undefined) behind.push(push);
    else before.set(place, [...(before.get(place) ?? []), push.record]);
  }
  const inserted = records.flatMap((record, index) => [...(before.get(index) ?? []), record]);
  const capacity = Math.min(...waiting.map((push) => push.capacity));
  const capped = inserted.length > Math.max(capacity, records.length) ? inserted.slice(-Math.max(capacity, records.length)) : inserted;
  return behind.reduce<readonly string[]>((grown, push) => added(grown, push.record, push.capacity), capped);
}
