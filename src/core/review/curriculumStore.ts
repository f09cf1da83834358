import { message } from '../../shared/message';
import { parseRecord } from '../checks/records';
import { hashOf } from '../design/provenance';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join } from '../run/paths';
import { Curriculum, type CurriculumEntry } from './curriculum';

/** The curricula of a workspace, by name; what cannot be read is named and left alone. */
export interface Curricula {
  readonly all: readonly Curriculum[];
  readonly problems: readonly EnvwrightError[];
}

/** Named sets on disk, one readable file each; every change is made under the file's lock. */
export class CurriculumStore {
  readonly folder: string;

  constructor(private readonly files: FileStore, workspace: string) {
    this.folder = join(workspace, WORKSPACE_FOLDER, 'curricula');
  }

  async load(): Promise<Curricula> {
    const names = ((await this.files.list(this.folder)) ?? []).filter(({ name, folder }) => !folder && name.endsWith('.json')).map(({ name }) => name).sort();
    const [all, problems]: [Curriculum[], EnvwrightError[]] = [[], []];
    for (const name of names) {
      try {
        all.push(await this.read(join(this.folder, name)));
      } catch (error) {
        if (!(error instanceof EnvwrightError)) throw error;
        problems.push(error);
      }
    }
    return { all: all.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
  }

  /** @throws EnvwrightError `review/no-curriculum`. */
  async get(name: string): Promise<Curriculum> {
    const path = await this.pathOf(name);
    if (await this.files.stat(path)) return this.read(path);
    throw new EnvwrightError('review/no-curriculum', message('There is no curriculum {name}.', { name }), message('Check the name, or make a new one.'));
  }

  /** @throws EnvwrightError `review/name-taken`. */
  async create(curriculum: Curriculum): Promise<void> {
    const path = await this.pathOf(curriculum.name);
    await this.locked(path, async () => {
      if (await this.files.stat(path)) throw new EnvwrightError('review/name-taken', message('There is a curriculum {name} already.', { name: curriculum.name }), message('Choose another name.'));
      await this.write(path, curriculum);
    });
  }

  /** Changes the entries of a curriculum and gives it as it is then. */
  async change(name: string, how: (entries: readonly CurriculumEntry[]) => readonly CurriculumEntry[]): Promise<Curriculum> {
    const path = await this.pathOf(name);
    return this.locked(path, async () => {
      const known = await this.get(name);
      const changed = { ...known, entries: [...how(known.entries)] };
      await this.write(path, changed);
      return changed;
    });
  }

  /** @throws EnvwrightError `review/name-taken`. */
  async rename(from: string, to: string): Promise<void> {
    const { entries } = await this.get(from);
    await this.create({ version: 1, name: to, entries });
    await this.remove(from);
  }

  async remove(name: string): Promise<void> {
    await this.files.remove(await this.pathOf(name));
  }

  private async pathOf(name: string): Promise<string> {
    const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 48);
    // Names that differ in more than their letters and digits must not meet in one file.
    const isPlain = slug === name;
    return join(this.folder, `${isPlain ? slug : `${slug === '' ? 'set' : slug}-${(await hashOf(name)).slice(0, 8)}`}.json`);
  }

  private async read(path: string): Promise<Curriculum> {
    return parseRecord(path, (await this.files.read(path)) ?? '', Curriculum);
  }

  private write(path: string, curriculum: Curriculum): Promise<void> {
    return this.files.replace(path, `${JSON.stringify(curriculum, null, 2)}\n`);
  }

  private async locked<T>(path: string, work: () => Promise<T>): Promise<T> {
    await this.files.makeFolder(this.folder);
    return this.files.withLock(path, work);
  }
}

/** Entries with further ones at the end, or before a place; a content that is in already stays where it is. */
export function withEntries(entries: readonly CurriculumEntry[], more: readonly CurriculumEntry[], at = entries.length): CurriculumEntry[] {
  const known = new Set(entries.map(({ contentHash }) => contentHash));
  const fresh = more.filter(({ contentHash }, index) => !known.has(contentHash) && more.findIndex((other) => other.contentHash === contentHash) === index);
  return [...entries.slice(0, at), ...fresh, ...entries.slice(at)];
}

/** Entries without some contents. */
export function withoutEntries(entries: readonly CurriculumEntry[], hashes: ReadonlySet<string>): CurriculumEntry[] {
  return entries.filter(({ contentHash }) => !hashes.has(contentHash));
}

/** Entries with some moved to stand before the one at `at`, counted in the old order; they keep the order they had among themselves. */
export function moveEntries(entries: readonly CurriculumEntry[], hashes: ReadonlySet<string>, at: number): CurriculumEntry[] {
  const moved = entries.filter(({ contentHash }) => hashes.has(contentHash));
  const before = entries.slice(0, at).filter(({ contentHash }) => !hashes.has(contentHash));
  const after = entries.slice(at).filter(({ contentHash }) => !hashes.has(contentHash));
  return [...before, ...moved, ...after];
}

/** Entries with one changed. */
export function withChanged(entries: readonly CurriculumEntry[], hash: string, change: Partial<Omit<CurriculumEntry, 'contentHash'>>): CurriculumEntry[] {
  return entries.map((entry) => (entry.contentHash === hash ? { ...entry, ...change } : entry));
}
