import * as vscode from 'vscode';
import type { Attempt } from '../../core/design/designer';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { message } from '../../shared/message';
import { evidenceLines, findingText } from '../checks/evidence';
import type { ReadOnlyDocuments } from '../documents';
import { toEditorRange } from '../ranges';
import type { Drafts, KeptDraft } from './drafts';

const SEVERITIES = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning, info: vscode.DiagnosticSeverity.Information } as const;

/** Drafts in editors: one alone, two beside each other; what the checks found in each turn is marked in its text while that is open. */
export class DraftViews implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly found = this.owned.add(vscode.languages.createDiagnosticCollection('envwright-drafts'));

  constructor(private readonly documents: ReadOnlyDocuments, private readonly drafts: Drafts) {
    this.owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.found.delete(uri)));
  }

  /** Shows a draft in its editor while that is open, else in a new one that can be saved; an attempt as it was. */
  async show(kept: KeptDraft, attempt?: number, line?: number): Promise<void> {
    const selection = line === undefined ? {} : { selection: new vscode.Range(line - 1, 0, line - 1, 0) };
    if (attempt !== undefined) return void (await vscode.window.showTextDocument(this.attempt(kept, attempt), { preview: true, ...selection }));
    const open = vscode.workspace.textDocuments.find(({ uri, isClosed }) => kept.uri !== '' && uri.toString() === kept.uri && !isClosed);
    if (open) return void (await vscode.window.showTextDocument(open, selection));
    const document = await vscode.workspace.openTextDocument({ language: 'python', content: kept.draft.code });
    this.drafts.moved(kept.id, document.uri.toString());
    await vscode.window.showTextDocument(document, { preview: false, ...selection });
  }

  /** Shows an attempt beside what became of it: the one given beside the one before, by default the first beside the last. */
  async compare(kept: KeptDraft, attempt?: number): Promise<void> {
    const { attempts } = kept.draft;
    const [left, right] = attempt === undefined || attempt === 0 ? [0, attempts.length - 1] : [attempt - 1, attempt];
    if (left === right) {
      throw new EnvwrightError('design/one-draft', message('This draft was not sent back: there is nothing to compare it with.'), message('Ask for a next draft with your own words.'));
    }
    const title = vscode.l10n.t('{0} ↔ {1} ({2})', said(attempts[left], left), said(attempts[right], right), kept.draft.provenance.skill);
    await vscode.commands.executeCommand('vscode.diff', this.attempt(kept, left), this.attempt(kept, right), title, { preview: true });
  }

  dispose(): void {
    this.owned.dispose();
  }

  private attempt({ id, draft }: KeptDraft, attempt: number): vscode.Uri {
    const made = draft.attempts[attempt];
    const uri = this.documents.keep(`draft-${id}-${attempt + 1}.py`, made?.code ?? '');
    this.found.set(uri, (made?.report?.findings ?? []).map((finding) => {
      const mark = new vscode.Diagnostic(toEditorRange(finding), [findingText(finding), ...evidenceLines(finding.evidence)].join('\n'), SEVERITIES[finding.severity]);
      return Object.assign(mark, { source: vscode.l10n.t('Envwright, draft {0}', attempt + 1), code: finding.id });
    }));
    return uri;
  }
}

/** `First draft, 3 errors`. */
function said(made: Attempt | undefined, attempt: number): string {
  const errors = made?.report?.findings.filter(({ severity }) => severity === 'error').length ?? 0;
  const name = attempt === 0 ? vscode.l10n.t('First draft') : vscode.l10n.t('Repair {0}', attempt);
  if (!made?.report) return vscode.l10n.t('{0}, not checked', name);
  return errors === 1 ? vscode.l10n.t('{0}, 1 error', name) : vscode.l10n.t('{0}, {1} errors', name, errors);
}
