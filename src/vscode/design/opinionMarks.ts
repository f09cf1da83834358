import * as vscode from 'vscode';
import { applySuppressions, contentHash } from '../../core/checks/suppression';
import { overridden } from '../../core/checks/verdict';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { FileReport, Finding, Range } from '../../shared/findings';
import type { CheckPages } from '../checks/checkPages';
import type { CheckStore } from '../checks/checkStore';
import { aboutFinding } from '../checks/codeActions';
import type { UserDecisions } from '../checks/decisions';
import { evidenceLines, findingText } from '../checks/evidence';
import { toEditorRange } from '../ranges';

type About = 'screen' | 'hint';

/** What was said about a document, and what of it is shown. */
interface Opinion {
  readonly document: vscode.TextDocument;
  readonly said: Partial<Record<About, readonly Finding[]>>;
  shown: readonly Finding[];
}

/**
 * What models and plays say about files: shown where the class begins, until the text is edited, without what the user silenced. It can
 * be explained, sent to the designer and silenced like any finding.
 */
export class OpinionMarks implements Disposable, vscode.CodeActionProvider {
  private readonly owned = new DisposableStore();
  private readonly marks = this.owned.add(vscode.languages.createDiagnosticCollection('envwright-opinions'));
  private readonly known = new Map<string, Opinion>();

  constructor(private readonly store: CheckStore, private readonly pages: CheckPages, private readonly decisions: Pick<UserDecisions, 'subjectOf' | 'onDidChange'>) {
    this.owned.add(vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && this.forget(document.uri)));
    this.owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
    this.owned.add(this.decisions.onDidChange(() => {
      for (const { document } of this.known.values()) void this.refresh(document);
    }));
    this.owned.add(vscode.languages.registerCodeActionsProvider({ language: 'python' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }));
  }

  /** Where an opinion about a document is shown, and the profile that it is judged by. */
  placeOf(document: vscode.TextDocument): { readonly range: Range; readonly profile: FileReport['profile'] } {
    const checked = this.store.get(document.uri);
    return { range: checked?.anchor?.range ?? { line: 1, column: 1, endLine: 1, endColumn: 1 }, profile: checked?.report.profile ?? null };
  }

  /** What was said about a document, silenced or not. */
  of(uri: vscode.Uri): readonly Finding[] {
    return Object.values(this.known.get(uri.toString())?.said ?? {}).flat();
  }

  /** Shows these findings about a document in place of those of the same kind. */
  show(document: vscode.TextDocument, about: About, findings: readonly Finding[]): Promise<void> {
    const key = document.uri.toString();
    this.known.set(key, { document, said: { ...this.known.get(key)?.said, [about]: findings }, shown: [] });
    return this.refresh(document);
  }

  provideCodeActions({ uri }: vscode.TextDocument, range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const shown = this.known.get(uri.toString())?.shown ?? [];
    return shown.filter((finding) => toEditorRange(finding).intersection(range)).flatMap((finding) => aboutFinding(uri, finding, context));
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Shows what was said with the user's severities, and without what the user silenced. */
  private async refresh(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const opinion = this.known.get(uri.toString());
    const { text, file, suppressions = [], severityOverrides } = await this.decisions.subjectOf(document);
    const hash = await contentHash(text);
    // An edit forgets what was said, and a later opinion shows itself.
    if (opinion === undefined || this.known.get(uri.toString()) !== opinion) return;
    const { findings } = overridden(Object.values(opinion.said).flat(), severityOverrides);
    opinion.shown = applySuppressions(findings, suppressions, { file, hash, made: () => false, known: () => true }).open;
    this.marks.set(uri, opinion.shown.map((finding) => this.mark(finding)));
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
