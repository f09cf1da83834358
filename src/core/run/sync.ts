/** Brings the pushes of a run up to date with its file and its link module. */
import { readMemory } from '../memory/readMemory';
import { addText, markRecord } from './inboxFile';
import { isWaiting, judgeFile, withWaiting, type PushUpdate } from './judgeFile';
import { judgeLink, linkEvidence } from './judgeLink';
import type { Ledger, LedgerPush, NewLedgerEvent, PushState } from './ledger';
import type { LinkFolder, LinkPlace } from './linkFolder';
import type { MemoryStore } from './memoryFile';

/** What a sync works on. `runWroteMs` is asked for when the file is not ours: when the run last made games. */
export interface SyncParts {
  readonly ledger: Ledger;
  readonly store: MemoryStore;
  readonly link: LinkFolder;
  readonly memoryFile: string;
  readonly now: () => number;
  readonly runWroteMs: () => Promise<number | null>;
}

/** States in which a push is still to be looked after. */
const OPEN: readonly PushState[] = ['queued', 'claimed', 'lost', 'written', 'in-memory', 'drawn'];
/** True for a push that has not come to an end. */
export const isOpen = ({ state }: LedgerPush): boolean => OPEN.includes(state);

async function openPushes({ ledger, memoryFile }: Pick<SyncParts, 'ledger' | 'memoryFile'>): Promise<readonly LedgerPush[]> {
  return (await ledger.pushes(memoryFile)).pushes.filter(isOpen);
}

/** `file`: what waits may be written into the file. `link`: the link module takes what is put into its inbox. */
export interface SyncRights {
  readonly file: boolean;
  readonly link: boolean;
}

/** One sync; see {@link syncPushes}. */
class Sync {
  private readonly written: NewLedgerEvent[] = [];

  constructor(private readonly parts: SyncParts, private readonly may: SyncRights) {}

  async run(): Promise<void> {
    await this.parts.store.change({
      work: (records) => this.work(records),
      after: () => this.parts.ledger.add(...this.written),
    });
  }

  private async work(records: readonly string[]): Promise<readonly string[] | null> {
    const { store, ledger } = this.parts;
    const pushes = await openPushes(this.parts);
    const evidence = await linkEvidence(this.parts.link, pushes.filter(({ inbox }) => inbox !== null));
    // Read again behind the evidence: a save that came meanwhile belongs to it.
    const text = (await store.read()) ?? '[]';
    const entries = readMemory(text).entries;
    const runWroteMs = (await store.isOurs()) ? null : await this.parts.runWroteMs();
    const updates = [...judgeLink(evidence, entries), ...judgeFile(pushes.filter(({ inbox }) => inbox === null), entries, runWroteMs)];
    await ledger.add(...updates.map(({ push, state, note }) => this.event(push, state, note)));
    if (this.may.link) await submitWaiting(this.parts);
    return this.may.file ? this.writeWaiting(records) : null;
  }

  /** What waits goes into the file of a run that has ended; what a link module still holds is taken back first. */
  private async writeWaiting(records: readonly string[]): Promise<readonly string[] | null> {
    const places = await this.parts.link.places();
    for (const push of await openPushes(this.parts)) if (isLeftOver(push, places, records)) await this.takeFromLink(push);
    const all = await openPushes(this.parts);
    const waiting = all.filter((push) => push.inbox === null && isWaiting(push));
    this.written.length = 0;
    this.written.push(...waiting.map((push) => this.event(push, 'written', push.state === 'lost' ? 'written again: the run had overwritten it' : 'written from the queue')));
    return waiting.length === 0 ? null : withWaiting(records, waiting, all);
  }

  /** Noted before the file goes: killed in between, it is in the file and with the link module, which adds no push that is there. */
  private async takeFromLink(push: LedgerPush): Promise<void> {
    await this.parts.ledger.add({ ...this.event(push, isWaiting(push) ? push.state : 'queued', 'the run ended before it had saved it'), inbox: null });
    if (push.inbox === null) return;
    await this.parts.link.takeBack(push.inbox);
    await this.parts.link.takeClaimed(push.inbox);
  }

  private event(push: PushUpdate['push'], state: PushState, note: string): NewLedgerEvent {
    return { id: push.id, state, memoryFile: this.parts.memoryFile, gameFile: push.gameFile, at: this.parts.now(), note };
  }
}

/** True for a push through the inbox that no save of the ended run holds. */
function isLeftOver({ id, inbox, state }: LedgerPush, places: ReadonlyMap<string, LinkPlace>, records: readonly string[]): boolean {
  if (inbox === null) return false;
  if (state === 'lost') return true;
  return places.get(inbox) !== 'done' && !records.some((record) => record.includes(JSON.stringify(id)));
}

/**
 * Judges every open push, and carries out what waits where that is safe now. Works under the lock of the memory file, and may be
 * killed at any point: the next sync goes on.
 */
export function syncPushes(parts: SyncParts, may: SyncRights): Promise<void> {
  return new Sync(parts, may).run();
}

type SubmitParts = Pick<SyncParts, 'ledger' | 'link' | 'memoryFile' | 'now'>;

/**
 * Puts what waits into the inbox: what was queued before the link module came, what the run had lost, what never arrived there. Called under
 * the lock of the memory file, and before every new push, so that none overtakes an older one.
 */
export async function submitWaiting(parts: SubmitParts): Promise<void> {
  const waiting = (await openPushes(parts)).filter(isWaiting);
  const places = waiting.length === 0 ? new Map<string, LinkPlace>() : await parts.link.places();
  for (const push of waiting) {
    if (push.state === 'lost') await submit(parts, push, 'handed to the link module again: the run had lost it');
    else if (push.inbox === null) await submit(parts, push, 'handed to the link module');
    else if (!places.has(push.inbox)) await parts.link.put(push.inbox, addText(push.record, push.id));
  }
}

/**
 * Hands a push to the link module, under the lock of the memory file. The ledger knows the name of the file before it is there: what is
 * killed between is put there by the next push or sync.
 */
export async function submit(parts: SubmitParts, push: Pick<LedgerPush, 'id' | 'gameFile' | 'record' | 'capacity'>, note: string): Promise<void> {
  const record = markRecord(push.record, push.id);
  const inbox = await parts.link.nextName(push.id);
  await parts.ledger.add({
    id: push.id, state: 'queued', memoryFile: parts.memoryFile, gameFile: push.gameFile, at: parts.now(), record, capacity: push.capacity, inbox, note,
  });
  await parts.link.put(inbox, addText(record, push.id));
}
