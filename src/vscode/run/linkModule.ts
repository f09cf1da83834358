import * as vscode from 'vscode';
import { linkInstall } from '../../core/run/linkInstall';
import { BACK, type Interaction } from '../interaction';

/** What can be done with the commands that add the link module. */
type Way = { readonly type: string } | { readonly copy: string };

/**
 * Shows the commands that add the link module to a run. In a terminal a command is only typed: the environment of the run may have to
 * be activated there before.
 */
export async function addLinkModule(pythonFolder: string, interaction: Interaction): Promise<void> {
  const { pip, pythonPath, flag } = linkInstall(pythonFolder);
  const way = await interaction.pick<Way>({
    title: vscode.l10n.t('Add Link Module to Run'),
    placeholder: vscode.l10n.t('It takes pushes into the memory of a live run. No code of the run changes, and its failure never stops the run.'),
    choices: [
      { label: vscode.l10n.t('$(terminal) Type the pip Command into a Terminal'), detail: pip, value: { type: pip } },
      { label: vscode.l10n.t('$(copy) Copy the pip Command'), detail: pip, value: { copy: pip } },
      { label: vscode.l10n.t('$(copy) Copy the PYTHONPATH Line Instead'), detail: pythonPath, value: { copy: pythonPath } },
      { separator: vscode.l10n.t('Then start the run with') },
      { label: vscode.l10n.t('$(copy) Copy the Launch Flag'), detail: flag, value: { copy: flag } },
    ],
  });
  if (way === undefined || way === BACK) return;
  if ('type' in way) typeInTerminal(way.type);
  else await vscode.env.clipboard.writeText(way.copy);
  if ('copy' in way && way.copy === flag) return;
  const copy = vscode.l10n.t('Copy the Flag');
  const words = 'type' in way
    ? vscode.l10n.t('The command stands in the terminal: activate the environment of the run, then press Enter. Start the run with {0}.', flag)
    : vscode.l10n.t('Copied. Run it in the environment of the run, and start the run with {0}.', flag);
  void interaction.notice({ severity: 'info', message: words, actions: [copy] }).then((chosen) => {
    if (chosen === copy) void vscode.env.clipboard.writeText(flag);
  });
}

function typeInTerminal(command: string): void {
  const terminal = vscode.window.createTerminal({ name: vscode.l10n.t('Envwright: link module') });
  terminal.show();
  terminal.sendText(command, false);
}
