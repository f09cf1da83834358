import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import type { FollowedRun } from '../../core/run/followedRun';
import type { RunInventory } from '../../core/run/inventory';
import type { RunMemory } from '../../core/run/push';
import type { RunSettings } from '../../core/run/runSettings';
import type { RunFolder } from '../../core/run/runFolder';
import type { Launch } from '../../shared/launch';
import { message } from '../../shared/message';
import { setContext } from '../context';
import type { NodePorts } from '../nodePorts';
import { onSettingChange, readSetting, writeSetting } from '../settings';

/** Changes of a run's files within this are shown together, in milliseconds. */
const SETTLE_MS = 300;
/** How often folders are looked at without word of a change: network disks tell of none. In milliseconds. */
const LOOK_MS = 60_000;

/** The training run that the workspace is linked to, and word of every change of its files. */
export class LinkedRun implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  /** Another run is linked, or files of this one changed. */
  readonly onDidChange = this.changes.event;
  private located: Promise<RunFolder | undefined> | undefined;
  private followed: Promise<FollowedRun | undefined> | undefined;
  private watchers = new DisposableStore();
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: Pick<NodePorts, 'files' | 'clock'>,
    private readonly storage: vscode.Uri,
    private readonly onDefect: (error: unknown) => void,
  ) {
    this.owned.add(onSettingChange(['run.folder'], () => this.refresh()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
    const looking = setInterval(() => void this.look().catch(this.onDefect), LOOK_MS);
    this.owned.add({ dispose: () => clearInterval(looking) });
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

  /** What lies in the run's folders, kept up to date as they change; undefined when none is linked. @throws EnvwrightError `run/not-a-run-folder`. */
  async inventory(): Promise<RunInventory | undefined> {
    return (await (this.followed ??= this.follow()))?.inventory();
  }

  /** The run's memory, for reading and pushing. @throws EnvwrightError `run/none-linked`. */
  async memory(): Promise<RunMemory> {
    const run = await this.required();
    const { RunMemory } = await import('../../core/run/push');
    return new RunMemory({ files: await this.ports.files(), clock: this.ports.clock, workspace: this.workspace, newId: randomUUID }, run);
  }

  /** What the run's launch flags say, by the word of its link module or as they were chosen, whichever is newer; null when they are not known. */
  async settings(): Promise<RunSettings | null> {
    const run = await this.folder();
    if (!run) return null;
    const [{ launchOfHeartbeat, runSettings }, { loadLaunch }] = [await import('../../core/run/runSettings'), await import('../../core/run/storedLaunch')];
    const { link } = await this.memory();
    const [alive, heartbeat] = [await link.alive(), await link.heartbeat()];
    const told = heartbeat && launchOfHeartbeat(heartbeat);
    const chosen = await loadLaunch(await this.ports.files(), this.workspace, run.memoryFile);
    const launch = told && chosen ? (alive || told.at > chosen.at ? told : chosen) : (told ?? chosen);
    return launch && runSettings(launch);
  }

  /** Keeps the launch flags that were chosen for the run. @throws EnvwrightError `run/none-linked`. */
  async keepLaunch(launch: Launch): Promise<void> {
    const { memoryFile } = await this.required();
    const { storeLaunch } = await import('../../core/run/storedLaunch');
    await storeLaunch(await this.ports.files(), this.workspace, memoryFile, launch);
    this.changes.fire();
  }

  /** The rollout that the run is at: that of its newest step, 0 before there is one. */
  async rollout(): Promise<number> {
    return (await this.inventory())?.steps.at(-1)?.rollout ?? 0;
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
    this.followed = undefined;
    this.changed.clear();
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
  get workspace(): string {
    return (vscode.workspace.workspaceFolders?.[0]?.uri ?? this.storage).fsPath;
  }

  private async required(): Promise<RunFolder> {
    const run = await this.folder();
    if (!run) throw new EnvwrightError('run/none-linked', message('No training run is linked.'), message('Link the output folder of a run first.'));
    return run;
  }

  private async locate(): Promise<RunFolder | undefined> {
    if (this.path === '') return undefined;
    const { locateRun } = await import('../../core/run/runFolder');
    const run = await locateRun(await this.ports.files(), this.path);
    this.watch(run);
    return run;
  }

  private async follow(): Promise<FollowedRun | undefined> {
    try {
      const run = await this.folder();
      if (!run) return undefined;
      const [{ FollowedRun }, { RunIndex }] = [await import('../../core/run/followedRun'), await import('../../core/run/runIndex')];
      return new FollowedRun(new RunIndex(await this.ports.files(), run));
    } catch (error) {
      this.followed = undefined;
      throw error;
    }
  }

  private watch({ cacheDir, gamesDir, refusedDir }: RunFolder): void {
    const patterns = [
      [cacheDir, '{env_memory.json,step_*,step_*/*,envwright/{heartbeat.json,receipts/*,drawn.jsonl}}'], [gamesDir, '{*.py,rejected/*.py}'], [refusedDir, '*.{py,txt}'],
    ] as const;
    for (const [folder, pattern] of patterns) {
      const watcher = this.watchers.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), pattern)));
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.watchers.add(event(({ fsPath }) => this.settle(fsPath)));
    }
  }

  /** Takes note of a change; what comes together is looked at together. */
  private settle(path: string): void {
    this.changed.add(path);
    this.timer ??= setTimeout(() => void this.bringUp().catch(this.onDefect), SETTLE_MS);
  }

  private async bringUp(): Promise<void> {
    this.timer = undefined;
    const paths = [...this.changed];
    this.changed.clear();
    await (await this.followed)?.update(paths);
    this.changes.fire();
  }

  private async look(): Promise<void> {
    if (await (await this.followed)?.catchUp()) this.changes.fire();
  }
}
