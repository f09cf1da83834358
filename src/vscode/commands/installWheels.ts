import * as vscode from 'vscode';
import type { Interaction } from '../interaction';
import { withProgress } from '../progress';
import type { SandboxSource } from '../sandboxSource';

/** Has math-verify installed for the embedded Python, after a yes; a cancelled download leaves nothing behind. */
export async function installWheels(sandbox: SandboxSource, interaction: Interaction): Promise<boolean> {
  const agreed = await interaction.confirm({
    message: vscode.l10n.t('Install math-verify for the embedded Python?'),
    detail: vscode.l10n.t(
      'Five wheels of pure Python (math-verify, latex2sympy2-extended, sympy, mpmath, antlr4 runtime) are downloaded from your package index, by version and hash, into the cache folder of Envwright. Your own Python is not changed.',
    ),
    accept: vscode.l10n.t('Download and Install'),
  });
  if (!agreed) return false;
  await withProgress(vscode.l10n.t('Envwright: installing math-verify for the embedded Python'), (signal, report) => sandbox.installWheels(report, signal));
  await interaction.notice({ severity: 'info', message: vscode.l10n.t('math-verify is installed for the embedded Python.'), actions: [] });
  return true;
}
