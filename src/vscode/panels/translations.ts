import * as vscode from 'vscode';

/** The texts of the editor's language for a page: English template to template. */
export function translations(): Record<string, string> {
  return Object.fromEntries(Object.entries(vscode.l10n.bundle ?? {}).map(([key, value]) => [key, String(value)]));
}
