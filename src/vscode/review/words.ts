import * as vscode from 'vscode';
import type { DecisionReason, DecisionVerdict } from '../../core/review/decision';
import type { Verdict } from '../../shared/findings';

/** A verdict of the checks in words. */
export function verdictName(verdict: Verdict | null): string {
  switch (verdict) {
    case null: return vscode.l10n.t('not checked');
    case 'reject': return vscode.l10n.t('checks reject');
    case 'cannot-run': return vscode.l10n.t('cannot run');
    case 'accept-with-warnings': return vscode.l10n.t('warnings');
    case 'accept': return vscode.l10n.t('checks pass');
  }
}

/** A decision in words. */
export function decisionName(verdict: DecisionVerdict): string {
  switch (verdict) {
    case 'accept': return vscode.l10n.t('accepted');
    case 'reject': return vscode.l10n.t('rejected');
    case 'needs-work': return vscode.l10n.t('needs work');
  }
}

/** A reason in words. */
export function reasonName(reason: DecisionReason): string {
  switch (reason) {
    case 'unsolvable': return vscode.l10n.t('Cannot be solved');
    case 'too-easy': return vscode.l10n.t('Too easy');
    case 'too-hard': return vscode.l10n.t('Too hard');
    case 'guessable': return vscode.l10n.t('Can be guessed');
    case 'leaks-answer': return vscode.l10n.t('Gives the answer away');
    case 'ambiguous-task': return vscode.l10n.t('The task is ambiguous');
    case 'wrong-scoring': return vscode.l10n.t('Scores wrongly');
    case 'duplicate': return vscode.l10n.t('A copy of another one');
    case 'off-skill': return vscode.l10n.t('Trains another skill');
    case 'unsafe': return vscode.l10n.t('Unsafe');
    case 'hint-unusable': return vscode.l10n.t('The hint is of no use');
    case 'poor-text': return vscode.l10n.t('Poorly written');
  }
}
