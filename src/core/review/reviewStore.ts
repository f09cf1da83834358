import { z } from 'zod';
import type { FileStore } from '../ports';
import { fewAtATime } from '../run/breath';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { join } from '../run/paths';
import { Decision, decisionFileName, noteFileName, ReviewNote, writeDecision } from './decision';

/** Everything that reviewers of a workspace have said. */
export interface Reviews {
  readonly decisions: readonly Decision[];
  readonly notes: readonly ReviewNote[];
  /** Files that cannot be read; they are left alone. */
  readonly problems: readonly { readonly file: string; readonly why: string }[];
}

export const NO_REVIEWS: Reviews = { decisions: [], notes: [], problems: [] };

/** Files read at the same time. */
const AT_ONCE = 32;

type Read = { readonly decision: Decision } | { readonly note: ReviewNote } | { readonly why: string };

/**
 * The folder of decisions and notes: one small file each, which is never changed, so that any merge of two folders is the union of
 * their files. What was read once is not read again.
 */
export class ReviewStore {
  readonly folder: string;
  private readonly read = new Map<string, Read>();

  constructor(private readonly files: FileStore, workspace: string) {
    this.folder = join(workspace, WORKSPACE_FOLDER, 'reviews');
  }

  /** Reads what is new and forgets what is gone. */
  async load(): Promise<Reviews> {
    const names = ((await this.files.list(this.folder)) ?? []).filter(({ name, folder }) => !folder && name.endsWith('.json')).map(({ name }) => name).sort();
    const present = new Set(names);
    for (const name of this.read.keys()) if (!present.has(name)) this.read.delete(name);
    await fewAtATime(names.filter((name) => !this.read.has(name)), AT_ONCE, async (name) => this.read.set(name, await this.parse(name)));
    const all = names.map((name): [string, Read] => [name, this.read.get(name)!]);
    return {
      decisions: all.flatMap(([, read]) => ('decision' in read ? [read.decision] : [])),
      notes: all.flatMap(([, read]) => ('note' in read ? [read.note] : [])),
      problems: all.flatMap(([file, read]) => ('why' in read ? [{ file: join(this.folder, file), why: read.why }] : [])),
    };
  }

  async decide(decision: Decision): Promise<void> {
    await this.write(decisionFileName(decision), writeDecision(decision));
  }

  /** Takes a decision back, as if it had not been made. */
  async takeBack(decision: Decision): Promise<void> {
    await this.files.remove(join(this.folder, decisionFileName(decision)));
  }

  async addNote(note: ReviewNote): Promise<void> {
    await this.write(noteFileName(note), writeDecision(note));
  }

  async removeNote(note: ReviewNote): Promise<void> {
    await this.files.remove(join(this.folder, noteFileName(note)));
  }

  private async write(name: string, text: string): Promise<void> {
    await this.files.makeFolder(this.folder);
    await this.files.replace(join(this.folder, name), text);
  }

  private async parse(name: string): Promise<Read> {
    try {
      const value: unknown = JSON.parse((await this.files.read(join(this.folder, name))) ?? '');
      return name.endsWith('.note.json') ? { note: ReviewNote.parse(value) } : { decision: Decision.parse(value) };
    } catch (error) {
      return { why: error instanceof z.ZodError ? `${error.issues[0]?.path.join('.') ?? ''}: ${error.issues[0]?.message ?? ''}` : error instanceof Error ? error.message : String(error) };
    }
  }
}
