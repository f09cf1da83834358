import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import type { Verdict } from '../../shared/findings';
import { verdictText, verdictWords } from './codeLens';
import type { CheckStore } from './checkStore';
import type { VerdictMemory } from './verdictMemory';

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

  constructor(private readonly store: CheckStore, private readonly memory: VerdictMemory) {
    const following = [store, memory].map(({ onDidChange }) => onDidChange((uri) => this.changes.fire(uri)));
    this.registrations = vscode.Disposable.from(vscode.window.registerFileDecorationProvider(this), this.changes, ...following);
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const checked = this.store.get(uri);
    if (!checked) return this.remembered(uri);
    if (!checked.anchor) return undefined;
    const { report: { verdict }, probed } = checked;
    return decoration(verdict.startsWith('accept') && !probed ? NOT_RUN : SIGNS[verdict], verdictText(checked));
  }

  dispose(): void {
    this.registrations.dispose();
  }

  private async remembered(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const kept = await this.memory.of(uri);
    return kept && decoration(SIGNS[kept.verdict], vscode.l10n.t('{0}, as checked on {1}', verdictWords(kept), new Date(kept.at).toLocaleString(vscode.env.language)));
  }
}

function decoration({ badge, color }: (typeof SIGNS)[Verdict], text: string): vscode.FileDecoration {
  return new vscode.FileDecoration(badge, `Envwright: ${text}`, new vscode.ThemeColor(color));
}
