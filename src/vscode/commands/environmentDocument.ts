import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';

/** What a command was started on: nothing (the palette), an address (a lens, the explorer), or a row of a view. */
export type CommandTarget = vscode.Uri | { readonly uri: vscode.Uri } | undefined;

/** The document that a command is about. @throws EnvwrightError when there is none, or it is no Python. */
export async function documentOf(target: CommandTarget): Promise<vscode.TextDocument> {
  const uri = target instanceof vscode.Uri ? target : target?.uri;
  const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
  if (document?.languageId === 'python') return document;
  throw new EnvwrightError(
    'editor/no-environment',
    message('No Python file is open in the editor.'),
    message('Open an environment file and start the command again.'),
  );
}
