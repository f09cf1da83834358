import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { verdictText } from '../checks/codeLens';
import type { CheckStore } from '../checks/checkStore';
import { BACK, type Interaction } from '../interaction';

/**
 * Asks which of the workspace's environments a command is about; undefined when dismissed.
 * @param find gives the environments of the workspace.
 * @throws EnvwrightError when there is none.
 */
export async function chooseEnvironment(find: () => Promise<readonly vscode.Uri[]>, store: Pick<CheckStore, 'get'>, interaction: Interaction): Promise<vscode.Uri | undefined> {
  const uris = await find();
  if (uris.length === 0) {
    throw new EnvwrightError('editor/no-environment', message('No environment is open, and none was found in this workspace.'), message('Open a file that holds one, design one, or open the sample workspace.'));
  }
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Which Environment?'),
    placeholder: vscode.l10n.t('No environment is open in the editor in front'),
    choices: uris.map((uri) => {
      const path = vscode.workspace.asRelativePath(uri);
      const slash = path.lastIndexOf('/');
      const checked = store.get(uri);
      return { label: path.slice(slash + 1), description: [path.slice(0, Math.max(slash, 0)), ...(checked ? [verdictText(checked)] : [])].filter((words) => words !== '').join(' · '), value: uri };
    }),
  });
  return chosen === BACK ? undefined : chosen;
}
