import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';

/** What a command was started on: nothing (the palette), an address (a lens, the explorer), or a row of a view. */
export type CommandTarget = vscode.Uri | { readonly uri: vscode.Uri } | undefined;

/** Finds the document that a command is about. */
export class CommandDocuments {
  /**
   * @param playedFile gives the file whose player is in front.
   * @param choose asks for an environment of the workspace; undefined when dismissed.
   */
  constructor(private readonly playedFile: () => vscode.Uri | undefined, private readonly choose: () => Promise<vscode.Uri | undefined>) {}

  /**
   * The target's document, else the one of the player or editor in front, else one that is asked for and opened, so that what is found can be seen.
   * @throws EnvwrightError when the target is no Python, or there is nothing to choose from; CancellationError when the question was dismissed.
   */
  async of(target: CommandTarget): Promise<vscode.TextDocument> {
    const given = (target instanceof vscode.Uri ? target : target?.uri) ?? this.playedFile();
    if (given) return python(await vscode.workspace.openTextDocument(given));
    const front = vscode.window.activeTextEditor?.document;
    if (front?.languageId === 'python') return front;
    const chosen = await this.choose();
    if (!chosen) throw new vscode.CancellationError();
    return python((await vscode.window.showTextDocument(chosen, { preview: true })).document);
  }
}

function python(document: vscode.TextDocument): vscode.TextDocument {
  if (document.languageId === 'python') return document;
  throw new EnvwrightError('editor/not-python', message('{file} is no Python file.', { file: vscode.workspace.asRelativePath(document.uri) }), message('Open an environment file and start the command again.'));
}
