import * as vscode from 'vscode';
import type { Attempt } from '../../core/design/designer';
import { commandId } from '../../shared/contributions';
import type { Finding, Verdict } from '../../shared/findings';
import type { KeptDraft } from '../design/drafts';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';
import type { TreeNode } from './nodeTree';

/** A row that stands for a draft, for one attempt of it, or for a finding in that. */
export interface DraftNode extends TreeNode {
  readonly kept: KeptDraft;
  /** From 0; undefined for the draft as it became. */
  readonly attempt?: number;
  /** From 1. */
  readonly line?: number;
}

/** Sign and colour of each verdict. */
export const VERDICT_ICONS: Record<Verdict, readonly [string, string]> = {
  accept: ['pass', 'charts.green'], 'accept-with-warnings': ['warning', 'list.warningForeground'], reject: ['error', 'list.errorForeground'], 'cannot-run': ['circle-slash', 'list.warningForeground'],
};
const SEVERITIES: Record<Finding['severity'], readonly [string, string]> = { error: ['error', 'list.errorForeground'], warning: ['warning', 'list.warningForeground'], info: ['info', 'list.deemphasizedForeground'] };
/** Longest text of a tooltip, in characters. */
export const TOOLTIP = 300;

const icon = ([id, color]: readonly [string, string]) => new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
/** For what failed. */
export const FAILED = icon(['error', 'list.errorForeground']);
/** The sign of a verdict; null: not checked. */
export const verdictIcon = (verdict: Verdict | null) => (verdict === null ? new vscode.ThemeIcon('question') : icon(VERDICT_ICONS[verdict]));

/** True for what the view hands to the commands of a draft. */
export function isDraft(node: unknown): node is DraftNode {
  return typeof node === 'object' && node !== null && 'kept' in node;
}

/** A draft with its attempts. @param grouped it stands under its verdict: in its place the row says what was found. */
export function draftNode(kept: KeptDraft, grouped = false): DraftNode {
  const { provenance, attempts, verdict, stopped } = kept.draft;
  return {
    kept,
    id: `draft ${kept.id}`,
    label: className(kept) ?? taskOf(kept),
    description: [...madeOf(kept), ...(grouped ? errorsOf(attempts.at(-1)) : [verdictWord(verdict)]), ...madeWith(kept)].join(' · '),
    tooltip: [...(provenance.theme === null ? [] : [provenance.theme]), ...madeBy(kept), ...(stopped === undefined ? [] : [plainLine(stopped, TOOLTIP)])].join('\n'),
    icon: verdictIcon(verdict),
    kind: attempts.length > 1 ? 'draftRepaired' : 'draft',
    children: () => attempts.map((attempt, index) => attemptNode(kept, attempt, index)),
    command: { title: vscode.l10n.t('Show Draft'), command: commandId('showDraft'), arguments: [{ kept }] },
  };
}

/** The class of a draft as the run's loader picks it; null for a file in which it finds none. */
function className({ draft: { attempts } }: KeptDraft): string | null {
  const name = attempts.at(-1)?.report?.class ?? null;
  return name === null ? null : plainLine(name, 60);
}

function taskOf({ draft: { provenance } }: KeptDraft): string {
  return `${provenance.skill}, ${provenance.difficulty}`;
}

/** What tells a draft from others of its task. It comes first, since a narrow view cuts the end. */
function madeOf({ again, options: { from }, draft: { provenance } }: KeptDraft): string[] {
  return [...(again ? [vscode.l10n.t('made again')] : []), ...(provenance.wish !== undefined ? [vscode.l10n.t('with feedback')] : from ? [vscode.l10n.t('mends a file')] : [])];
}

function madeWith(kept: KeptDraft): string[] {
  const { provenance, attempts } = kept.draft;
  const repairs = attempts.length - 1;
  return [
    ...(repairs === 0 ? [] : [repairs === 1 ? vscode.l10n.t('after 1 repair') : vscode.l10n.t('after {0} repairs', repairs)]),
    ...(className(kept) === null ? [] : [taskOf(kept)]),
    new Date(provenance.at).toLocaleTimeString(vscode.env.language),
    provenance.simulated ? vscode.l10n.t('offline sample, not a model') : plainLine(provenance.model, 60),
  ];
}

