import * as vscode from 'vscode';
import type { Finding, Fix } from '../../shared/findings';
import { localize } from '../localize';
import { toEditorRange } from '../ranges';
import type { CheckPages } from './checkPages';
import type { CheckStore } from './checkStore';
import { SOURCE } from './diagnostics';

/** Offers the fixes of findings. Only for the text that was checked: a fix never lands on an edited one. */
export class FixProvider implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(
    private readonly store: CheckStore,
    private readonly pages: CheckPages,
  ) {}

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const checked = this.store.get(document.uri);
    if (!checked || checked.version !== document.version) return [];
    const here = checked.report.findings.filter((finding) => toEditorRange(finding).intersection(range));
    const fixable = checked.report.findings.filter(hasFix);
    return [
      ...here.filter(hasFix).flatMap((finding) => {
        const same = fixable.filter(({ id }) => id === finding.id);
        return [toAction(document.uri, finding, context), ...(same.length > 1 ? [fixAll(document.uri, same)] : [])];
      }),
      ...[...new Set(here.map(({ id }) => id))].map((id) => this.explain(id)),
    ];
  }

  private explain(id: string): vscode.CodeAction {
    const title = vscode.l10n.t('Explain “{0}”', id);
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command: 'markdown.showPreview', arguments: [this.pages.of(id)] };
    return action;
  }
}

type Fixable = Finding & { readonly fix: Fix };

function hasFix(finding: Finding): finding is Fixable {
  return finding.fix !== null;
}

function toAction(uri: vscode.Uri, finding: Fixable, context: vscode.CodeActionContext): vscode.CodeAction {
  const action = new vscode.CodeAction(localize(finding.fix.title), vscode.CodeActionKind.QuickFix);
  action.edit = editOf(uri, [finding]);
  action.isPreferred = true;
  action.diagnostics = context.diagnostics.filter(({ source, code, range }) => source === SOURCE && codeOf(code) === finding.id && range.isEqual(toEditorRange(finding)));
  return action;
}

const codeOf = (code: vscode.Diagnostic['code']) => (typeof code === 'object' ? code.value : code);

function fixAll(uri: vscode.Uri, findings: readonly Fixable[]): vscode.CodeAction {
  const id = findings[0]?.id ?? '';
  const action = new vscode.CodeAction(vscode.l10n.t('Fix all {0} “{1}” findings', findings.length, id), vscode.CodeActionKind.QuickFix);
  action.edit = editOf(uri, findings);
  return action;
}

/** The edits of several findings; one that two findings share is made once. */
function editOf(uri: vscode.Uri, findings: readonly Fixable[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const seen = new Set<string>();
  for (const change of findings.flatMap(({ fix }) => fix.edits)) {
    const key = JSON.stringify(change);
    if (!seen.has(key)) edit.replace(uri, toEditorRange(change), change.newText);
    seen.add(key);
  }
  return edit;
}
