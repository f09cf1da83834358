/** Every push, undo and receipt of a workspace: JSON lines that are only ever added to. */
import { z } from 'zod';
import type { FileStore } from '../ports';
import { join } from './paths';
import { WORKSPACE_FOLDER } from '../workspaceFolder';

/** Where a push can be. `lost`: the run wrote its own buffer over it; it goes back to the queue. */
export const PushState = z.enum(['queued', 'written', 'claimed', 'in-memory', 'drawn', 'evicted', 'lost', 'failed', 'removed', 'cancelled']);
export type PushState = z.infer<typeof PushState>;

/** One line of the ledger. The first line of a push carries its record. */
const LedgerEvent = z.object({
  v: z.literal(1),
  at: z.number(),
  id: z.string(),
  state: PushState,
  memoryFile: z.string(),
  gameFile: z.string(),
  /** The record's text in the file, and the run's capacity; on the first event of a push. */
  record: z.string().optional(),
  capacity: z.int().optional(),
  /** Name of the file in the link module's inbox that carries the push; null once it goes into the memory file instead. */
  inbox: z.string().nullable().optional(),
  /** Name of the inbox file that asks to take the record back. */
  removal: z.string().optional(),
  note: z.string().default(''),
});
export type LedgerEvent = z.infer<typeof LedgerEvent>;
/** An event before it is written. */
export type NewLedgerEvent = Omit<LedgerEvent, 'v'>;

/** A push as its events leave it. */
export interface LedgerPush {
  readonly id: string;
  readonly state: PushState;
  readonly memoryFile: string;
  readonly gameFile: string;
  readonly record: string;
  readonly capacity: number;
  readonly inbox: string | null;
  readonly removal: string | null;
  /** Time of the last event, and of the first. */
  readonly at: number;
  readonly pushedAt: number;
  readonly note: string;
}

/** The ledger of one workspace. */
export class Ledger {
  private readonly path: string;

  constructor(private readonly files: FileStore, workspace: string) {
    this.path = join(workspace, WORKSPACE_FOLDER, 'pushes.jsonl');
  }

  /** Adds events, which are on the disk when this resolves; only that a push was written is left to the system, since the memory file shows it too. */
  async add(...events: readonly NewLedgerEvent[]): Promise<void> {
    if (events.length === 0) return;
    const lines = events.map((event) => `${JSON.stringify({ v: 1, ...event })}\n`).join('');
    await this.files.append(this.path, lines, { flush: events.some(({ state }) => state !== 'written') });
  }

  /** Pushes in the order they were made, of one memory when it is named. Lines that cannot be read are counted, never dropped from the file. */
  async pushes(memoryFile?: string): Promise<{ pushes: LedgerPush[]; unreadable: number }> {
    const pushes = new Map<string, LedgerPush>();
    let unreadable = 0;
    for await (const event of this.lines(memoryFile)) {
      if (event) apply(pushes, event);
      else unreadable += 1;
    }
    return { pushes: [...pushes.values()], unreadable };
  }

  /** Every event in the order it was noted, of one memory when it is named. */
  async events(memoryFile?: string): Promise<LedgerEvent[]> {
    const events: LedgerEvent[] = [];
    for await (const event of this.lines(memoryFile)) if (event) events.push(event);
    return events;
  }

  /** Null for a line that cannot be read. */
  private async *lines(memoryFile: string | undefined): AsyncIterable<LedgerEvent | null> {
    if (!(await this.files.stat(this.path))) return;
    for await (const { text } of this.files.lines(this.path)) {
      if (text.trim() === '') continue;
      const event = parseEvent(text);
      if (!event || memoryFile === undefined || event.memoryFile === memoryFile) yield event;
    }
  }
}

function parseEvent(line: string): LedgerEvent | null {
  try {
    return LedgerEvent.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function apply(pushes: Map<string, LedgerPush>, event: LedgerEvent): void {
  const known = pushes.get(event.id);
  const record = event.record ?? known?.record;
  const capacity = event.capacity ?? known?.capacity;
  if (record === undefined || capacity === undefined) return;
  pushes.set(event.id, {
    id: event.id, state: event.state, memoryFile: event.memoryFile, gameFile: event.gameFile, record, capacity,
    inbox: event.inbox === undefined ? (known?.inbox ?? null) : event.inbox,
    removal: event.removal ?? known?.removal ?? null,
    at: event.at, pushedAt: known?.pushedAt ?? event.at, note: event.note,
  });
}
