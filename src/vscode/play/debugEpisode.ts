import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { WORKSPACE_FOLDER } from '../../core/workspaceFolder';
import { callsMade } from '../../core/play/replay';
import type { SavedEpisode, SavedSession } from '../../core/play/sessionRecord';
import { message } from '../../shared/message';
import type { EpisodeStep } from '../../shared/play';
import { requireTrust } from '../trust';
import { readSetting } from '../settings';
import type { Interaction } from '../interaction';

/** The extension that brings the Python debugger. */
const DEBUGGER = 'ms-python.debugpy';

/** What the replaying program reads; `stopAt` counts from 1. A step with `calls` null was an action, others made these tool calls. */
export interface DebuggedEpisode {
  readonly file: string;
  readonly seed: number | null;
  readonly maxTurns: number;
  readonly warmReset: boolean;
  readonly stopAt: number;
  readonly steps: readonly { readonly action: string; readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] | null }[];
}

/** A saved episode for the replaying program. */
function debuggedEpisode(file: string, { header }: Pick<SavedSession, 'header'>, { ref, episode }: SavedEpisode, stopAt: number): DebuggedEpisode {
  const isAsRun = header.settings.mode === 'as-run';
  const made = (step: EpisodeStep) => callsMade(step, ref.arm, { thinking: header.thinking, followRun: isAsRun })
    .flatMap(({ call, arguments: args }) => (args === null ? [] : [{ name: call.name, arguments: args }]));
  return {
    file, seed: episode.seed, maxTurns: header.maxTurns, warmReset: isAsRun, stopAt,
    steps: episode.steps.map((step) => ({ action: step.action, calls: step.calls.length > 0 ? made(step) : null })),
  };
}

/** What debugging needs: where the replaying program is, and who confirms. */
export interface DebugParts {
  readonly extension: vscode.Uri;
  readonly interaction: Interaction;
}

/**
 * Debugs a saved episode: its actions are played again in an ordinary Python process, on the file as it is now, and the debugger stops before
 * the chosen step. This leaves the sandbox, so it is confirmed every time. False when it was not.
 */
export async function debugEpisode(uri: vscode.Uri, session: SavedSession, saved: SavedEpisode, stopAt: number, { extension, interaction }: DebugParts): Promise<boolean> {
  requireTrust();
  if (!vscode.extensions.getExtension(DEBUGGER)) {
    throw new EnvwrightError('play/no-debugger', message('The Python debugger ({id}) is not installed.', { id: DEBUGGER }), message('Install the Python Debugger extension, then debug again.'));
  }
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || uri.scheme !== 'file') {
    throw new EnvwrightError('records/no-folder', message('Only a file in an open folder can be debugged.'), message('Save the file into an open folder first.'));
  }
  const agreed = await interaction.confirm({
    message: vscode.l10n.t('Run {0} outside the sandbox?', vscode.workspace.asRelativePath(uri)),
    detail: vscode.l10n.t('A debugger needs an ordinary Python process. The environment then runs with your rights: it can read and change your files, reach the network and start programs. Do this only with code that you have read.'),
    accept: vscode.l10n.t('Debug Outside the Sandbox'),
  });
  if (!agreed) return false;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty) await document.save();
  const episode = vscode.Uri.joinPath(folder.uri, WORKSPACE_FOLDER, 'debug', 'episode.json');
  await vscode.workspace.fs.writeFile(episode, new TextEncoder().encode(JSON.stringify(debuggedEpisode(uri.fsPath, session, saved, stopAt))));
  const python = readSetting('sandbox.pythonPath');
  const started = await vscode.debug.startDebugging(folder, {
    type: 'debugpy', request: 'launch', name: vscode.l10n.t('Envwright: step {0} of a saved episode', stopAt), module: 'envwright_debug', args: [episode.fsPath],
    cwd: folder.uri.fsPath, env: { PYTHONPATH: vscode.Uri.joinPath(extension, 'dist', 'python').fsPath }, console: 'internalConsole', justMyCode: true,
    ...(python !== '' && { python }),
  });
  if (!started) throw new EnvwrightError('play/debugger-did-not-start', message('The Python debugger did not start.'), message('See the Debug Console and the log of the Python Debugger extension, then debug again.'));
  return true;
}
