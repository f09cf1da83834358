import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Logger } from '../../core/ports';
import { hintFolders } from '../../core/run/runNames';
import type { Hint, Hints } from '../play/hints';
import type { LinkedRun } from '../run/linkedRun';

const SUFFIX = '_hint.txt';
/** Under which the texts are kept that came from no model: a hint's file holds its text alone, as in a run's folder. */
const SIMULATED = 'envwright.simulatedHints';
const REMEMBERED = 100;

/**
 * Hints kept beside their environments, `name_hint.txt` beside `name.py`, as the run keeps its own. Such a file is the hint
 * of its environment as soon as it is there, and when it is edited; that of a game in play lies with its copy. Nothing is ever written into the folder of a run.
 */
export class HintFiles implements Disposable {
  private readonly owned = new DisposableStore();

  constructor(private readonly hints: Hints, private readonly run: Pick<LinkedRun, 'path'>, private readonly state: vscode.Memento, private readonly log: Pick<Logger, 'warn'>) {
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher(`**/*${SUFFIX}`));
    for (const event of [watcher.onDidChange, watcher.onDidCreate]) this.owned.add(event((uri) => void this.take(uri)));
    this.owned.add(vscode.workspace.onDidOpenTextDocument((document) => void this.load(document)));
    for (const document of vscode.workspace.textDocuments) void this.load(document);
  }

  /** Keeps a hint with its file: beside it where that may be written, else for this window. Gives the file, if there is one. */
  async keep(document: vscode.TextDocument, hint: Hint): Promise<vscode.Uri | undefined> {
    this.hints.add(document.uri.toString(), hint);
    if (hint.simulated) await this.state.update(SIMULATED, [...new Set([hint.text, ...this.simulated()])].slice(0, REMEMBERED));
    const file = hintFileOf(document.uri);
    if (!file || this.isOfRun(document.uri)) return undefined;
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${hint.text.trim()}\n`));
    return file;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async load({ uri, languageId }: vscode.TextDocument): Promise<void> {
    const file = languageId === 'python' ? hintFileOf(uri) : undefined;
    if (!file) return;
    const name = file.path.split('/').at(-1)!;
    for (const folder of hintFolders(uri.path)) if (await this.take(uri.with({ path: `${folder}/${name}` }), uri)) return;
  }

  /** Takes the text of a file as the hint of an environment, the one beside it without another; false where there is none. */
  private async take(file: vscode.Uri, of = file.with({ path: file.path.replace(/_hint\.txt$/, '.py') })): Promise<boolean> {
    const environment = of.toString();
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).trim();
      if (text !== '' && this.hints.of(environment)[0]?.text !== text) this.hints.add(environment, { text, simulated: this.simulated().includes(text) });
      return text !== '';
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
      this.log.warn(`The hint ${file.path} could not be read: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  private simulated(): readonly string[] {
    return this.state.get<string[]>(SIMULATED) ?? [];
  }

  private isOfRun({ fsPath }: vscode.Uri): boolean {
    const { path } = this.run;
    return path !== '' && (fsPath === path || fsPath.startsWith(path.replace(/[/\\]*$/, '/')) || fsPath.startsWith(path.replace(/[/\\]*$/, '\\')));
  }
}

/** The file of an environment's hint; undefined for what is no file on a disk. */
function hintFileOf(uri: vscode.Uri): vscode.Uri | undefined {
  if (uri.scheme !== 'file' && uri.scheme !== 'vscode-remote') return undefined;
  return uri.path.endsWith('.py') ? uri.with({ path: `${uri.path.slice(0, -'.py'.length)}${SUFFIX}` }) : undefined;
}
