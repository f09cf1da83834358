import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { RAY_ADDRESS } from '../../core/run/launchSources';
import { runSettings } from '../../core/run/runSettings';
import type { Launch } from '../../shared/launch';
import { message } from '../../shared/message';
import { BACK, type Choice, type Interaction } from '../interaction';
import { localize } from '../localize';
import type { NodePorts } from '../nodePorts';
import { plainLine } from '../../core/plainText';
import { withProgress } from '../progress';
import { requireTrust } from '../trust';
import type { LinkedRun } from './linkedRun';

/** What reading launch flags needs. */
export interface LaunchParts {
  readonly run: LinkedRun;
  readonly interaction: Interaction;
  readonly ports: Pick<NodePorts, 'launchSources'>;
}

const SCRIPTS = 200;
const LINE = 200;

/**
 * Reads the run's launch flags from a script, a process or a Ray cluster, and keeps those that are permitted. Gives what was kept,
 * undefined when dismissed.
 */
export async function readLaunchFlags({ run, interaction, ports }: LaunchParts): Promise<Launch | undefined> {
  requireTrust();
  if (!(await run.folder())) throw new EnvwrightError('run/none-linked', message('No training run is linked.'), message('Link the output folder of a run first.'));
  const source = await interaction.pick({
    title: vscode.l10n.t('Read Launch Flags'),
    placeholder: vscode.l10n.t('Only --spade-*, --rollout-*, --num-rollout and --global-batch-size are kept'),
    choices: [
      { label: vscode.l10n.t('From a Launcher Script…'), detail: vscode.l10n.t('Variables of the script are left open.'), value: fromScript },
      { label: vscode.l10n.t('From a Process…'), detail: vscode.l10n.t('Processes of this user on the machine of the run.'), value: fromProcess },
      { label: vscode.l10n.t('From Ray’s Jobs…'), detail: vscode.l10n.t('One request to its dashboard, which changes nothing there.'), value: fromRay },
    ],
  });
  if (source === undefined || source === BACK) return undefined;
  const launch = await source(interaction, ports);
  if (!launch) return undefined;
  await run.keepLaunch(launch);
  const { memory } = runSettings(launch);
  const first = memory.why[0];
  void interaction.notice({
    severity: memory.used === true ? 'info' : 'warning', actions: [],
    message: memory.used === true ? vscode.l10n.t('This run reads its memory.') : first ? localize(first) : vscode.l10n.t('Whether this run reads its memory could not be told.'),
  });
  return launch;
}

type Source = (interaction: Interaction, ports: LaunchParts['ports']) => Promise<Launch | undefined>;

const fromScript: Source = async (interaction, ports) => {
  const title = vscode.l10n.t('Launcher Script');
  const scripts = await vscode.workspace.findFiles('**/*.{sh,bash}', '**/{node_modules,.venv,venv,site-packages,.git}/**', SCRIPTS);
  const choices = scripts.map((uri): Choice<vscode.Uri | 'elsewhere'> => ({ label: vscode.workspace.asRelativePath(uri), value: uri })).sort((a, b) => a.label.localeCompare(b.label));
  const chosen = choices.length === 0 ? 'elsewhere'
    : await interaction.pick<vscode.Uri | 'elsewhere'>({ title, choices: [...choices, { separator: '' }, { label: vscode.l10n.t('Choose a File…'), value: 'elsewhere' }] });
  if (chosen === undefined || chosen === BACK) return undefined;
  const script = chosen === 'elsewhere' ? await interaction.chooseFile(title, ['sh', 'bash']) : chosen;
  return script && (await ports.launchSources()).script(script.fsPath);
};

const fromProcess: Source = async (interaction, ports) => {
  const processes = await (await ports.launchSources()).processes();
  if (processes.length === 0) {
    throw new EnvwrightError('run/no-process', message('No process of yours on this machine was started with flags of a run.'), message('Read the flags from the launcher script, or from Ray.'));
  }
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Process of the Run'),
    choices: processes.map(({ pid, launch }) => ({ label: vscode.l10n.t('Process {0}', pid), ...factsOf(launch), value: launch })),
  });
  return chosen === BACK ? undefined : chosen;
};

const fromRay: Source = async (interaction, ports) => {
  const address = await interaction.input({
    title: vscode.l10n.t('Ray’s Dashboard'), value: RAY_ADDRESS, prompt: vscode.l10n.t('Address of the dashboard; it is asked for its list of jobs'),
    validate: (value) => (value.trim() === '' ? vscode.l10n.t('An address is needed.') : undefined),
  });
  if (!address?.trim()) return undefined;
  const sources = await ports.launchSources();
  const jobs = await withProgress(vscode.l10n.t('Envwright: asking Ray for its jobs'), (signal) => sources.rayJobs(address.trim(), signal));
  if (jobs.length === 0) throw new EnvwrightError('run/which-job', message('There is no job of a run.'), message('Check the address, or give the launcher script instead.'));
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Job of the Run'),
    choices: jobs.map(({ id, status, launch }) => ({ label: plainLine(id, LINE), ...factsOf(launch, status), value: launch })),
  });
  return chosen === BACK ? undefined : chosen;
};

/** What tells one run from another, in a list. */
function factsOf({ backend, flags }: Launch, status?: string): { description: string; detail: string } {
  const cache = flags['spade-cache-dir']?.values[0];
  const kept = Object.keys(flags).length;
  const count = kept === 1 ? vscode.l10n.t('1 flag is kept') : vscode.l10n.t('{0} flags are kept', kept);
  return {
    description: [status, backend ?? undefined].flatMap((word) => (word === undefined ? [] : [plainLine(word, LINE)])).join(' · '),
    detail: cache === undefined ? count : `${plainLine(cache, LINE)} · ${count}`,
  };
}
