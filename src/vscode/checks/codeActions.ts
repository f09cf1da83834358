import * as vscode from 'vscode';
import { counterexampleOf } from '../../core/checks/replays';
import { commandId, type CommandName } from '../../shared/contributions';
import type { Finding, Fix } from '../../shared/findings';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';
import { toEditorRange } from '../ranges';
import type { CheckStore } from './checkStore';
import { SOURCE, STALE_SILENCING } from './diagnostics';
import { refOf } from './findingRef';

/** Longest title of a fix, in characters: names of the file stand in it. */
const TITLE = 160;

/**
 * Offers what can be done about findings: fix, fix all of a kind, explain, replay, keep, send to the designer, silence. Only
 * for the text that was checked: a fix never lands on an edited one.
 */
export class FindingActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(private readonly store: CheckStore) {}

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const checked = this.store.get(document.uri);
    if (!checked || checked.version !== document.version) return [];
    const here = checked.report.findings.filter((finding) => toEditorRange(finding).intersection(range));
    const fixable = checked.report.findings.filter(hasFix);
    const firstOfKind = here.filter((finding, index) => here.findIndex(({ id }) => id === finding.id) === index);
    return [
      ...here.filter(hasFix).flatMap((finding) => {
        const same = fixable.filter(({ id }) => id === finding.id);
        return [toAction(document.uri, finding, context), ...(same.length > 1 ? [fixAll(document.uri, same)] : [])];
      }),
      ...firstOfKind.flatMap((finding) => aboutFinding(checked.uri, finding, context)),
      ...context.diagnostics.filter(isStaleSilencing).slice(0, 1).map(() => action(vscode.l10n.t('List and remove silenced checks…'), 'listSilenced', [])),
    ];
  }
}

type Fixable = Finding & { readonly fix: Fix };

function hasFix(finding: Finding): finding is Fixable {
  return finding.fix !== null;
}

function action(title: string, command: CommandName, args: readonly unknown[], diagnostics: readonly vscode.Diagnostic[] = []): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.command = { title, command: commandId(command), arguments: [...args] };
  made.diagnostics = [...diagnostics];
  return made;
}

/** What can be done about a finding besides mending it. */
export function aboutFinding(uri: vscode.Uri, finding: Finding, context: vscode.CodeActionContext): vscode.CodeAction[] {
  const { id } = finding;
  const ref = refOf(uri, finding);
  const diagnostics = diagnosticsOf(finding, context);
  const offer = (title: string, command: CommandName, ...args: unknown[]) => action(title, command, args, diagnostics);
  return [
    offer(vscode.l10n.t('Explain “{0}”', id), 'explainCheck', id),
    ...(counterexampleOf(finding) === null ? [] : [
      offer(vscode.l10n.t('Replay the counterexample of “{0}”', id), 'replayCounterexample', ref),
      offer(vscode.l10n.t('Keep the counterexample of “{0}”', id), 'keepReplay', ref),
    ]),
    offer(vscode.l10n.t('Send “{0}” to the designer…', id), 'sendToDesigner', ref),
    offer(vscode.l10n.t('Silence “{0}” for this content of the file', id), 'silenceCheck', ref, 'file'),
    // An error is pardoned file by file.
    ...(finding.severity === 'error' ? [] : [offer(vscode.l10n.t('Silence “{0}” in this workspace', id), 'silenceCheck', ref, 'workspace')]),
  ];
}

function toAction(uri: vscode.Uri, finding: Fixable, context: vscode.CodeActionContext): vscode.CodeAction {
  const fix = new vscode.CodeAction(plainLine(localize(finding.fix.title), TITLE), vscode.CodeActionKind.QuickFix);
  fix.edit = editOf(uri, [finding]);
  fix.isPreferred = true;
  fix.diagnostics = diagnosticsOf(finding, context);
  return fix;
}

function diagnosticsOf(finding: Finding, { diagnostics }: vscode.CodeActionContext): vscode.Diagnostic[] {
  return diagnostics.filter(({ source, code, range }) => source === SOURCE && codeOf(code) === finding.id && range.isEqual(toEditorRange(finding)));
}

const codeOf = (code: vscode.Diagnostic['code']) => (typeof code === 'object' ? code.value : code);
const isStaleSilencing = ({ source, code }: vscode.Diagnostic) => source === SOURCE && code === STALE_SILENCING;

function fixAll(uri: vscode.Uri, findings: readonly Fixable[]): vscode.CodeAction {
  const id = findings[0]?.id ?? '';
  const all = new vscode.CodeAction(vscode.l10n.t('Fix all {0} “{1}” findings', findings.length, id), vscode.CodeActionKind.QuickFix);
  all.edit = editOf(uri, findings);
  return all;
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
