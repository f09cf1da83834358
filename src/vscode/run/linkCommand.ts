import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { baseName } from '../../core/run/paths';
import type { RunFolder } from '../../core/run/runFolder';
import { commandId, viewId } from '../../shared/contributions';
import { BACK, type Choice, type Interaction } from '../interaction';
import { localize } from '../localize';
import type { NodePorts } from '../nodePorts';
import { requireTrust } from '../trust';
import type { LinkedRun } from './linkedRun';

/** Files by which runs are known; of games a few are enough. */
const TRACES = ['**/env_memory.json', '**/spade_games/game_*.py'] as const;
const EXCLUDED = '**/{node_modules,.venv,venv,site-packages,.git,.envwright}/**';
const FOUND = 500;

/** What linking needs. */
export interface LinkParts {
  readonly run: LinkedRun;
  readonly interaction: Interaction;
  readonly ports: Pick<NodePorts, 'files' | 'clock'>;
}

/** Links the folder that is given, one of the runs that lie in the workspace, or one that is asked for; gives the run's folder. */
export async function linkRun(given: vscode.Uri | undefined, parts: LinkParts): Promise<string | undefined> {
  requireTrust();
  const { run, interaction } = parts;
  const folder = given ?? (await askRun(parts));
  if (!folder) return undefined;
  const linked = await linkOrSeed(folder, parts);
  if (!linked) return undefined;
  await vscode.commands.executeCommand(`${viewId('run')}.focus`);
  if (!(await run.settings())) offerFlags(interaction);
  return linked.dir;
}

/** A folder without a run can be linked as that of a run that is still to start. */
async function linkOrSeed(folder: vscode.Uri, { run, interaction }: LinkParts): Promise<RunFolder | undefined> {
  try {
    return await run.link(folder.fsPath);
  } catch (error) {
    if (!(error instanceof EnvwrightError) || error.code !== 'run/not-a-run-folder' || !(await isFolder(folder))) throw error;
    const isNew = await interaction.confirm({
      message: vscode.l10n.t('There is no run in this folder. Is it that of a run that has not started?'),
      detail: vscode.l10n.t('{0}\nThe folder {1} is made in it, and records can be pushed before the start. The launcher must name this folder as its output: most launchers put a time stamp into it, so a start usually gets a new one.', folder.fsPath, CACHE),
      accept: vscode.l10n.t('Link and Seed'),
    });
    if (!isNew) throw error;
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(folder, CACHE));
    return run.link(folder.fsPath);
  }
}

const CACHE = 'spade_games_cache';

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.Directory;
  } catch {
    return false;
  }
}

async function askRun(parts: LinkParts): Promise<vscode.Uri | undefined> {
  const { interaction } = parts;
  const title = vscode.l10n.t('Link This Run');
  const runs = await runsOfWorkspace(parts);
  if (runs.length === 0) return interaction.chooseFolder(title);
  const chosen = await interaction.pick<vscode.Uri | 'elsewhere'>({
    title: vscode.l10n.t('Link Run Folder'),
    placeholder: vscode.l10n.t('Runs of this workspace'),
    choices: [...runs, { separator: '' }, { label: vscode.l10n.t('Choose a Folder…'), value: 'elsewhere' }],
  });
  if (chosen === BACK) return undefined;
  return chosen === 'elsewhere' ? interaction.chooseFolder(title) : chosen;
}

async function runsOfWorkspace({ ports, run }: LinkParts): Promise<Choice<vscode.Uri>[]> {
  const [{ findRuns }, { takePulse }, { judgePulse }] = await Promise.all([import('../../core/run/findRuns'), import('../../core/run/inventory'), import('../../core/run/liveness')]);
  const files = await ports.files();
  const traces = await Promise.all(TRACES.map((pattern) => vscode.workspace.findFiles(pattern, EXCLUDED, FOUND)));
  const runs = await findRuns(files, traces.flat().map(({ fsPath }) => fsPath));
  return Promise.all(runs.map(async (found) => {
    const pulse = await takePulse(files, found);
    const { why } = judgePulse(pulse, null, ports.clock.now());
    const path = vscode.workspace.asRelativePath(found.dir, true);
    return { value: vscode.Uri.file(found.dir), label: baseName(found.dir), description: found.dir === run.path ? vscode.l10n.t('{0} · linked now', path) : path, detail: localize(why) };
  }));
}

/** Without its flags nobody knows whether the run reads its memory at all. */
function offerFlags(interaction: Interaction): void {
  const read = vscode.l10n.t('Read Launch Flags…');
  const words = vscode.l10n.t('The run is linked. Whether it reads its memory stands in its launch flags, which were not read yet.');
  void interaction.notice({ severity: 'info', message: words, actions: [read] }).then((chosen) => {
    if (chosen === read) void vscode.commands.executeCommand(commandId('readLaunchFlags'));
  });
}
