import * as vscode from 'vscode';
import { CheckRecords, chosenProfile, PROFILE_FILE, SUPPRESSION_FILE, type ChosenProfile } from '../../core/checks/records';
import { contentHash, type Suppression } from '../../core/checks/suppression';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import { WORKSPACE_FOLDER } from '../../core/workspaceFolder';
import { message } from '../../shared/message';
import type { NodePorts } from '../nodePorts';
import { onSettingChange, readSetting } from '../settings';
import { requireTrust } from '../trust';
import type { CheckSubject } from './checkEngine';
import { oddSeverities } from './severities';

/** Name of a file in reports and in the user's records: its path in its workspace folder. */
export function fileName(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, false);
}

/** A file or folder that has another name now, both as {@link fileName} gives them. */
export interface Renamed {
  readonly folder: vscode.WorkspaceFolder;
  readonly from: string;
  readonly to: string;
}

/** Calls `follow` for each renaming in the editor that stays within a workspace folder on disk; not in an untrusted workspace, whose records do not count. */
export function onRename(follow: (renamed: Renamed) => Promise<void>, failed: (error: unknown) => void): vscode.Disposable {
  return vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of vscode.workspace.isTrusted ? files : []) {
      const folder = vscode.workspace.getWorkspaceFolder(newUri);
      if (folder?.uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(oldUri) !== folder) continue;
      follow({ folder, from: fileName(oldUri), to: fileName(newUri) }).catch(failed);
    }
  });
}

/**
 * What the user decided about files: silencings, profiles, severities. In an untrusted workspace none of it counts, since
 * the workspace itself may have brought it.
 */
export class UserDecisions implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** A decision was taken or taken back. */
  readonly onDidChange = this.changes.event;

  /** @param onUnreadable told of a file or setting of decisions that is damaged: what it says does not count then. */
  constructor(
    private readonly ports: Pick<NodePorts, 'files'>,
    private readonly onUnreadable: (error: unknown) => void,
  ) {
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher(`**/${WORKSPACE_FOLDER}/{${SUPPRESSION_FILE},${PROFILE_FILE}}`));
    const changed = () => this.changes.fire();
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.owned.add(event(changed));
    this.owned.add(onRename(({ folder, from, to }) => this.change(folder.uri, (records) => records.moved(from, to)), onUnreadable));
    this.owned.add(onSettingChange(['check.severities'], () => {
      changed();
      void this.tellOddSeverities();
    }));
    void this.tellOddSeverities();
  }

  /** What is to be checked of a document, with all that the user decided about it. */
  async subjectOf(document: Pick<vscode.TextDocument, 'uri' | 'getText'>): Promise<CheckSubject> {
    const { uri } = document;
    const [text, file] = [document.getText(), fileName(uri)];
    const subject = { text, file, key: uri.toString(), severityOverrides: readSetting('check.severities') };
    const records = this.counted(uri);
    if (!records) return subject;
    try {
      const { profiles, suppressions } = await records.read();
      const profile = profiles.length > 0 ? chosenProfile(profiles, { file, hash: await contentHash(text) })?.profile : undefined;
      return { ...subject, suppressions, ...(profile && { profile }) };
    } catch (error) {
      this.onUnreadable(error);
      return subject;
    }
  }

  /** The profile that the user chose for a document, undefined when it is detected. */
  async chosenFor(document: vscode.TextDocument): Promise<ChosenProfile | undefined> {
    const records = this.counted(document.uri);
    if (!records) return undefined;
    return chosenProfile((await records.read()).profiles, { file: fileName(document.uri), hash: await contentHash(document.getText()) });
  }

  /** Changes the records of the folder that holds a file, and tells everybody. @throws EnvwrightError when they cannot be kept. */
  async change(uri: vscode.Uri, work: (records: CheckRecords) => Promise<void>): Promise<void> {
    requireTrust();
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.scheme !== 'file') {
      throw new EnvwrightError('records/no-folder', message('What you decide about a file is kept in its workspace folder, and this file is in none.'), message('Save the file into an open folder first.'));
    }
    await work(await this.recordsOf(folder));
    this.changes.fire();
  }

  /** Every silencing of the open folders. */
  async silenced(): Promise<readonly { readonly folder: vscode.WorkspaceFolder; readonly entry: Suppression }[]> {
    requireTrust();
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const lists = await Promise.all(folders.map(async (folder) => (await (await this.recordsOf(folder)).read()).suppressions.map((entry) => ({ folder, entry }))));
    return lists.flat();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async tellOddSeverities(): Promise<void> {
    const problem = await oddSeverities();
    if (problem) this.onUnreadable(problem);
  }

  private async recordsOf({ uri }: vscode.WorkspaceFolder): Promise<CheckRecords> {
    return new CheckRecords(await this.ports.files(), uri.fsPath);
  }

  private counted(uri: vscode.Uri): { read(): ReturnType<CheckRecords['read']> } | undefined {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.scheme !== 'file' || !vscode.workspace.isTrusted) return undefined;
    return { read: async () => (await this.recordsOf(folder)).read() };
  }
}
