import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import type { Verdict } from '../../shared/findings';
import { verdictText } from './codeLens';
import type { CheckStore } from './checkStore';

/** A sign and a colour of the theme each; the sign alone tells them apart. */
const SIGNS: Record<Verdict, { readonly badge: string; readonly color: string }> = {
  reject: { badge: '✗', color: 'editorError.foreground' },
  'cannot-run': { badge: '?', color: 'descriptionForeground' },
  'accept-with-warnings': { badge: '!', color: 'editorWarning.foreground' },
  accept: { badge: '✓', color: 'charts.green' },
};
/** What was not run is neither passed nor failed, whatever its text looks like. */
const NOT_RUN = { badge: 'i', color: 'descriptionForeground' };

/** The verdict beside the name of an environment's file, in the explorer, tabs and lists. */
export class VerdictDecorations implements vscode.FileDecorationProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChangeFileDecorations = this.changes.event;
  private readonly registrations: vscode.Disposable;

  constructor(private readonly store: CheckStore) {
    const following = store.onDidChange((uri) => this.changes.fire(uri));
    this.registrations = vscode.Disposable.from(vscode.window.registerFileDecorationProvider(this), this.changes, following);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const checked = this.store.get(uri);
    if (!checked?.anchor) return undefined;
    const { report: { verdict }, probed } = checked;
    const { badge, color } = verdict.startsWith('accept') && !probed ? NOT_RUN : SIGNS[verdict];
    return new vscode.FileDecoration(badge, `Envwright: ${verdictText(checked)}`, new vscode.ThemeColor(color));
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
