import * as vscode from 'vscode';
import { mayBeEnvironment } from '../../core/environment/looksLikeEnvironment';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { SessionSummary } from '../../core/play/sessionFiles';
import { groupBy } from '../../core/collections';
import { commandId } from '../../shared/contributions';
import type { Checks } from '../checks/feature';
import { sessionDescription, sessionLabel } from '../play/chooseSession';
import type { SessionTarget } from '../play/feature';
import type { PlaySessions } from '../play/sessions';
import { setContext } from '../context';
import { ICONS, verdictIcon, verdictText, verdictWords } from '../checks/codeLens';
import { draggablePython, NodeTree, type TreeNode } from './nodeTree';

/** Files looked at, and the longest one, in bytes: a workspace may hold whole runs. */
const FILE_LIMIT = 2000;
const SIZE_LIMIT = 512 * 1024;
/** Files read at the same time. */
const AT_ONCE = 16;
const EXCLUDED = ['.envwright', 'node_modules', '.venv', 'venv', 'site-packages', '__pycache__', 'spade_games', 'spade_games_cache', 'spade_games_rejected'];

/** A row that stands for a saved session. */
export interface SessionNode extends TreeNode, SessionTarget {}

/** The environment files of the workspace, with the verdict of those that were checked and the saved sessions of those that were played. A linked run has a view of its own. */
export class EnvironmentsTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('environments', () => this.nodes(), { canSelectMany: true, dragAndDropController: draggablePython }));
  private found: Promise<{ uris: readonly vscode.Uri[]; isCut: boolean }> | undefined;

  constructor(private readonly checks: Pick<Checks, 'store' | 'memory'>, private readonly sessions: PlaySessions) {
    for (const { onDidChange } of [checks.store, checks.memory]) this.owned.add(onDidChange(() => this.tree.refresh()));
    this.owned.add(sessions.onDidChange(() => this.tree.refresh()));
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
    if (uris.length > 0) setContext('hasEnvironments', true);
    this.tree.view.message = isCut ? vscode.l10n.t('The first {0} Python files were looked at.', FILE_LIMIT) : '';
    const bySession = await this.sessionsByFile();
    if (bySession.size > 0) setContext('hasPlayed', true);
    return Promise.all(uris.map((uri) => this.node(uri, bySession.get(uri.toString()) ?? [])));
  }

  /** The saved sessions of all open folders, by the address of their file. */
  private async sessionsByFile(): Promise<ReadonlyMap<string, readonly SessionSummary[]>> {
    const all = await Promise.all((vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) => {
      const { sessions } = await this.sessions.list(uri);
      return sessions.map((session) => ({ session, file: vscode.Uri.joinPath(uri, session.header.file).toString() }));
    }));
    return new Map([...groupBy(all.flat(), ({ file }) => file)].map(([file, found]) => [file, found.map(({ session }) => session)]));
  }

  /** The environments found, for work on all of them. */
  async environments(): Promise<readonly vscode.Uri[]> {
    return (await (this.found ??= findEnvironments())).uris;
  }

  private async node(uri: vscode.Uri, sessions: readonly SessionSummary[]): Promise<TreeNode> {
    const checked = this.checks.store.get(uri);
    const kept = checked ? undefined : await this.checks.memory.of(uri);
    const path = vscode.workspace.asRelativePath(uri);
    const slash = path.lastIndexOf('/');
    return {
      id: uri.toString(),
      label: path.slice(slash + 1),
      description: checked ? verdictText(checked) : kept ? verdictWords(kept) : path.slice(0, Math.max(slash, 0)),
      tooltip: checked?.anchor ? `${path}\n${checked.anchor.className}` : path,
      icon: new vscode.ThemeIcon(checked ? verdictIcon(checked).slice(2, -1) : kept ? ICONS[kept.verdict].slice(2, -1) : 'file-code'),
      kind: 'environment',
      uri,
      command: { title: vscode.l10n.t('Open'), command: 'vscode.open', arguments: [uri] },
      ...(sessions.length > 0 && { children: () => sessions.map((session) => sessionNode(uri, session)) }),
    };
  }
}

function sessionNode(file: vscode.Uri, summary: SessionSummary): SessionNode {
  const { id } = summary.header;
  return {
    id: `session ${id}`, file, sessionId: id, kind: 'session',
    label: sessionLabel(summary),
    description: sessionDescription(summary),
    icon: new vscode.ThemeIcon(summary.damagedLines > 0 ? 'warning' : 'history'),
    command: { title: vscode.l10n.t('Open Saved Session…'), command: commandId('openSession'), arguments: [{ file, sessionId: id }] },
  };
}

/** The environment files of the workspace, as far as their text tells; `isCut` when there are more files than are looked at. */
export async function findEnvironments(): Promise<{ uris: readonly vscode.Uri[]; isCut: boolean }> {
  const files = await vscode.workspace.findFiles('**/*.py', `**/{${EXCLUDED.join(',')}}/**`, FILE_LIMIT);
  const isOne = new Array<boolean>(files.length).fill(false);
  let next = 0;
  const work = async () => {
    for (let at = next++; at < files.length; at = next++) isOne[at] = await mayHold(files[at]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const uris = files.filter((_, index) => isOne[index]).sort((a, b) => a.path.localeCompare(b.path));
  return { uris, isCut: files.length === FILE_LIMIT };
}

/** Whether a file is one of those that {@link findEnvironments} finds. */
export async function isFound(uri: vscode.Uri): Promise<boolean> {
  return !vscode.workspace.asRelativePath(uri, false).split('/').slice(0, -1).some((folder) => EXCLUDED.includes(folder)) && mayHold(uri);
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
