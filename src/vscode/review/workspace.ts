import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';

/** Folder that reviews and curricula are kept in: the first of the workspace. @throws EnvwrightError `review/no-workspace`. */
export function reviewRoot(): string {
  const root = vscode.workspace.workspaceFolders?.[0];
  if (root) return root.uri.fsPath;
  throw new EnvwrightError('review/no-workspace', message('No folder is open, and reviews are kept in the folder that is.'), message('Open a folder first.'));
}

/** A file's name in decisions: from the workspace on, the same on every machine. */
export function reviewName(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(file), false).replaceAll('\\', '/');
}
