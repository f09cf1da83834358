import * as vscode from 'vscode';
import { exportLines } from '../../core/play/export';
import { htmlReport } from '../../core/play/htmlReport';
import type { SavedSession } from '../../core/play/sessionRecord';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { BACK, type Interaction } from '../interaction';

type Kind = 'sft' | 'rl' | 'report';

/** Asks in which form a session is wanted and where, and writes it. Gives the file, undefined when dismissed. */
export async function exportChosen(session: SavedSession | undefined, uri: vscode.Uri, interaction: Interaction): Promise<vscode.Uri | undefined> {
  if (!session) throw new EnvwrightError('play/no-session', message('Nothing is on screen that could be exported.'), message('Play, or open a saved session.'));
  const kind = await interaction.pick<Kind>({
    title: vscode.l10n.t('Export session'),
    choices: [
      { label: vscode.l10n.t('Report (HTML)'), description: vscode.l10n.t('One file to read and to send: figures and transcripts, no script in it'), value: 'report' },
      { label: vscode.l10n.t('Trajectories with rewards (JSON lines)'), description: vscode.l10n.t('Chat messages and a reward for every reply, for reinforcement learning'), value: 'rl' },
      { label: vscode.l10n.t('Won trajectories (JSON lines)'), description: vscode.l10n.t('Chat messages of the episodes that were won, for supervised training'), value: 'sft' },
    ],
  });
  if (kind === undefined || kind === BACK) return undefined;
  const text = await exported(session, kind);
  const file = await interaction.saveFile(vscode.l10n.t('Export'), vscode.Uri.joinPath(uri, '..', `${session.header.id}${kind === 'report' ? '.html' : `.${kind}.jsonl`}`));
  if (!file) return undefined;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const open = kind === 'report' ? vscode.l10n.t('Open in Browser') : vscode.l10n.t('Open File');
  const exportedTo = vscode.l10n.t('Exported to {0}.', vscode.workspace.asRelativePath(file));
  void interaction.notice({ severity: 'info', message: exportedTo, actions: [open] }).then(async (chosen) => {
    if (chosen === open) await (kind === 'report' ? vscode.env.openExternal(file) : vscode.window.showTextDocument(file));
  });
  return file;
}

/** The text of an export. @throws EnvwrightError when no episode is of the kind that is asked for. */
async function exported(session: SavedSession, kind: Kind): Promise<string> {
  if (kind === 'report') return htmlReport(session);
  const lines = exportLines(session, kind);
  if (lines.length > 0) return lines.map((line) => `${line}\n`).join('');
  throw new EnvwrightError('play/nothing-to-export', kind === 'sft' ? message('No episode of this session was won.') : message('No episode of this session was played to an end.'),
    message('Play more, or export the report.'));
}
