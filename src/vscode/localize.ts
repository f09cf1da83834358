import * as vscode from 'vscode';
import type { Message } from '../shared/message';

/** A message in the editor's language. */
export function localize({ template, args }: Message): string {
  return vscode.l10n.t(template, args);
}
