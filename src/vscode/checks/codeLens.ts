import * as vscode from 'vscode';
import type { Verdict } from '../../shared/findings';
import { commandId, type CommandName } from '../../shared/contributions';
import { toEditorRange } from '../ranges';
import type { Checked, CheckStore } from './checkStore';
import { profileName } from './profiles';

const ICONS: Record<Verdict, string> = { reject: '$(error)', 'cannot-run': '$(circle-slash)', 'accept-with-warnings': '$(warning)', accept: '$(pass)' };

/** The verdict in words, with how many findings stand behind it, and whether the file was run. */
export function verdictText({ report, probed }: Pick<Checked, 'report' | 'probed'>): string {
  const count = (severity: string) => report.findings.filter((finding) => finding.severity === severity).length;
  const words: Record<Verdict, string> = {
    reject: count('error') === 1 ? vscode.l10n.t('Reject: 1 error') : vscode.l10n.t('Reject: {0} errors', count('error')),
    'cannot-run': vscode.l10n.t('Cannot run: not judged'),
    'accept-with-warnings': count('warning') === 1 ? vscode.l10n.t('Accept with 1 warning') : vscode.l10n.t('Accept with {0} warnings', count('warning')),
    accept: vscode.l10n.t('Accept'),
  };
  if (report.verdict === 'reject' || report.verdict === 'cannot-run' || probed) return words[report.verdict];
  return vscode.l10n.t('Syntax tree only: {0} probes not made', report.notChecked.length);
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
