import * as assert from 'node:assert';
import * as vscode from 'vscode';
import type { SettingKey } from '../../../src/shared/settings';
import type { EnvwrightApi } from '../../../src/vscode/api';

/** The activated extension. */
export async function envwright(): Promise<EnvwrightApi> {
  const extension = vscode.extensions.getExtension<EnvwrightApi>('envwright.envwright');
  assert.ok(extension, 'The extension is not installed.');
  return extension.activate();
}

/** A file of the sample workspace, as opened by the runner. */
export function sample(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'The runner opens a copy of the sample workspace.');
  return vscode.Uri.joinPath(folder.uri, path);
}

let runs = 0;

/** A run of its own for a test: a copy of the sample's, within the workspace. */
export async function freshRun(): Promise<vscode.Uri> {
  const run = sample(`runs/${(runs += 1)}`);
  await vscode.workspace.fs.copy(sample('run'), run, { overwrite: true });
  return run;
}

/** Opens a file in the editor. */
export async function open(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The findings that are shown for a file, with their ids. */
export function shown(uri: vscode.Uri): readonly { readonly id: string; readonly diagnostic: vscode.Diagnostic }[] {
  return vscode.languages.getDiagnostics(uri).flatMap((diagnostic) => {
    const { source, code } = diagnostic;
    return source === 'Envwright' && typeof code === 'object' ? [{ id: String(code.value), diagnostic }] : [];
  });
}

/** Ids of the findings that are shown for a file. */
export function shownIds(uri: vscode.Uri): string[] {
  return shown(uri).map(({ id }) => id);
}

/** Waits until something holds; fails with `what` after `limitMs`. */
export async function eventually<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>, limitMs = 15_000): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) assert.fail(`Not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sets settings for a test and gives back the way to undo it. */
export async function configured(values: Partial<Record<SettingKey, unknown>>): Promise<() => Promise<void>> {
  const configuration = vscode.workspace.getConfiguration('envwright');
  for (const [key, value] of Object.entries(values)) await configuration.update(key, value, vscode.ConfigurationTarget.Global);
  return async () => {
    for (const key of Object.keys(values)) await vscode.workspace.getConfiguration('envwright').update(key, undefined, vscode.ConfigurationTarget.Global);
  };
}
