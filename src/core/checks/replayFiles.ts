import { isCancelled } from '../errors';
import type { FileStore } from '../ports';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join } from '../run/paths';
import { movedName, parseRecord } from './records';
import { Replay } from './replays';
import { contentHash } from './suppression';

/** A replay and the name of its file. */
export interface KeptReplay {
  readonly name: string;
  readonly replay: Replay;
}

/** The kept counterexamples of a workspace, a file each. */
export class ReplayFiles {
  private readonly folder: string;

  constructor(private readonly files: FileStore, workspace: string) {
    this.folder = join(workspace, WORKSPACE_FOLDER, 'replays');
  }

  /** Keeps a replay. The same counterexample of the same file is kept once, with the newest outcome. Gives the file's name. */
  async keep(replay: Replay): Promise<string> {
    const { check, file, seed, actions, maxTurns } = replay;
    const key = await contentHash(JSON.stringify([check, file, seed, actions, maxTurns]));
    const name = `${check.replace(/[^a-z0-9-]/g, '')}-${key.slice(0, 16)}.json`;
    await this.files.makeFolder(this.folder);
    await this.files.replace(join(this.folder, name), `${JSON.stringify(replay, null, 2)}\n`);
    return name;
  }

  /** All that can be read, in order of their names; `unreadable` holds what is wrong with the others. */
  async all(): Promise<{ readonly replays: readonly KeptReplay[]; readonly unreadable: readonly unknown[] }> {
    const replays: KeptReplay[] = [];
    const unreadable: unknown[] = [];
    const names = ((await this.files.list(this.folder)) ?? []).filter(({ name, folder }) => !folder && name.endsWith('.json')).map(({ name }) => name);
    for (const name of names.sort()) {
      const path = join(this.folder, name);
      try {
        const text = await this.files.read(path);
        if (text !== undefined) replays.push({ name, replay: parseRecord(path, text, Replay) });
      } catch (error) {
        if (isCancelled(error)) throw error;
        unreadable.push(error);
      }
    }
    return { replays, unreadable };
  }

  /** The replays of one file. */
  async of(file: string): Promise<readonly KeptReplay[]> {
    return (await this.all()).replays.filter(({ replay }) => replay.file === file);
  }

  /** Has the replays go along when a file or folder is renamed; gives the new names of their files. A replay is gone from its old place only once it stands in the new one. */
  async moved(from: string, to: string): Promise<ReadonlySet<string>> {
    const files = new Set<string>();
    for (const { name, replay } of (await this.all()).replays) {
      const file = movedName(replay.file, from, to);
      if (file === null) continue;
      await this.keep({ ...replay, file });
      await this.remove(name);
      files.add(file);
    }
    return files;
  }

  /** Deletes a replay. */
  async remove(name: string): Promise<void> {
    await this.files.remove(join(this.folder, name));
  }
}
