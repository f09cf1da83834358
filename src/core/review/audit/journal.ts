import { z } from 'zod';
import { FileReport } from '../../../shared/findings';
import type { FileStore } from '../../ports';
import { WORKSPACE_FOLDER } from '../../workspaceFolder';
import { join } from '../../run/paths';
import type { Fingerprint } from '../novelty';

/** What is kept of one judged content: enough that the file need not be run again. */
export const JournalEntry = z.object({
  v: z.literal(1),
  /** Content and the way it was judged; see `stamp.ts`. */
  key: z.string(),
  report: FileReport,
  /** Structure of the file, for finding copies: pairs of shingle and count. */
  print: z.array(z.tuple([z.string(), z.int()])),
  /** Time that the sandbox was asked for, in milliseconds. */
  sandboxMs: z.number(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

/** The structure as the journal holds it. */
export function packedPrint(print: Fingerprint): JournalEntry['print'] {
  return [...print].map(([shingle, count]) => [shingle, count]);
}

/** The journal that audits of a workspace share, also those of the editor; its folder is left out of version control. */
export async function workspaceJournal(files: FileStore, workspace: string): Promise<string> {
  const folder = join(workspace, WORKSPACE_FOLDER, 'cache');
  const ignore = join(folder, '.gitignore');
  if (!(await files.stat(ignore))) {
    await files.makeFolder(folder);
    await files.replace(ignore, '*\n', { flush: false });
  }
  return join(folder, 'audit.jsonl');
}

/** Lines more than the kept entries from which on the file is written anew. */
const SLACK = 500;

/**
 * Everything that audits of a workspace have judged: JSON lines that are added one by one, so that an audit that was killed
 * goes on where it was. A line that was torn is judged again.
 */
export class AuditJournal {
  private readonly entries = new Map<string, JournalEntry>();
  private pending: Promise<void> = Promise.resolve();

  private constructor(private readonly files: FileStore, readonly path: string) {}

  /** Opens a journal; with `fresh` what it holds is forgotten. */
  static async open(files: FileStore, path: string, { fresh = false }: { readonly fresh?: boolean } = {}, signal?: AbortSignal): Promise<AuditJournal> {
    const journal = new AuditJournal(files, path);
    if (fresh) await files.remove(path);
    else await journal.load(signal);
    return journal;
  }

  /** What is known of a key. A file that could not be judged is tried again: what was missing may be there now. */
  get(key: string): JournalEntry | undefined {
    const entry = this.entries.get(key);
    return entry?.report.verdict === 'cannot-run' ? undefined : entry;
  }

  /** Keeps an entry; resolves once it is on its way to the disk, in the order of the calls. */
  add(entry: JournalEntry): Promise<void> {
    this.entries.set(entry.key, entry);
    const written = this.pending.then(() => this.files.append(this.path, `${JSON.stringify(entry)}\n`, { flush: false }));
    this.pending = written.catch(() => undefined);
    return written;
  }

  private async load(signal?: AbortSignal): Promise<void> {
    if (!(await this.files.stat(this.path))) return;
    let lines = 0;
    for await (const { text } of this.files.lines(this.path, signal)) {
      lines += 1;
      const entry = parsed(text);
      if (entry) this.entries.set(entry.key, entry);
    }
    if (lines > this.entries.size + SLACK) await this.files.replace(this.path, [...this.entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
}

function parsed(line: string): JournalEntry | undefined {
  try {
    return JournalEntry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
