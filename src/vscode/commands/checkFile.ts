import * as vscode from 'vscode';
import type { FileReport } from '../../shared/findings';
import type { Checker } from '../checks/checker';
import { verdictText } from '../checks/codeLens';
import type { Interaction } from '../interaction';
import { withProgress } from '../progress';

/** Makes every check of a file that can be made here, and says the verdict; what is found shows in Problems. */
export async function checkFile(document: vscode.TextDocument, checker: Checker, interaction: Interaction): Promise<FileReport> {
  const name = vscode.workspace.asRelativePath(document.uri);
  const report = await withProgress(vscode.l10n.t('Envwright: checking {0}', name), (signal) => checker.check(document, true, signal));
  const probed = report.timing.probeMs !== null;
  const note = probed ? '' : ` ${vscode.l10n.t('The environment was not run, so its probes are not made.')}`;
  const problems = vscode.l10n.t('Problems');
  const severity = report.verdict === 'accept' && probed ? 'info' : 'warning';
  void interaction.notice({ severity, message: `${name}: ${verdictText({ report, probed })}.${note}`, actions: [problems] }).then((chosen) => {
    if (chosen === problems) void vscode.commands.executeCommand('workbench.panel.markers.view.focus');
  });
  return report;
}
