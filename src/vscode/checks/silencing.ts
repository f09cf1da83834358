import * as vscode from 'vscode';
import { contentHash, type Suppression } from '../../core/checks/suppression';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { BACK, type Choice, type Interaction } from '../interaction';
import { fileName, type UserDecisions } from './decisions';
import type { FoundFinding } from './findingRef';

/** Records that the user silences a check: for the present content of a file, or in the whole workspace. */
export async function silence({ uri, finding }: FoundFinding, scope: Suppression['scope'], decisions: UserDecisions): Promise<Suppression> {
  const { id } = finding;
  if (scope === 'workspace' && finding.severity === 'error') {
    throw new EnvwrightError('checks/error-everywhere', message('{id} is an error here: errors are silenced file by file.', { id }), message('Silence it for this file.'));
  }
  const entry: Suppression = scope === 'workspace'
    ? { scope, id }
    : { scope, id, file: fileName(uri), hash: await contentHash((await vscode.workspace.openTextDocument(uri)).getText()) };
  await decisions.change(uri, (records) => records.silence(entry));
  return entry;
}

interface Listed {
  readonly folder: vscode.WorkspaceFolder;
  readonly entry: Suppression;
  readonly isStale: boolean;
}

/** Lists what is silenced, and takes back what the user picks: one, or all that no longer fit a file. Gives how many were removed. */
export async function listSilenced(decisions: UserDecisions, interaction: Interaction): Promise<number> {
  const listed: Listed[] = await Promise.all((await decisions.silenced()).map(async (item) => ({ ...item, isStale: await isStale(item) })));
  if (listed.length === 0) {
    await interaction.notice({ severity: 'info', message: vscode.l10n.t('Nothing is silenced in this workspace.'), actions: [] });
    return 0;
  }
  const stale = listed.filter((item) => item.isStale);
  const choices: Choice<readonly Listed[]>[] = listed.map((item) => ({
    label: `$(trash) ${item.entry.id}`,
    description: item.entry.scope === 'file' ? item.entry.file : vscode.l10n.t('whole workspace'),
    ...(item.isStale && { detail: vscode.l10n.t('Does nothing: the file has changed or is gone.') }),
    value: [item],
  }));
  if (stale.length > 0) choices.unshift({ label: vscode.l10n.t('Remove the {0} that do nothing any more', stale.length), value: stale });
  const chosen = await interaction.pick({ title: vscode.l10n.t('Silenced Checks'), placeholder: vscode.l10n.t('Pick one to take the silencing back'), choices });
  if (chosen === undefined || chosen === BACK) return 0;
  for (const folder of new Set(chosen.map((item) => item.folder))) {
    const entries = chosen.filter((item) => item.folder === folder).map(({ entry }) => entry);
    await decisions.change(folder.uri, (records) => records.unsilence(entries));
  }
  return chosen.length;
}

/** True when the file is gone or has another content. */
async function isStale({ folder, entry }: Pick<Listed, 'folder' | 'entry'>): Promise<boolean> {
  if (entry.scope === 'workspace') return false;
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, entry.file));
    return (await contentHash(document.getText())) !== entry.hash;
  } catch {
    // A file that cannot be opened has no finding to silence.
    return true;
  }
}
