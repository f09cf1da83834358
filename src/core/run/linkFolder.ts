/** The editor's side of the link module's folder (its files: `shared/link.ts`). */
import type { z } from 'zod';
import { DrawnLine, Heartbeat, Receipt } from '../../shared/link';
import type { Clock, FileStore } from '../ports';
import { join } from './paths';

/** Where the file of a push is: waiting, taken but not yet in a save of the run, in a save, or set aside. */
export type LinkPlace = 'inbox' | 'claimed' | 'done' | 'refused';
const PLACES: readonly LinkPlace[] = ['inbox', 'claimed', 'done', 'refused'];

const SECOND = 1000;
/** A rollout takes minutes: the link counts as silent when it was for much longer than between its last two calls. */
const PAUSES = 3;
const SHORTEST_MS = 10 * 60 * SECOND;
const LONGEST_MS = 6 * 60 * 60 * SECOND;
/** Taken while there was one call only. */
const UNKNOWN_PACE_MS = 60 * 60 * SECOND;

/** True when the next call of the link module is still to be expected. */
export function isBeating({ at, every }: Heartbeat, nowMs: number): boolean {
  const patience = every === undefined || every === null ? UNKNOWN_PACE_MS : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, PAUSES * every * SECOND));
  return nowMs - at * SECOND < patience;
}

/** The folder `envwright` in a run's cache folder. */
export class LinkFolder {
  private readonly root: string;
  private last = 0n;

  constructor(private readonly files: FileStore, private readonly clock: Clock, cacheDir: string) {
    this.root = join(cacheDir, 'envwright');
  }

  /** The last word of the link module; null when there is none that can be read. */
  heartbeat(): Promise<Heartbeat | null> {
    return this.document(join(this.root, 'heartbeat.json'), Heartbeat);
  }

  /** The last word of the link module when it is not too old, else null. */
  async alive(): Promise<Heartbeat | null> {
    const heartbeat = await this.heartbeat();
    return heartbeat && isBeating(heartbeat, this.clock.now()) ? heartbeat : null;
  }

  /** A name for the next file of the inbox: behind every file that waits there and every one named before, also when the clock was set back. */
  async nextName(id: string): Promise<string> {
    const waiting = ((await this.files.list(join(this.root, 'inbox'))) ?? []).map(({ name }) => stampOf(name));
    const now = BigInt(Math.floor(this.clock.now())) * 1_000_000n;
    this.last = [now, this.last + 1n, ...waiting.map((stamp) => stamp + 1n)].reduce((a, b) => (a > b ? a : b));
    return `${this.last.toString().padStart(20, '0')}-${id}.json`;
  }

  /** Puts a file into the inbox; the link module sees it whole or not at all. */
  async put(name: string, text: string): Promise<void> {
    await this.files.makeFolder(join(this.root, 'inbox'));
    await this.files.replace(join(this.root, 'inbox', name), text);
  }

  /** Takes a file back out of the inbox. False when the link module has claimed it, or it never came there. */
  takeBack(name: string): Promise<boolean> {
    return this.files.remove(join(this.root, 'inbox', name));
  }

  /** Takes away a file that a run claimed and ended before it saved. */
  takeClaimed(name: string): Promise<boolean> {
    return this.files.remove(join(this.root, 'claimed', name));
  }

  /** Where every file is. A file that moves meanwhile is found at its old or its new place: places are read in the order in which files move. */
  async places(): Promise<ReadonlyMap<string, LinkPlace>> {
    const places = new Map<string, LinkPlace>();
    for (const place of PLACES) for (const { name } of (await this.files.list(join(this.root, place))) ?? []) places.set(name, place);
    return places;
  }

  receipt(id: string, action: Receipt['action']): Promise<Receipt | null> {
    return this.document(join(this.root, 'receipts', `${id}.${action}.json`), Receipt);
  }

  /** Why a file was set aside. */
  async refusal(name: string): Promise<string> {
    return (await this.files.read(join(this.root, 'refused', `${name}.reason.txt`)))?.trim() ?? '';
  }

  /** Draws of pushed records, by push. Lines that cannot be read are passed over. */
  async draws(): Promise<ReadonlyMap<string, readonly DrawnLine[]>> {
    const draws = new Map<string, DrawnLine[]>();
    const path = join(this.root, 'drawn.jsonl');
    if (!(await this.files.stat(path))) return draws;
    for await (const { text } of this.files.lines(path)) {
      const line = parsed(text, DrawnLine);
      if (typeof line?.push !== 'string') continue;
      const own = draws.get(line.push);
      if (own) own.push(line);
      else draws.set(line.push, [line]);
    }
    return draws;
  }

  private async document<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    const text = await this.files.read(path).catch(() => undefined);
    return text === undefined ? null : parsed(text, schema);
  }
}

function stampOf(name: string): bigint {
  return BigInt(/^\d{1,20}(?=-)/.exec(name)?.[0] ?? 0);
}

function parsed<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
