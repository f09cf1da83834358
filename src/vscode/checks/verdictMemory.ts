import * as vscode from 'vscode';
import { z } from 'zod';
import { contentHash } from '../../core/checks/suppression';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import { Verdict } from '../../shared/findings';
import type { CheckStore } from './checkStore';
import { countsOf } from './codeLens';
import type { UserDecisions } from './decisions';

/** The verdict of a file that was run, for the text with this hash. */
const KeptVerdict = z.object({ hash: z.string(), verdict: Verdict, errors: z.int(), warnings: z.int(), at: z.iso.datetime() });
export type KeptVerdict = z.infer<typeof KeptVerdict>;
const Kept = z.object({ v: z.literal(1), by: z.string(), files: z.record(z.string(), KeptVerdict) });

const KEY = 'envwright.verdicts';
/** Files whose verdicts are kept; the oldest give way. */
const MOST = 5000;
const SAVE_DELAY_MS = 1000;

/**
 * Verdicts that outlive their document, also over a reload: a file keeps its sign after it is closed, for as long as its
 * text is the one that was judged, by this version and under the same decisions. What could not be run is not kept,
 * since that says more of this machine than of the file.
 */
export class VerdictMemory implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<vscode.Uri>());
  /** The verdict of a closed file may be another one now. */
  readonly onDidChange = this.changes.event;
  private readonly files: Map<string, KeptVerdict>;
  /** Hashes of files as they were last read, by their time and size. */
  private readonly read = new Map<string, { readonly stamp: string; readonly hash: string }>();
  private timer: NodeJS.Timeout | undefined;

  /** @param by version of the checks: another one's verdicts do not count. */
  constructor(private readonly store: CheckStore, decisions: Pick<UserDecisions, 'onDidChange'>, private readonly memento: vscode.Memento, private readonly by: string) {
    const saved = Kept.safeParse(memento.get(KEY));
    this.files = new Map(saved.success && saved.data.by === by ? Object.entries(saved.data.files) : []);
    this.owned.add(store.onDidChange((uri) => void this.take(uri)));
    this.owned.add(decisions.onDidChange(() => this.forgetAll()));
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher('**/*.py', true, false, true));
    this.owned.add(watcher.onDidChange((uri) => this.files.has(uri.toString()) && this.changes.fire(uri)));
  }

  /** The verdict of the text that lies in the file now; undefined when this text was not judged. */
  async of(uri: vscode.Uri): Promise<KeptVerdict | undefined> {
    const kept = this.files.get(uri.toString());
    return kept && (await this.hashOf(uri)) === kept.hash ? kept : undefined;
  }

  dispose(): void {
    if (this.timer) this.save();
    this.owned.dispose();
  }

  private async take(uri: vscode.Uri): Promise<void> {
    const checked = this.store.get(uri);
    if (!checked?.anchor || !checked.probed || !checked.ran || uri.scheme === 'untitled') return;
    const { verdict } = checked.report;
    const key = uri.toString();
    this.files.delete(key);
    if (verdict !== 'cannot-run') this.files.set(key, { hash: await contentHash(checked.ran.text), verdict, ...countsOf(checked.report), at: new Date().toISOString() });
    for (const oldest of [...this.files.keys()].slice(0, Math.max(0, this.files.size - MOST))) this.files.delete(oldest);
    this.timer ??= setTimeout(() => this.save(), SAVE_DELAY_MS);
  }

  private forgetAll(): void {
    const forgotten = [...this.files.keys()];
    this.files.clear();
    this.save();
    for (const key of forgotten) this.changes.fire(vscode.Uri.parse(key));
  }

  private save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.memento.update(KEY, { v: 1, by: this.by, files: Object.fromEntries(this.files) } satisfies z.infer<typeof Kept>);
  }

  /** Hash of the file's text as a document would hold it; undefined when it cannot be read. */
  private async hashOf(uri: vscode.Uri): Promise<string | undefined> {
    try {
      const { mtime, size } = await vscode.workspace.fs.stat(uri);
      const [key, stamp] = [uri.toString(), `${mtime} ${size}`];
      const known = this.read.get(key);
      if (known?.stamp === stamp) return known.hash;
      const hash = await contentHash(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
      this.read.set(key, { stamp, hash });
      return hash;
    } catch {
      return undefined;
    }
  }
}
