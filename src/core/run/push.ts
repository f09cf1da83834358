/** Putting records into a run's memory, taking them back, and bringing the queue up to date. */
import { message, type Message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import { DEFAULT_SETTINGS, previewPush, type MemorySettings, type PushPreview } from '../memory/preview';
import { readMemory, type MemoryEntry } from '../memory/readMemory';
import type { Provenance, PushWarning } from '../memory/warnings';
import { added, type NewRecord } from '../memory/writeMemory';
import type { Clock, FileStore } from '../ports';
import { takeInventory } from './inventory';
import { Ledger, type LedgerPush, type NewLedgerEvent, type PushState } from './ledger';
import { judgeLiveness, type Liveness } from './liveness';
import { MemoryStore } from './memoryFile';
import type { RunFolder } from './runFolder';

/** What the push lifecycle needs of the world. `workspace` is where ledger and backups are kept; `newId` gives a fresh id. */
export interface PushPorts {
  readonly files: FileStore;
  readonly clock: Clock;
  readonly workspace: string;
  readonly newId: () => string;
}

/** A record to push, with what is known about it. */
export interface PushRequest {
  readonly record: NewRecord;
  readonly provenance?: Provenance;
  /** Found outside of the memory, for example by the checks. */
  readonly moreWarnings?: readonly PushWarning[];
}

/** `create`: the memory file may be made. `force`: past the warnings. `ended`: the user says that the run has ended, whatever its times say. */
export interface PushOptions {
  readonly settings?: MemorySettings;
  readonly create?: boolean;
  readonly force?: boolean;
  readonly ended?: boolean;
}

/** What became of a push. `refused` changed nothing and is in no ledger. */
export interface PushOutcome {
  readonly state: 'written' | 'queued' | 'refused';
  readonly id: string | null;
  readonly preview: PushPreview;
  readonly liveness: Liveness;
  readonly backup: string | null;
  readonly why: Message;
}

/** Pushes to one run from one workspace. */
export class RunMemory {
  readonly store: MemoryStore;
  readonly ledger: Ledger;

  constructor(private readonly ports: PushPorts, readonly run: RunFolder) {
    this.store = new MemoryStore(ports.files, ports.clock, ports.workspace, run.memoryFile);
    this.ledger = new Ledger(ports.files, ports.workspace);
  }

  async liveness(): Promise<Liveness> {
    const inventory = await takeInventory(this.ports.files, this.run);
    return judgeLiveness(inventory, await this.store.foreignChangeMs(), this.ports.clock.now());
  }

  /** What a push would do. Throws when there is no memory file and none may be made, and when the file is torn. */
  async preview(request: PushRequest, options: PushOptions = {}): Promise<PushPreview> {
    const text = await this.store.read();
    if (text === undefined && !options.create) {
      throw new EnvwrightError(
        'run/no-memory', message('{file} does not exist: the run has saved no memory yet, or does not use one.', { file: this.run.memoryFile }),
        message('To seed a run before it starts, use --create.'),
      );
    }
    const preview = previewPush(readMemory(text ?? '[]'), request.record, options.settings, request.provenance);
    return { ...preview, warnings: [...preview.warnings, ...(request.moreWarnings ?? [])] };
  }

  /** Pushes a record: into the file of a run that does not run, into the queue of one that does. */
  async push(request: PushRequest, options: PushOptions = {}): Promise<PushOutcome> {
    const preview = await this.preview(request, options);
    const liveness = await this.liveness();
    const stopped = preview.warnings.filter(({ severity }) => severity === 'warning');
    if (stopped.length > 0 && !options.force) {
      return { state: 'refused', id: null, preview, liveness, backup: null, why: message('Not pushed: {count} warnings. Nothing was changed. Use --force to push anyway.', { count: stopped.length }) };
    }
    const capacity = options.settings?.capacity ?? DEFAULT_SETTINGS.capacity;
    const id = this.ports.newId();
    const queued = { ...this.event({ id, gameFile: request.record.game_file }, 'queued'), record: preview.record, capacity };
    if (liveness.state === 'live' && !options.ended) {
      await this.ledger.add(queued);
      return {
        state: 'queued', id, preview, liveness, backup: null,
        why: message('The run is live and would overwrite the file at its next regeneration. The push waits until the run has ended; then apply it with memory sync. With the link module it would reach the live buffer.'),
      };
    }
    const backup = await this.write(queued, capacity);
    return { state: 'written', id, preview, liveness, backup, why: message('Written into {file}.', { file: this.run.memoryFile }) };
  }

  private event(push: { readonly id: string; readonly gameFile: string }, state: PushState, note = ''): NewLedgerEvent {
    return { id: push.id, state, memoryFile: this.run.memoryFile, gameFile: push.gameFile, at: this.ports.clock.now(), note };
  }

  /** Writes one record. The ledger knows of it before the file changes: a push whose writer was killed is found by the next sync. */
  private async write(queued: NewLedgerEvent & { record: string }, capacity: number): Promise<string | null> {
    try {
      const { backup } = await this.store.change({
        before: () => this.ledger.add(queued),
        work: (records) => added(records, queued.record, capacity),
        // The record is in the file by now: a ledger that cannot say so is put right by the next sync, which finds it there.
        after: () => this.ledger.add(this.event(queued, 'written')).catch(() => undefined),
      });
      return backup;
    } catch (error) {
      // The caller is told that the push failed, so it must not be applied later behind the user's back.
      await this.ledger.add(this.event(queued, 'failed', error instanceof Error ? error.message : String(error))).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Takes a pushed record out again: out of the queue when it waits there, else out of the file. Of several records with
   * this game file the newest goes. Resolves with what was done; nothing is done to the file of a live run.
   */
  async remove(gameFile: string, options: Pick<PushOptions, 'ended'> = {}): Promise<{ readonly state: 'cancelled' | 'removed' | 'refused' | 'not-found'; readonly backup: string | null; readonly record: string | null }> {
    const { pushes } = await this.ledger.pushes(this.run.memoryFile);
    const mine = pushes.filter((push) => push.gameFile === gameFile).reverse();
    const waiting = mine.find(isWaiting);
    if (waiting) {
      await this.ledger.add(this.event(waiting, 'cancelled'));
      return { state: 'cancelled', backup: null, record: waiting.record };
    }
    const text = await this.store.read();
    if (!text || !readMemory(text).entries.some((entry) => entry.gameFile === gameFile)) return { state: 'not-found', backup: null, record: null };
    if (!options.ended && (await this.liveness()).state === 'live') return { state: 'refused', backup: null, record: null };
    let gone: string | null = null;
    const { backup } = await this.store.change({
      work: (records) => {
        const at = readMemory(`[${records.join(',')}]`).entries.findLastIndex((entry) => entry.gameFile === gameFile);
        gone = records[at] ?? null;
        return at < 0 ? null : records.toSpliced(at, 1);
      },
      after: async () => {
        const owner = mine.find(({ record, state }) => sameRecord(record, gone) && (state === 'written' || state === 'in-memory'));
        if (owner) await this.ledger.add(this.event(owner, 'removed'));
      },
    });
    return { state: gone === null ? 'not-found' : 'removed', backup, record: gone };
  }

  /**
   * Brings every push of this run up to date: applies what is queued where that is safe now, finds what was written but is
   * gone (evicted, or overwritten by a run that was live after all, which is applied again), and what a later save of the
   * run holds.
   */
  async sync(options: Pick<PushOptions, 'ended'> = {}): Promise<SyncOutcome> {
    const liveness = await this.liveness();
    const maySave = options.ended === true || liveness.state !== 'live';
    if ((await this.ledger.pushes(this.run.memoryFile)).pushes.some(({ state }) => OPEN.includes(state))) {
      const written: NewLedgerEvent[] = [];
      await this.store.change({
        work: async (records) => {
          await this.judge(records);
          const waiting = maySave ? (await this.ledger.pushes(this.run.memoryFile)).pushes.filter(isWaiting) : [];
          written.push(...waiting.map((push) => this.event(push, 'written', push.state === 'lost' ? 'written again: the run had overwritten it' : 'written from the queue')));
          return waiting.length === 0 ? null : waiting.reduce<readonly string[]>((all, { record, capacity }) => added(all, record, capacity), records);
        },
        after: () => this.ledger.add(...written),
      });
    }
    return { ...(await this.ledger.pushes(this.run.memoryFile)), liveness };
  }

  /** Notes in the ledger what the file tells about the open pushes. */
  private async judge(records: readonly string[]): Promise<void> {
    const { pushes } = await this.ledger.pushes(this.run.memoryFile);
    const inventory = await takeInventory(this.ports.files, this.run);
    const runWroteMs = (await this.store.isOurs()) ? null : judgeLiveness(inventory, null, this.ports.clock.now()).lastChangeMs;
    const updates = judgePushes(pushes, readMemory(`[${records.join(',')}]`).entries, runWroteMs);
    await this.ledger.add(...updates.map(({ push, state, note }) => this.event(push, state, note)));
  }
}

/** Every push of a run with its state; `unreadable` counts ledger lines that could not be read. */
export interface SyncOutcome {
  readonly pushes: readonly LedgerPush[];
  readonly liveness: Liveness;
  readonly unreadable: number;
}

/** States in which a push is still to be looked after. */
const OPEN: readonly PushState[] = ['queued', 'lost', 'written', 'in-memory'];
const isWaiting = ({ state }: LedgerPush): boolean => state === 'queued' || state === 'lost';

/** True when two record texts stand for the same record, however they are laid out. */
function sameRecord(record: string, other: string | null): boolean {
  return other !== null && identity(record) === identity(other);
}

function identity(record: string): string {
  const [entry] = readMemory(`[${record}]`).entries;
  return JSON.stringify([entry?.gameFile, entry?.skill, entry?.snippet, entry?.winRate, entry?.regret, entry?.rolloutId, entry?.metadata]);
}

/**
 * What the file tells about pushes, by their records. A record in the file answers for one push only. `runWroteMs`: when the run
 * last made games, if somebody else than this workspace wrote the file; only a save after that shows that the run took it in.
 */
function judgePushes(pushes: readonly LedgerPush[], entries: readonly MemoryEntry[], runWroteMs: number | null): { push: LedgerPush; state: PushState; note: string }[] {
  const places = new Map<string, number[]>();
  for (const entry of entries) {
    const key = identity(entry.source);
    places.set(key, [...(places.get(key) ?? []), entry.index]);
  }
  const open = pushes.filter(({ state }) => OPEN.includes(state)).map((push) => ({ push, place: places.get(identity(push.record))?.shift() }));
  const updates: { push: LedgerPush; state: PushState; note: string }[] = [];
  open.forEach(({ push, place }, index) => {
    if (place !== undefined) {
      if (isWaiting(push)) updates.push({ push, state: 'written', note: 'found in the file' });
      else if (push.state === 'written' && runWroteMs !== null && runWroteMs > push.at) updates.push({ push, state: 'in-memory', note: 'a later save of the run holds it' });
      return;
    }
    if (isWaiting(push)) return;
    // Records leave in order of age: when there is room, or an older push is still there, a missing one was overwritten.
    const overwritten = entries.length < push.capacity || open.slice(0, index).some((older) => older.place !== undefined);
    updates.push(overwritten ? { push, state: 'lost', note: 'the run had overwritten the file' } : { push, state: 'evicted', note: 'newer records took its place' });
  });
  return updates;
}
