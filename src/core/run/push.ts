/** Putting records into a run's memory, taking them back, and bringing the queue up to date. */
import { message, type Message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import { DEFAULT_SETTINGS, previewPush, type MemorySettings, type PushPreview } from '../memory/preview';
import { readMemory, type MemoryFile } from '../memory/readMemory';
import type { Provenance, PushWarning } from '../memory/warnings';
import { added, type NewRecord } from '../memory/writeMemory';
import type { Clock, FileStore } from '../ports';
import { removeText } from './inboxFile';
import { takePulse } from './inventory';
import { isWaiting, sameRecord } from './judgeFile';
import { Ledger, type LedgerPush, type NewLedgerEvent, type PushState } from './ledger';
import { LinkFolder } from './linkFolder';
import { judgePulse, linkedLiveness, type Liveness } from './liveness';
import { MemoryStore } from './memoryFile';
import type { RunFolder } from './runFolder';
import { isOpen, submit, submitWaiting, syncPushes, type SyncParts } from './sync';

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

/**
 * `create`: the memory file may be made. `force`: past the warnings. `ended`: the user says that the run has ended, whatever its times say.
 * `id`: that of the push, for who must find it again whatever happens meanwhile; each is for one push only.
 */
export interface PushOptions {
  readonly settings?: MemorySettings;
  readonly create?: boolean;
  readonly force?: boolean;
  readonly ended?: boolean;
  readonly id?: string;
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
  readonly link: LinkFolder;

  constructor(private readonly ports: PushPorts, readonly run: RunFolder) {
    this.store = new MemoryStore(ports.files, ports.clock, ports.workspace, run.memoryFile);
    this.ledger = new Ledger(ports.files, ports.workspace);
    this.link = new LinkFolder(ports.files, ports.clock, run.cacheDir);
  }

  /** Whether the run is live. A link module that answers settles it; else the times of the folders tell. */
  async liveness(): Promise<Liveness> {
    const heartbeat = await this.link.alive();
    if (heartbeat) return linkedLiveness(heartbeat, this.ports.clock.now());
    const pulse = await takePulse(this.ports.files, this.run);
    return judgePulse(pulse, await this.store.foreignChangeMs(), this.ports.clock.now());
  }

  /**
   * What a push would do, to the memory of now or to the one that is given. Throws when there is no memory file and none may be made,
   * and when the file is torn.
   */
  async preview(request: PushRequest, options: PushOptions = {}, memory?: MemoryFile): Promise<PushPreview> {
    const text = await this.store.read();
    if (text === undefined && !options.create && !(await this.link.alive())) {
      throw new EnvwrightError(
        'run/no-memory', message('{file} does not exist: the run has saved no memory yet, or does not use one.', { file: this.run.memoryFile }),
        message('The run writes its first records at its first regeneration. Only a run that has not started can be seeded.'),
      );
    }
    const preview = previewPush(memory ?? readMemory(text ?? '[]'), request.record, options.settings, request.provenance);
    return { ...preview, warnings: [...preview.warnings, ...(request.moreWarnings ?? [])] };
  }

  /** Pushes a record: into the file of a run that does not run, into the queue of one that does. */
  async push(request: PushRequest, options: PushOptions = {}): Promise<PushOutcome> {
    const preview = await this.preview(request, options);
    const liveness = await this.liveness();
    const stopped = preview.warnings.filter(({ severity }) => severity === 'warning');
    if (stopped.length > 0 && !options.force) {
      return { state: 'refused', id: null, preview, liveness, backup: null, why: stopped.length === 1 ? message('Not pushed: 1 warning. Nothing was changed.') : message('Not pushed: {count} warnings. Nothing was changed.', { count: stopped.length }) };
    }
    const capacity = options.settings?.capacity ?? DEFAULT_SETTINGS.capacity;
    const id = options.id ?? this.ports.newId();
    const push = { id, gameFile: request.record.game_file, record: preview.record, capacity };
    const done = (state: PushOutcome['state'], why: Message, backup: string | null = null): PushOutcome => ({ state, id, preview, liveness, backup, why });
    const heartbeat = options.ended ? null : await this.link.alive();
    const queued = { ...this.event(push, 'queued'), record: push.record, capacity };
    if (heartbeat) {
      const isKept = await this.noted(push, () => this.store.locked(async () => {
        await submitWaiting(this.parts);
        await submit(this.parts, push, '');
      }));
      return done('queued', isKept
        ? message('The link module takes it into the live buffer at its next rollout; the last one was {rollout}.', { rollout: heartbeat.rollout })
        : NO_ROOM);
    }
    if (liveness.state === 'live' && !options.ended) {
      await this.ledger.add(queued);
      return done('queued', message('The run is live and would overwrite the file at its next regeneration. The push waits until the run has ended; then apply it with memory sync. With the link module it would reach the live buffer.'));
    }
    let backup: string | null = null;
    const isKept = await this.noted(push, async () => { backup = await this.write(queued, capacity); });
    return isKept ? done('written', message('Written into {file}.', { file: this.run.memoryFile }), backup) : done('queued', NO_ROOM);
  }

  /**
   * Carries a push out. When that fails, the ledger says so: the caller is told that the push failed, so it must not be applied later
   * behind the user's back. Where not even that can be noted (a full disk), what the ledger says already holds: resolves with false
   * for a push that stays in the queue.
   */
  private async noted(push: { readonly id: string; readonly gameFile: string }, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      try {
        await this.ledger.add(this.event(push, 'failed', error instanceof Error ? error.message : String(error)));
      } catch {
        if (await this.ledgerKnows(push.id)) return false;
      }
      throw error;
    }
  }

  private async ledgerKnows(id: string): Promise<boolean> {
    return (await this.ledger.pushes(this.run.memoryFile)).pushes.some((push) => push.id === id && push.state === 'queued');
  }

  private event(push: { readonly id: string; readonly gameFile: string }, state: PushState, note = ''): NewLedgerEvent {
    return { id: push.id, state, memoryFile: this.run.memoryFile, gameFile: push.gameFile, at: this.ports.clock.now(), note };
  }

  /** Writes one record. The ledger knows of it before the file changes: a push whose writer was killed is found by the next sync. */
  private async write(queued: NewLedgerEvent & { record: string }, capacity: number): Promise<string | null> {
    const { backup } = await this.store.change({
      before: () => this.ledger.add(queued),
      work: (records) => added(records, queued.record, capacity),
      // The record is in the file by now: a ledger that cannot say so is put right by the next sync, which finds it there.
      after: () => this.ledger.add(this.event(queued, 'written')).catch(() => undefined),
    });
    return backup;
  }

  /**
   * Takes a pushed record out again: out of the queue or the inbox when it waits there, out of the live buffer through the link
   * module (`asked`), else out of the file. Of several records with this game file the newest goes. Nothing is done to the file of a
   * live run.
   */
  async remove(gameFile: string, options: Pick<PushOptions, 'ended'> = {}): Promise<RemoveOutcome> {
    const { pushes } = await this.ledger.pushes(this.run.memoryFile);
    const mine = pushes.filter((push) => push.gameFile === gameFile && isOpen(push)).reverse();
    const nothing = { backup: null, record: null };
    const heartbeat = options.ended ? null : await this.link.alive();
    for (const push of mine) {
      if (push.inbox === null ? isWaiting(push) : await this.link.takeBack(push.inbox)) {
        await this.ledger.add(this.event(push, 'cancelled'));
        return { state: 'cancelled', backup: null, record: push.record };
      }
      if (push.inbox !== null && heartbeat && push.removal === null) {
        await this.askForRemoval(push);
        return { state: 'asked', backup: null, record: push.record };
      }
    }
    const text = await this.store.read();
    if (!text || !readMemory(text).entries.some((entry) => entry.gameFile === gameFile)) return { state: 'not-found', ...nothing };
    if (!options.ended && (await this.liveness()).state === 'live') return { state: 'refused', ...nothing };
    return this.removeFromFile(gameFile, mine);
  }

  private async askForRemoval(push: LedgerPush): Promise<void> {
    const removal = await this.link.nextName(push.id);
    await this.link.put(removal, removeText(push.id));
    await this.ledger.add({ ...this.event(push, push.state, 'the link module takes it out at its next rollout'), removal });
  }

  private async removeFromFile(gameFile: string, mine: readonly LedgerPush[]): Promise<RemoveOutcome> {
    let gone: string | null = null;
    const { backup } = await this.store.change({
      work: (records) => {
        const at = readMemory(`[${records.join(',')}]`).entries.findLastIndex((entry) => entry.gameFile === gameFile);
        gone = records[at] ?? null;
        return at < 0 ? null : records.toSpliced(at, 1);
      },
      after: async () => {
        const owner = mine.find(({ record }) => sameRecord(record, gone));
        if (owner) await this.ledger.add(this.event(owner, 'removed'));
      },
    });
    return { state: gone === null ? 'not-found' : 'removed', backup, record: gone };
  }

  /**
   * Brings every push of this run up to date: applies what is queued where that is safe now (through the link module of a live run, into
   * the file of one that has ended), finds what is gone (evicted, or overwritten, which is applied again), and what the run has
   * taken, drawn and saved.
   */
  async sync(options: Pick<PushOptions, 'ended'> = {}): Promise<SyncOutcome> {
    const liveness = await this.liveness();
    const heartbeat = options.ended ? null : await this.link.alive();
    const mayWrite = options.ended === true || (heartbeat === null && liveness.state !== 'live');
    if ((await this.ledger.pushes(this.run.memoryFile)).pushes.some(isOpen)) {
      await syncPushes(this.parts, { file: mayWrite, link: heartbeat !== null });
    }
    return { ...(await this.ledger.pushes(this.run.memoryFile)), liveness };
  }

  private get parts(): SyncParts {
    return {
      ledger: this.ledger, store: this.store, link: this.link, memoryFile: this.run.memoryFile, now: () => this.ports.clock.now(),
      runWroteMs: async () => judgePulse(await takePulse(this.ports.files, this.run), null, this.ports.clock.now()).lastChangeMs,
    };
  }
}

/** What became of a removal: `asked` is carried out by the link module at its next rollout. */
export interface RemoveOutcome {
  readonly state: 'cancelled' | 'removed' | 'asked' | 'refused' | 'not-found';
  readonly backup: string | null;
  readonly record: string | null;
}

const NO_ROOM = message('It could not be carried out now, the disk is full. It is in the queue: memory sync carries it out when there is room, memory remove takes it back.');

/** Every push of a run with its state; `unreadable` counts ledger lines that could not be read. */
export interface SyncOutcome {
  readonly pushes: readonly LedgerPush[];
  readonly liveness: Liveness;
  readonly unreadable: number;
}
