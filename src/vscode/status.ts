import * as vscode from 'vscode';
import { EnvwrightError } from '../core/errors';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import { commandId } from '../shared/contributions';
import { verdictText } from './checks/codeLens';
import type { CheckStore } from './checks/checkStore';
import { profileName } from './checks/profiles';
import { localize } from './localize';
import type { SandboxSource, SandboxState } from './sandboxSource';

/** The language status of Python files: what contains environments here, and the verdict of the file in front. */
export class Status implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly sandboxItem = this.owned.add(vscode.languages.createLanguageStatusItem('envwright.sandbox', { language: 'python' }));
  private readonly verdictItem = this.owned.add(vscode.languages.createLanguageStatusItem('envwright.verdict', []));

  constructor(
    private readonly sandbox: SandboxSource,
    private readonly store: CheckStore,
  ) {
    this.sandboxItem.name = vscode.l10n.t('Envwright sandbox');
    this.verdictItem.name = vscode.l10n.t('Envwright verdict');
    this.owned.add(sandbox.onDidChange((state) => this.showSandbox(state)));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.showSandbox(sandbox.state)));
    this.owned.add(store.onDidChange(() => this.showVerdict()));
    this.owned.add(vscode.window.onDidChangeActiveTextEditor(() => this.showVerdict()));
    this.showSandbox(sandbox.state);
    this.showVerdict();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private showSandbox(state: SandboxState): void {
    const item = this.sandboxItem;
    item.busy = state.kind === 'starting';
    item.severity = vscode.LanguageStatusSeverity.Information;
    item.command = { title: vscode.l10n.t('Doctor'), command: commandId('doctor') };
    if (!vscode.workspace.isTrusted) {
      item.text = vscode.l10n.t('Static checks only');
      item.detail = vscode.l10n.t('The workspace is not trusted: no environment runs.');
      item.command = { title: vscode.l10n.t('Manage Trust'), command: commandId('manageTrust') };
    } else if (state.kind === 'ready') {
      item.text = vscode.l10n.t('Sandbox: {0}', state.sandbox.backend);
      item.detail = vscode.l10n.t('Python {0}', state.sandbox.python);
    } else if (state.kind === 'failed') {
      item.severity = vscode.LanguageStatusSeverity.Warning;
      item.text = vscode.l10n.t('No sandbox: nothing runs');
      item.detail = state.error instanceof EnvwrightError ? localize(state.error.what) : vscode.l10n.t('Its self-test failed.');
    } else {
      item.text = state.kind === 'starting' ? vscode.l10n.t('Sandbox: self-test') : vscode.l10n.t('Sandbox: not started');
      item.detail = vscode.l10n.t('It is tested before anything runs in it.');
    }
  }

  private showVerdict(): void {
    const document = vscode.window.activeTextEditor?.document;
    const checked = document && this.store.get(document.uri);
    this.verdictItem.selector = checked && document ? { language: 'python', scheme: document.uri.scheme, pattern: document.uri.path } : [];
    if (!checked) return;
    this.verdictItem.text = verdictText(checked);
    const { profile } = checked.report;
    this.verdictItem.detail = profile === null ? vscode.l10n.t('Profile not known yet') : vscode.l10n.t('Profile: {0}', profileName(profile));
    this.verdictItem.severity = checked.report.verdict === 'reject' ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.verdictItem.command = { title: vscode.l10n.t('Problems'), command: 'workbench.panel.markers.view.focus' };
  }
}
