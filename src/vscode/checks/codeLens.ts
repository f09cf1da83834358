import * as vscode from 'vscode';
import type { FileReport, Verdict } from '../../shared/findings';
import { commandId, type CommandName } from '../../shared/contributions';
import { toEditorRange } from '../ranges';
import type { Checked, CheckStore } from './checkStore';
import { profileName } from './profiles';

/** Icons of the verdicts of files that were run. */
export const ICONS: Record<Verdict, string> = { reject: '$(error)', 'cannot-run': '$(circle-slash)', 'accept-with-warnings': '$(warning)', accept: '$(pass)' };

/** How many findings of a report are errors and warnings. */
export function countsOf({ findings }: Pick<FileReport, 'findings'>): { errors: number; warnings: number } {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  return { errors: count('error'), warnings: count('warning') };
}

/** The verdict of a run in words, with how many findings stand behind it. */
export function verdictWords({ verdict, errors, warnings }: { readonly verdict: Verdict; readonly errors: number; readonly warnings: number }): string {
  const words: Record<Verdict, string> = {
    reject: errors === 1 ? vscode.l10n.t('Reject: 1 error') : vscode.l10n.t('Reject: {0} errors', errors),
    'cannot-run': vscode.l10n.t('Cannot run: not judged'),
    'accept-with-warnings': warnings === 1 ? vscode.l10n.t('Accept with 1 warning') : vscode.l10n.t('Accept with {0} warnings', warnings),
    accept: vscode.l10n.t('Accept'),
  };
  return words[verdict];
}

/** The verdict in words, and whether the file was run. */
export function verdictText({ report, probed }: Pick<Checked, 'report' | 'probed'>): string {
  if (report.verdict.startsWith('accept') && !probed) return vscode.l10n.t('Syntax tree only: {0} probes not made', report.notChecked.length);
  return verdictWords({ verdict: report.verdict, ...countsOf(report) });
}

/** Icon of a verdict; a file that was not run is never shown as passed. */
export function verdictIcon({ report, probed }: Pick<Checked, 'report' | 'probed'>): string {
  return report.verdict.startsWith('accept') && !probed ? '$(info)' : ICONS[report.verdict];
}

/** Above the class: the verdict, and what can be done with the file. */
export class EnvironmentLenses implements vscode.CodeLensProvider {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly store: CheckStore) {}

  /** Asks the editor to take the lenses anew. */
  refresh(): void {
    this.changes.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const checked = this.store.get(document.uri);
    if (!checked?.anchor) return [];
    const range = toEditorRange(checked.anchor.range);
    const lens = (title: string, command: CommandName) => new vscode.CodeLens(range, { title, command: commandId(command), arguments: [document.uri] });
    return [
      new vscode.CodeLens(range, { title: `${verdictIcon(checked)}\u00a0${verdictText(checked)}`, command: 'workbench.panel.markers.view.focus' }),
      ...(checked.report.profile ? [lens(vscode.l10n.t('Profile: {0}', profileName(checked.report.profile)), 'chooseProfile')] : []),
      lens(vscode.l10n.t('Check'), 'checkFile'),
      lens(vscode.l10n.t('Play'), 'play'),
      lens(vscode.l10n.t('Hint'), 'writeHint'),
      lens(vscode.l10n.t('Push'), 'push'),
    ];
  }

  dispose(): void {
    this.changes.dispose();
  }
}