/** Who made a draft, from what, and what it cost, by role. */
function madeBy({ draft: { provenance }, costs }: KeptDraft): string[] {
  const { model, at, themeSeed, memory, document, wish } = provenance;
  const count = (value: number | null): string => (value === null ? vscode.l10n.t('not counted') : value.toLocaleString(vscode.env.language));
  return [
    `${model} · ${new Date(at).toLocaleString(vscode.env.language)}`,
    vscode.l10n.t('theme seed {0}', themeSeed),
    ...(memory ? [memory.drawSeed === null ? vscode.l10n.t('examples, chosen by hand: {0}', exampleNames(memory)) : vscode.l10n.t('examples, drawn with seed {1}: {0}', exampleNames(memory), memory.drawSeed)] : []),
    ...(document ? [vscode.l10n.t('document: {0}', plainLine(document.id, 80))] : []),
    ...(wish === undefined ? [] : [vscode.l10n.t('asked for: {0}', plainLine(wish, 120))]),
    ...Object.entries(costs).map(([role, { calls, promptTokens, completionTokens, ms }]) =>
      vscode.l10n.t('{0}: calls: {1}, {2} s; tokens read: {3}, written: {4}', role, calls, (ms / 1000).toFixed(1), count(promptTokens), count(completionTokens))),
  ];
}

function exampleNames({ examples }: { readonly examples: readonly { readonly gameFile: string }[] }): string {
  return examples.map(({ gameFile }) => plainLine(gameFile.split(/[/\\]/).at(-1) ?? gameFile, 60)).join(', ');
}

/** The checks that found errors in an attempt, each once. */
function errorsOf(attempt: Attempt | undefined): string[] {
  return [...new Set((attempt?.report?.findings ?? []).filter(({ severity }) => severity === 'error').map(({ id }) => id))];
}

function attemptNode(kept: KeptDraft, made: Attempt, attempt: number): DraftNode {
  const { report, problem, cost } = made;
  const findings = report?.findings ?? [];
  return {
    kept,
    attempt,
    id: `draft ${kept.id} ${attempt}`,
    label: attempt === 0 ? vscode.l10n.t('First draft') : vscode.l10n.t('Repair {0}', attempt),
    description: [verdictWord(report?.verdict ?? null), ...errorsOf(made)].join(' · '),
    tooltip: [...(problem === null ? [] : [plainLine(problem, TOOLTIP)]), vscode.l10n.t('{0} s', (cost.ms / 1000).toFixed(1))].join('\n'),
    icon: verdictIcon(report?.verdict ?? null),
    kind: attempt === 0 ? 'attempt' : 'repair',
    command: { title: vscode.l10n.t('Show Draft'), command: commandId('showDraft'), arguments: [{ kept, attempt }] },
    ...(findings.length > 0 && { children: () => findings.map((finding, index) => findingNode(kept, attempt, finding, index)) }),
  };
}

function findingNode(kept: KeptDraft, attempt: number, { id, line, severity, message }: Finding, index: number): DraftNode {
  return {
    kept, attempt, line,
    id: `draft ${kept.id} ${attempt} ${index}`,
    label: id,
    description: vscode.l10n.t('line {0}: {1}', line, plainLine(localize(message), 120)),
    tooltip: plainLine(localize(message), TOOLTIP),
    icon: icon(SEVERITIES[severity]),
    command: { title: vscode.l10n.t('Show Draft'), command: commandId('showDraft'), arguments: [{ kept, attempt, line }] },
  };
}

/** A verdict in words; null: not checked. */
export function verdictWord(verdict: Verdict | null): string {
  switch (verdict) {
    case null: return vscode.l10n.t('not checked');
    case 'reject': return vscode.l10n.t('reject');
    case 'cannot-run': return vscode.l10n.t('cannot run');
    case 'accept-with-warnings': return vscode.l10n.t('accept with warnings');
    case 'accept': return vscode.l10n.t('accept');
  }
}
