import * as vscode from 'vscode';
import type { Attempt } from '../../core/design/designer';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { commandId } from '../../shared/contributions';
import type { Verdict } from '../../shared/findings';
import { setContext } from '../context';
import type { Drafts, KeptDraft } from '../design/drafts';
import { NodeTree, type TreeNode } from './nodeTree';

/** A row that stands for a draft, or for one attempt of it. */
export interface DraftNode extends TreeNode {
  readonly kept: KeptDraft;
  /** From 0; undefined for the draft as it became. */
  readonly attempt?: number;
}

const ICONS: Record<Verdict, string> = { reject: 'error', 'cannot-run': 'circle-slash', 'accept-with-warnings': 'warning', accept: 'pass' };

/** The drafts of this window, each with its attempts and their verdicts. */
export class DraftsTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('drafts', () => this.drafts.all.map(draftNode)));

  constructor(private readonly drafts: Drafts) {
    this.owned.add(drafts.onDidChange(() => {
      setContext('hasDrafts', drafts.all.length > 0);
      this.tree.refresh();
    }));
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/** True for what the view hands to the commands of a draft. */
export function isDraft(node: unknown): node is DraftNode {
  return typeof node === 'object' && node !== null && 'kept' in node;
}

function draftNode(kept: KeptDraft): DraftNode {
  const { provenance, attempts, verdict } = kept.draft;
  return {
    kept,
    id: `draft ${kept.id}`,
    label: `${provenance.skill}, ${provenance.difficulty}`,
    description: [provenance.simulated ? vscode.l10n.t('offline sample, not a model') : provenance.model, verdictWord(verdict)].join(' · '),
    tooltip: [provenance.theme, provenance.model, provenance.at].join('\n'),
    icon: new vscode.ThemeIcon(verdict === null ? 'info' : ICONS[verdict]),
    kind: 'draft',
    children: () => attempts.map((attempt, index) => attemptNode(kept, attempt, index)),
    command: { title: vscode.l10n.t('Show Draft'), command: commandId('showDraft'), arguments: [{ kept }] },
  };
}

function attemptNode(kept: KeptDraft, { report, problem }: Attempt, attempt: number): DraftNode {
  const errors = report?.findings.filter(({ severity }) => severity === 'error').map(({ id }) => id) ?? [];
  return {
    kept,
    attempt,
    id: `draft ${kept.id} ${attempt}`,
    label: attempt === 0 ? vscode.l10n.t('First draft') : vscode.l10n.t('Repair {0}', attempt),
    description: [verdictWord(report?.verdict ?? null), ...new Set(errors)].join(' · '),
    tooltip: problem ?? '',
    icon: new vscode.ThemeIcon(report ? ICONS[report.verdict] : 'info'),
    command: { title: vscode.l10n.t('Show Draft'), command: commandId('showDraft'), arguments: [{ kept, attempt }] },
  };
}

function verdictWord(verdict: Verdict | null): string {
  switch (verdict) {
    case null: return vscode.l10n.t('not checked');
    case 'reject': return vscode.l10n.t('reject');
    case 'cannot-run': return vscode.l10n.t('cannot run');
    case 'accept-with-warnings': return vscode.l10n.t('accept with warnings');
    case 'accept': return vscode.l10n.t('accept');
  }
}
