import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { FileReport, Finding, Range } from '../../shared/findings';
import type { CheckPages } from '../checks/checkPages';
import type { CheckStore } from '../checks/checkStore';
import { evidenceLines, findingText } from '../checks/evidence';
import { toEditorRange } from '../ranges';

type About = 'screen' | 'hint';

/** What models and plays say about files: shown where the class begins, until the text is edited. */
export class OpinionMarks implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly marks = this.owned.add(vscode.languages.createDiagnosticCollection('envwright-opinions'));
  private readonly known = new Map<string, Partial<Record<About, readonly Finding[]>>>();

  constructor(private readonly store: CheckStore, private readonly pages: CheckPages) {
    this.owned.add(vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && this.forget(document.uri)));
    this.owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
  }

  /** Where an opinion about a document is shown, and the profile that it is judged by. */
  placeOf(document: vscode.TextDocument): { readonly range: Range; readonly profile: FileReport['profile'] } {
    const checked = this.store.get(document.uri);
    return { range: checked?.anchor?.range ?? { line: 1, column: 1, endLine: 1, endColumn: 1 }, profile: checked?.report.profile ?? null };
  }

  /** What is shown about a document. */
  of(uri: vscode.Uri): readonly Finding[] {
    return Object.values(this.known.get(uri.toString()) ?? {}).flat();
  }

  /** Shows these findings about a document in place of those of the same kind. */
  show(uri: vscode.Uri, about: About, findings: readonly Finding[]): void {
    const all = { ...this.known.get(uri.toString()), [about]: findings };
    this.known.set(uri.toString(), all);
    this.marks.set(uri, Object.values(all).flat().map((finding) => this.mark(finding)));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private forget(uri: vscode.Uri): void {
    if (this.known.delete(uri.toString())) this.marks.delete(uri);
  }

  private mark(finding: Finding): vscode.Diagnostic {
    const { Error: error, Warning: warning, Information: info } = vscode.DiagnosticSeverity;
    const diagnostic = new vscode.Diagnostic(toEditorRange(finding), [findingText(finding), ...evidenceLines(finding.evidence)].join('\n'), { error, warning, info }[finding.severity]);
    return Object.assign(diagnostic, { source: 'Envwright', code: { value: finding.id, target: this.pages.of(finding.id) } });
  }
}
