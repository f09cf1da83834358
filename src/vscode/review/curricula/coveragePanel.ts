import * as vscode from 'vscode';
import { EnvwrightError } from '../../../core/errors';
import { DisposableStore, type Disposable } from '../../../core/lifecycle';
import { coverageState } from '../../../core/review/coverageState';
import { COVERAGE_VIEW_TYPE } from '../../../shared/contributionsReview';
import { CoverageHost, CoverageView, type CoverageState } from '../../../shared/webviewCoverage';
import { translations } from '../../panels/translations';
import { openPage, webviewOptions } from '../../panels/webviewPage';
import type { Sets } from './sets';

/** Panels of coverage, one a curriculum; they follow its changes. */
export class CoveragePanels implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly panels = new Map<string, { readonly panel: vscode.WebviewPanel; readonly send: () => void }>();

  constructor(private readonly parts: { readonly sets: Sets; readonly extension: vscode.Uri; readonly skills: () => Promise<readonly string[]>; readonly onDefect: (error: unknown) => void }) {
    this.owned.add(parts.sets.onDidChange(() => [...this.panels.values()].forEach(({ send }) => send())));
  }

  show(name: string): void {
    const known = this.panels.get(name);
    if (known) return known.panel.reveal();
    const { extension, onDefect } = this.parts;
    const panel = vscode.window.createWebviewPanel(COVERAGE_VIEW_TYPE, vscode.l10n.t('Coverage of {0}', name), vscode.ViewColumn.Active, { ...webviewOptions(extension), retainContextWhenHidden: false });
    panel.iconPath = vscode.Uri.joinPath(extension, 'media', 'envwright.svg');
    const channel = openPage<typeof CoverageHost, typeof CoverageView>(panel.webview, { extension, bundle: 'coverage', title: panel.title }, {
      local: CoverageHost, remote: CoverageView, onDefect, handlers: { requests: { ready: async () => ({ strings: translations(), state: await this.state(name) }) }, notes: {} },
    });
    const send = (): void => void (panel.visible && this.state(name).then((state) => channel.notify('state', state), onDefect));
    panel.onDidChangeViewState(send);
    panel.onDidDispose(() => this.panels.delete(name));
    this.panels.set(name, { panel, send });
  }

  dispose(): void {
    for (const { panel } of this.panels.values()) panel.dispose();
    this.owned.dispose();
  }

  private async state(name: string): Promise<CoverageState> {
    const skills = await this.parts.skills();
    try {
      return coverageState(await (await this.parts.sets.stores()).curricula.get(name), skills);
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      return coverageState({ name, entries: [] }, skills, error.what);
    }
  }
}
