import * as vscode from 'vscode';
import type { Interaction } from '../interaction';

/** Name of the folder that the samples are copied to. */
const FOLDER = 'envwright-samples';

/** Copies the bundled sample workspace into a folder that the user chooses, and opens the copy. Never writes over an existing one. */
export async function openSampleWorkspace(extension: vscode.Uri, interaction: Interaction, open = openFolder): Promise<vscode.Uri | undefined> {
  const parent = await interaction.chooseFolder(vscode.l10n.t('Copy the Samples Here'));
  if (!parent) return undefined;
  const target = await freeName(parent);
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extension, 'media', 'sample-workspace'), target);
  await open(target);
  return target;
}

async function openFolder(folder: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: vscode.workspace.workspaceFolders !== undefined });
}

async function freeName(parent: vscode.Uri): Promise<vscode.Uri> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([name]) => name));
  let name = FOLDER;
  for (let index = 2; taken.has(name); index += 1) name = `${FOLDER}-${index}`;
  return vscode.Uri.joinPath(parent, name);
}
