import * as vscode from 'vscode';
import { DisposableStore, Emitter, type Disposable } from '../../../core/lifecycle';
import type { FileStore } from '../../../core/ports';
import type { CurriculumEntry } from '../../../core/review/curriculum';
import { CurriculumStore, type Curricula } from '../../../core/review/curriculumStore';
import { SourceStore } from '../../../core/review/sourceStore';
import { reviewRoot } from '../workspace';

/** The curricula of the workspace and the texts of their environments, and word of every change. */
export class Sets implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  readonly onDidChange = this.changes.event;

  constructor(private readonly files: () => Promise<FileStore>) {
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher('**/.envwright/curricula/*.json'));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.owned.add(event(() => this.changes.fire()));
  }

  /** @throws EnvwrightError `review/no-workspace`. */
  async stores(): Promise<{ readonly curricula: CurriculumStore; readonly sources: SourceStore; readonly files: FileStore; readonly root: string }> {
    const [root, files] = [reviewRoot(), await this.files()];
    return { root, files, curricula: new CurriculumStore(files, root), sources: new SourceStore(files, root) };
  }

  async load(): Promise<Curricula> {
    return vscode.workspace.workspaceFolders ? (await this.stores()).curricula.load() : { all: [], problems: [] };
  }

  /** Changes the entries of one, and says so at once. */
  async change(name: string, how: (entries: readonly CurriculumEntry[]) => readonly CurriculumEntry[]): Promise<void> {
    await (await this.stores()).curricula.change(name, how);
    this.changes.fire();
  }

  changed(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.owned.dispose();
  }
}
