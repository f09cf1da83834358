/** The one place that writes to a run's memory file. */
import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import { readMemory } from '../memory/readMemory';
import { memoryText } from '../memory/writeMemory';
import type { Clock, FileStore } from '../ports';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join, parentOf } from './paths';

/** Backups kept of one memory file. */
const BACKUPS = 10;
/** A file that keeps changing under the lock belongs to somebody who does not ask for it: a live run. */
const ATTEMPTS = 3;

/** A save of some hundred kilobytes takes milliseconds; on a slow network disk a little longer. In milliseconds. */
const SETTLE_MS = 40;
const SETTLING = 5;

/** Short name of a text, for comparing and for file names. */
export async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A change of the file. `work` gets the records, each the text of one to the letter, and gives those that the file shall hold,
 * or null to leave it alone; it may be asked again. `before` and `after` run once, under the lock, so that no other program can
 * take what is half done for what is left over.
 */
export interface MemoryChange {
  readonly before?: () => Promise<void>;
  readonly work: (records: readonly string[]) => readonly string[] | null | Promise<readonly string[] | null>;
  readonly after?: () => Promise<void>;
}

/**
 * A memory file and what the workspace keeps about it. Backups lie in the workspace, not beside the file: the run's
 * folder gets nothing that its own tools would have to understand, and a full disk there cannot cost the backup.
 */
export class MemoryStore {
  constructor(private readonly files: FileStore, private readonly clock: Clock, private readonly workspace: string, readonly path: string) {}

  /** Text of the file, undefined when there is none. A run saves in place: a file that is torn is read again while it grows. */
  async read(): Promise<string | undefined> {
    let text = await this.files.read(this.path);
    for (let attempt = 0; attempt < SETTLING && text !== undefined && !text.trimEnd().endsWith(']'); attempt += 1) {
      await this.clock.sleep(SETTLE_MS);
      text = await this.files.read(this.path);
    }
    return text;
  }

  /** Time of the last change that was not ours, null when there is no file or we wrote it last. */
  async foreignChangeMs(): Promise<number | null> {
    const text = await this.read();
    if (text === undefined) return null;
    return (await this.wroteLast(text)) ? null : ((await this.files.stat(this.path))?.modifiedMs ?? null);
  }

  /** True when the file holds exactly what was last written by us. */
  async isOurs(): Promise<boolean> {
    const text = await this.read();
    return text !== undefined && this.wroteLast(text);
  }

  private async wroteLast(text: string): Promise<boolean> {
    const stamps = await this.files.read(await this.stampPath());
    return stamps?.split('\n').includes(await digest(text)) ?? false;
  }

  /**
   * Changes the file under its lock: reads it, backs it up, checks that nobody wrote meanwhile, replaces it atomically.
   * A file that cannot be read (torn) is refused untouched. Resolves with the path of the backup, null when none was needed.
   */
  async change({ before, work, after }: MemoryChange): Promise<{ readonly changed: boolean; readonly backup: string | null }> {
    await this.files.makeFolder(await this.folder());
    return this.locked(async () => {
      await before?.();
      const result = await this.replaceChecked(work);
      if (result.changed) await after?.();
      return result;
    });
  }

  /** Runs `work` while nobody else who asks for the lock changes the file, or what belongs to it. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    await this.files.makeFolder(parentOf(this.path));
    return this.files.withLock(this.path, work);
  }

  private async replaceChecked(work: MemoryChange['work']): Promise<{ changed: boolean; backup: string | null }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const old = await this.read();
      const records = await work(readMemory(old ?? '[]').entries.map(({ source }) => source));
      if (records === null) return { changed: false, backup: null };
      const backup = old === undefined ? null : await this.backUp(old);
      const text = memoryText(records);
      // Stamped before it is written, and what is ours already stays stamped: at whatever point this is killed, the stamp is right.
      const stamps = [...(old !== undefined && backup === null ? [await digest(old)] : []), await digest(text)];
      await this.files.replace(await this.stampPath(), stamps.join('\n'), { flush: false });
      if ((await this.read()) !== old) continue;
      await this.files.replace(this.path, text);
      return { changed: true, backup };
    }
    throw new EnvwrightError(
      'memory/changed-meanwhile', message('{path} changed while it was read. Nothing was written.', { path: this.path }),
      message('The run seems to be writing. Push again when it is done, or add the link module.'),
    );
  }

  private async folder(): Promise<string> {
    return join(this.workspace, WORKSPACE_FOLDER, 'backups', await digest(this.path));
  }

  /** The newest backup, null when none was made. */
  async newestBackup(): Promise<string | null> {
    const folder = await this.folder();
    const newest = ((await this.files.list(folder)) ?? []).map(({ name }) => name).filter((name) => name.startsWith('env_memory-')).sort().at(-1);
    return newest === undefined ? null : join(folder, newest);
  }

  private async stampPath(): Promise<string> {
    return join(await this.folder(), 'last-written');
  }

  /** Keeps the text unless we wrote it ourselves: then the run's own is kept already, and our records are in the ledger. */
  private async backUp(text: string): Promise<string | null> {
    if (await this.wroteLast(text)) return null;
    const folder = await this.folder();
    const time = new Date(this.clock.now()).toISOString().replaceAll(':', '-');
    const path = join(folder, `env_memory-${time}-${(await digest(text)).slice(0, 6)}.json`);
    await this.files.replace(path, text);
    const old = ((await this.files.list(folder)) ?? []).map(({ name }) => name).filter((name) => name.startsWith('env_memory-')).sort();
    for (const name of old.slice(0, -BACKUPS)) await this.files.remove(join(folder, name));
    return path;
  }
}
