import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Finding, Severity } from '../../shared/findings';
import { localize } from '../localize';
import { toEditorRange } from '../ranges';
import type { CheckPages } from './checkPages';
import type { Checked, CheckStore } from './checkStore';
import { evidenceLines } from './evidence';

const SEVERITIES: Record<Severity, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** Name of the collection, and what Problems shows behind a finding. */
export const SOURCE = 'Envwright';

/** Shows the findings of the store in Problems and as squiggles. */
export class Diagnostics implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly collection = this.owned.add(vscode.languages.createDiagnosticCollection('envwright'));

  constructor(
    private readonly store: CheckStore,
    private readonly pages: CheckPages,
  ) {
    this.owned.add(store.onDidChange((uri) => this.show(uri)));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private show(uri: vscode.Uri): void {
    const checked = this.store.get(uri);
    this.collection.set(uri, checked && diagnosticsOf(checked, this.pages));
  }
}

/** The diagnostics of a judgement: its findings, and those of the last run that an edit has not touched. */
export function diagnosticsOf({ uri, report, earlier }: Checked, pages: CheckPages): vscode.Diagnostic[] {
  const stale = vscode.l10n.t('Found when the file was last run, before it was edited.');
  return [...report.findings.map((finding) => toDiagnostic(uri, finding, pages)), ...earlier.map((finding) => toDiagnostic(uri, finding, pages, stale))];
}

function toDiagnostic(uri: vscode.Uri, finding: Finding, pages: CheckPages, note?: string): vscode.Diagnostic {
  const text = [localize(finding.message), ...evidenceLines(finding.evidence), ...(note ? [note] : [])].join('\n');
  const diagnostic = new vscode.Diagnostic(toEditorRange(finding), text, SEVERITIES[finding.severity]);
  diagnostic.source = SOURCE;
  diagnostic.code = { value: finding.id, target: pages.of(finding.id) };
  diagnostic.relatedInformation = finding.related.map(
    (related) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, toEditorRange(related)), localize(related.message)),
  );
  return diagnostic;
}
