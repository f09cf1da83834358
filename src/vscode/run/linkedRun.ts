import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import type { RunMemory } from '../../core/run/push';
import type { RunSettings } from '../../core/run/runSettings';
import type { RunFolder } from '../../core/run/runFolder';
import { message } from '../../shared/message';
import { setContext } from '../context';
import type { NodePorts } from '../nodePorts';
import { onSettingChange, readSetting, writeSetting } from '../settings';

/** Changes of a run's files within this are shown together, in milliseconds. */
const SETTLE_MS = 300;

/** The training run that the workspace is linked to, and word of every change of its files. */
export class LinkedRun implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** Another run is linked, or files of this one changed. */
  readonly onDidChange = this.changes.event;
  private located: Promise<RunFolder | undefined> | undefined;
  private watchers = new DisposableStore();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: Pick<NodePorts, 'files' | 'clock'>,
    private readonly storage: vscode.Uri,
  ) {
    this.owned.add(onSettingChange(['run.folder'], () => this.refresh()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
    setContext('runLinked', this.path !== '');
  }

  /** Folder of the settings; a relative one is below the workspace. Empty when none is linked. */
  get path(): string {
    const path = readSetting('run.folder');
    const root = vscode.workspace.workspaceFolders?.[0];
    if (path === '' || /^([/\\]|[a-zA-Z]:)/.test(path) || !root) return path;
    return vscode.Uri.joinPath(root.uri, path).fsPath;
  }

  /** The run's folders; undefined when none is linked. @throws EnvwrightError `run/not-a-run-folder`. */
  folder(): Promise<RunFolder | undefined> {
    return (this.located ??= this.locate());
  }

  /** The run's memory, for reading and pushing. @throws EnvwrightError `run/none-linked`. */
  async memory(): Promise<RunMemory> {
    const run = await this.folder();
    if (!run) throw new EnvwrightError('run/none-linked', message('No training run is linked.'), message('Link the output folder of a run first.'));
    const { RunMemory } = await import('../../core/run/push');
    return new RunMemory({ files: await this.ports.files(), clock: this.ports.clock, workspace: this.workspace, newId: randomUUID }, run);
  }

  /** What the run's launch flags say, by the word of its link module or as they were kept; null when they are not known. */
  async settings(): Promise<RunSettings | null> {
    const run = await this.folder();
    if (!run) return null;
    const [{ launchOfHeartbeat, runSettings }, { loadLaunch }] = [await import('../../core/run/runSettings'), await import('../../core/run/storedLaunch')];
    const heartbeat = await (await this.memory()).link.heartbeat();
    const launch = (heartbeat && launchOfHeartbeat(heartbeat)) ?? (await loadLaunch(await this.ports.files(), this.workspace, run.memoryFile));
    return launch && runSettings(launch);
  }

  /** The rollout that the run is at: that of its newest step, 0 before there is one. */
  async rollout(): Promise<number> {
    const run = await this.folder();
    if (!run) return 0;
    const { takeInventory } = await import('../../core/run/inventory');
    return (await takeInventory(await this.ports.files(), run)).steps.at(-1)?.rollout ?? 0;
  }

  /** Links a folder after a look that it is a run. @throws EnvwrightError `run/not-a-run-folder`; then nothing changes. */
  async link(path: string): Promise<RunFolder> {
    const { locateRun } = await import('../../core/run/runFolder');
    const run = await locateRun(await this.ports.files(), path);
    await writeSetting('run.folder', vscode.workspace.asRelativePath(path, false));
    this.refresh();
    return run;
  }

  async unlink(): Promise<void> {
    await writeSetting('run.folder', undefined);
    this.refresh();
  }

  /** Forgets what was read, so that it is read anew. */
  refresh(): void {
    this.located = undefined;
    this.watchers.dispose();
    this.watchers = new DisposableStore();
    setContext('runLinked', this.path !== '');
    this.changes.fire();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watchers.dispose();
    this.owned.dispose();
  }

  /** Where ledger and backups are kept: with the folder that is open, else with the user. */
  private get workspace(): string {
    return (vscode.workspace.workspaceFolders?.[0]?.uri ?? this.storage).fsPath;
  }

  private async locate(): Promise<RunFolder | undefined> {
    if (this.path === '') return undefined;
    const { locateRun } = await import('../../core/run/runFolder');
    const run = await locateRun(await this.ports.files(), this.path);
    this.watch(run);
    return run;
  }

  private watch({ cacheDir, gamesDir, refusedDir }: RunFolder): void {
    const patterns = [[cacheDir, 'env_memory.json'], [cacheDir, 'envwright/{heartbeat.json,receipts/*,drawn.jsonl}'], [cacheDir, 'step_*'], [gamesDir, '*.py'], [refusedDir, '*.py']] as const;
    for (const [folder, pattern] of patterns) {
      const watcher = this.watchers.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), pattern)));
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.watchers.add(event(() => this.settle()));
    }
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changes.fire(), SETTLE_MS);
  }
}
