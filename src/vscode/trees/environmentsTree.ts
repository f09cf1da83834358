import * as vscode from 'vscode';
import { mayBeEnvironment } from '../../core/environment/looksLikeEnvironment';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { CheckStore } from '../checks/checkStore';
import { verdictIcon, verdictText } from '../checks/codeLens';
import { NodeTree, type TreeNode } from './nodeTree';

/** Files looked at, and the longest one, in bytes: a workspace may hold whole runs. */
const FILE_LIMIT = 2000;
const SIZE_LIMIT = 512 * 1024;
/** Files read at the same time. */
const AT_ONCE = 16;
const EXCLUDED = '**/{node_modules,.venv,venv,site-packages,__pycache__,spade_games,spade_games_cache,spade_games_rejected}/**';

/** The environment files of the workspace, with the verdict of those that were checked. A linked run has a view of its own. */
export class EnvironmentsTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('environments', () => this.nodes()));
  private found: Promise<{ uris: readonly vscode.Uri[]; isCut: boolean }> | undefined;

  constructor(private readonly store: CheckStore) {
    this.owned.add(store.onDidChange(() => this.tree.refresh()));
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher('**/*.py'));
    this.owned.add(watcher.onDidCreate(() => this.findAgain()));
    this.owned.add(watcher.onDidDelete(() => this.findAgain()));
  }

  findAgain(): void {
    this.found = undefined;
    this.tree.refresh();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async nodes(): Promise<readonly TreeNode[]> {
    const { uris, isCut } = await (this.found ??= findEnvironments());
    this.tree.view.message = isCut ? vscode.l10n.t('The first {0} Python files were looked at.', FILE_LIMIT) : '';
    return uris.map((uri) => this.node(uri));
  }

  private node(uri: vscode.Uri): TreeNode {
    const checked = this.store.get(uri);
    const path = vscode.workspace.asRelativePath(uri);
    const slash = path.lastIndexOf('/');
    return {
      id: uri.toString(),
      label: path.slice(slash + 1),
      description: checked ? verdictText(checked) : path.slice(0, Math.max(slash, 0)),
      tooltip: checked?.anchor ? `${path}\n${checked.anchor.className}` : path,
      icon: new vscode.ThemeIcon(checked ? verdictIcon(checked).slice(2, -1) : 'file-code'),
      kind: 'environment',
      uri,
    };
  }
}

/** The environment files of the workspace, as far as their text tells; `isCut` when there are more files than are looked at. */
export async function findEnvironments(): Promise<{ uris: readonly vscode.Uri[]; isCut: boolean }> {
  const files = await vscode.workspace.findFiles('**/*.py', EXCLUDED, FILE_LIMIT);
  const isOne = new Array<boolean>(files.length).fill(false);
  let next = 0;
  const work = async () => {
    for (let at = next++; at < files.length; at = next++) isOne[at] = await mayHold(files[at]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const uris = files.filter((_, index) => isOne[index]).sort((a, b) => a.path.localeCompare(b.path));
  return { uris, isCut: files.length === FILE_LIMIT };
}

async function mayHold(uri: vscode.Uri): Promise<boolean> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > SIZE_LIMIT) return false;
    return mayBeEnvironment(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch {
    // A file that went away between the search and now is simply not there.
    return false;
  }
}
