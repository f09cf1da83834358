import * as vscode from 'vscode';
import type { FileReport } from '../../shared/findings';
import type { Checker } from '../checks/checker';
import { verdictText } from '../checks/codeLens';
import type { Interaction } from '../interaction';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';
import { withProgress } from '../progress';

/** Makes every check of a file that can be made here, and says the verdict; what is found shows in Problems. */
export async function checkFile(document: vscode.TextDocument, checker: Checker, interaction: Interaction): Promise<FileReport> {
  const name = vscode.workspace.asRelativePath(document.uri);
  const report = await withProgress(vscode.l10n.t('Envwright: checking {0}', name), (signal) => checker.check(document, true, signal));
  const probed = report.timing.probeMs !== null;
  const [problems, trust] = [vscode.l10n.t('Problems'), vscode.l10n.t('Manage Workspace Trust')];
  const severity = report.verdict === 'accept' && probed ? 'info' : 'warning';
  void interaction.notice({ severity, message: [`${name}: ${verdictText({ report, probed })}.`, ...whyNot(report)].join(' '), actions: [...(vscode.workspace.isTrusted ? [] : [trust]), problems] }).then((chosen) => {
    if (chosen === trust) void vscode.commands.executeCommand('workbench.trust.manage');
    if (chosen === problems) void vscode.commands.executeCommand('workbench.panel.markers.view.focus');
  });
  return report;
}

/** Why the file was not run or not judged, in a sentence; none when it was. */
export function whyNot({ verdict, findings, notChecked, timing }: Pick<FileReport, 'verdict' | 'findings' | 'notChecked' | 'timing'>): string[] {
  if (!vscode.workspace.isTrusted) return [vscode.l10n.t('The workspace is not trusted, so the environment was not run.')];
  const reason = verdict === 'cannot-run' ? (findings.find(({ severity }) => severity === 'error')?.message ?? notChecked[0]?.reason) : undefined;
  if (reason) return [plainLine(localize(reason), 300)];
  return timing.probeMs === null ? [vscode.l10n.t('The environment was not run, so its probes are not made.')] : [];
}
