import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';

/** What a command was started on: nothing (the palette), an address (a lens, the explorer), or a row of a view. */
export type CommandTarget = vscode.Uri | { readonly uri: vscode.Uri } | undefined;

/** Finds the document that a command is about. */
export class CommandDocuments {
  /** @param playedFile gives the file whose player is in front. */
  constructor(private readonly playedFile: () => vscode.Uri | undefined) {}

  /** The target's document, else the one of the player or editor in front. @throws EnvwrightError when there is none, or it is no Python. */
  of(target: CommandTarget): Promise<vscode.TextDocument> {
    return documentAt((target instanceof vscode.Uri ? target : target?.uri) ?? this.playedFile());
  }
}

async function documentAt(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
  if (document?.languageId === 'python') return document;
  throw new EnvwrightError(
    'editor/no-environment',
    message('No Python file is open in the editor.'),
    message('Open an environment file and start the command again.'),
  );
}
