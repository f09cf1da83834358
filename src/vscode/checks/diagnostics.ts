import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Finding, Severity } from '../../shared/findings';
import { plainLine } from '../../core/plainText';
import { toEditorRange } from '../ranges';
import type { CheckPages } from './checkPages';
import type { Checked, CheckStore } from './checkStore';
import { evidenceLines, findingText, saidLine } from './evidence';
import { ownFrames } from './traceback';

const SEVERITIES: Record<Severity, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** Name of the collection, and what Problems shows behind a finding. */
export const SOURCE = 'Envwright';

/** Code of the diagnostics that speak of a silencing and not of the file. */
export const STALE_SILENCING = 'stale-silencing';

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

/** The diagnostics of a judgement: its findings, those of the last run that an edit has not touched, and silencings that do nothing any more. */
export function diagnosticsOf(checked: Checked, pages: CheckPages): vscode.Diagnostic[] {
  const { report, earlier } = checked;
  const stale = vscode.l10n.t('Found when the file was last run, before it was edited.');
  return [
    ...report.findings.map((finding) => toDiagnostic(checked, finding, pages)),
    ...earlier.map((finding) => toDiagnostic(checked, finding, pages, stale)),
    ...staleSilencings(checked),
  ];
}

function toDiagnostic({ uri, report }: Checked, finding: Finding, pages: CheckPages, note?: string): vscode.Diagnostic {
  const text = [findingText(finding), ...evidenceLines(finding.evidence), ...(note ? [note] : [])].join('\n');
  const diagnostic = new vscode.Diagnostic(toEditorRange(finding), text, SEVERITIES[finding.severity]);
  diagnostic.source = SOURCE;
  diagnostic.code = { value: finding.id, target: pages.of(finding.id) };
  const place = (range: vscode.Range, words: string) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, range), words);
  diagnostic.relatedInformation = [
    ...finding.related.map((related) => place(toEditorRange(related), saidLine(related.message))),
    // After an edit the lines of a traceback are those of the text before it.
    ...(note ? [] : ownFrames(finding, report.file)).map((frame) => place(toEditorRange(frame.range), vscode.l10n.t('Called in {0}', plainLine(frame.function, 100)))),
  ];
  return diagnostic;
}

function staleSilencings({ report: { staleSuppressions = [] }, anchor }: Checked): vscode.Diagnostic[] {
  const range = anchor ? toEditorRange(anchor.range) : new vscode.Range(0, 0, 0, 0);
  return staleSuppressions.map(({ reason }) => {
    const diagnostic = new vscode.Diagnostic(range, vscode.l10n.t('A silencing does nothing here: {0}', saidLine(reason)), vscode.DiagnosticSeverity.Information);
    diagnostic.source = SOURCE;
    diagnostic.code = STALE_SILENCING;
    return diagnostic;
  });
}
