import * as vscode from 'vscode';
import { Emitter, type Disposable } from '../../core/lifecycle';
import type { ArmPlan } from '../../core/play/plan';
import { SessionFiles, type SessionSummary, type SessionWriter, type UnreadableSession } from '../../core/play/sessionFiles';
import type { SavedSession, SessionHeader } from '../../core/play/sessionRecord';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { NodePorts } from '../nodePorts';

/** The saved sessions of the open folders: `.envwright/plays/` of the folder that a file is in. */
export class PlaySessions implements Disposable {
  private readonly folders = new Map<string, Promise<SessionFiles>>();
  private readonly changes = new Emitter<void>();
  /** A session was begun, went on or was deleted. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly ports: Pick<NodePorts, 'files'>) {}

  /** True where plays of a file can be saved: in a trusted folder on disk. */
  canSave(uri: vscode.Uri): boolean {
    return vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(uri)?.uri.scheme === 'file';
  }

  /** Begins to save a session; null where it cannot be saved. */
  async begin(uri: vscode.Uri, header: Omit<SessionHeader, 'v' | 'type'>, plan: ArmPlan): Promise<SessionWriter | null> {
    if (!this.canSave(uri)) return null;
    const writer = await (await this.files(uri)).begin(header, plan);
    this.changes.fire();
    return writer;
  }

  async writer(uri: vscode.Uri, id: string): Promise<SessionWriter> {
    return (await this.files(uri)).writer(id);
  }

  /** Tells that a session on disk has more in it than before. */
  wentOn(): void {
    this.changes.fire();
  }

  /** All sessions of the folder that a file is in, the newest first, and the files that are none. */
  async list(uri: vscode.Uri): Promise<{ readonly sessions: readonly SessionSummary[]; readonly unreadable: readonly UnreadableSession[] }> {
    return this.canSave(uri) ? (await this.files(uri)).list() : { sessions: [], unreadable: [] };
  }

  /** Those of one file. */
  async of(uri: vscode.Uri): Promise<readonly SessionSummary[]> {
    const file = vscode.workspace.asRelativePath(uri, false);
    return (await this.list(uri)).sessions.filter(({ header }) => header.file === file);
  }

  async read(uri: vscode.Uri, id: string): Promise<SavedSession> {
    return (await this.files(uri)).read(id);
  }

  async remove(uri: vscode.Uri, id: string): Promise<void> {
    await (await this.files(uri)).remove(id);
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }

  private files(uri: vscode.Uri): Promise<SessionFiles> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (!folder || !this.canSave(uri)) {
      throw new EnvwrightError('records/no-folder', message('Sessions are kept in the workspace folder of their file, and this file is in none.'), message('Save the file into an open folder first.'));
    }
    const key = folder.uri.toString();
    const known = this.folders.get(key) ?? this.ports.files().then((files) => new SessionFiles(files, folder.uri.fsPath));
    this.folders.set(key, known);
    return known;
  }
}
