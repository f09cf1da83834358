import * as vscode from 'vscode';
import { isCancelled } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { baseName } from '../../core/run/paths';
import { AUDIT_VIEW_TYPE } from '../../shared/contributionsReview';
import { commandId } from '../../shared/contributions';
import { findPythonFiles } from '../../core/review/findFiles';
import type { FileStore } from '../../core/ports';
import { withProgress } from '../progress';
import { requireTrust } from '../trust';
import type { Auditor } from './audit';

/** Audits of folders and sets as a page of the editor: the same report that the command line writes, with files that open. */
export class AuditPanels implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly parts: { readonly auditor: Auditor; readonly files: () => Promise<FileStore>; readonly skills: () => Promise<readonly string[]> }) {}

  /** Audits the Python files of a folder; see {@link show}. */
  async folder(folder: vscode.Uri): Promise<number | undefined> {
    requireTrust();
    const paths = await findPythonFiles(await this.parts.files(), [folder.fsPath]);
    return this.show(paths, baseName(folder.fsPath));
  }

  /**
   * Audits files and shows the report; gives how many files it holds, undefined when cancelled. What was judged until then is kept, and the
   * next audit goes on from there.
   */
  async show(paths: readonly string[], title: string): Promise<number | undefined> {
    try {
      const result = await withProgress(vscode.l10n.t('Envwright: auditing {0}', title), (signal, report) =>
        this.parts.auditor.run(paths, ({ done, total, reused }) => report(reused ? vscode.l10n.t('{0} of {1}, as judged before', done, total) : vscode.l10n.t('{0} of {1}', done, total)), signal));
      const [{ summarise }, { auditHtml }] = [await import('../../core/review/audit/summary'), await import('../../core/review/audit/html')];
      const summary = summarise(result, await this.parts.skills());
      const panel = this.panelOf(title);
      const notice = title === '' ? {} : { notice: vscode.l10n.t('{0}. Files open with a click. The command line writes the same report: envwright audit.', title) };
      panel.webview.html = await auditHtml(result, summary, { link: (file) => `command:${commandId('openAudited')}?${encodeURIComponent(JSON.stringify([file]))}`, ...notice });
      return result.items.length;
    } catch (error) {
      if (isCancelled(error)) return undefined;
      throw error;
    }
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
    this.owned.dispose();
  }

  /** Nothing runs in the page; of commands it may only open a file. */
  private panelOf(title: string): vscode.WebviewPanel {
    const known = this.panels.get(title);
    if (known) {
      known.reveal();
      return known;
    }
    const panel = vscode.window.createWebviewPanel(AUDIT_VIEW_TYPE, vscode.l10n.t('Audit of {0}', title), vscode.ViewColumn.Active, {
      enableScripts: false, enableCommandUris: [commandId('openAudited')], localResourceRoots: [], enableFindWidget: true,
    });
    panel.onDidDispose(() => this.panels.delete(title));
    this.panels.set(title, panel);
    return panel;
  }
}
