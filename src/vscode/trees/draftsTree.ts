import * as vscode from 'vscode';
import type { Attempt } from '../../core/design/designer';
import { DisposableStore, type Disposable, type Emitter } from '../../core/lifecycle';
import { commandId } from '../../shared/contributions';
import type { Finding, Verdict } from '../../shared/findings';
import { setContext } from '../context';
import type { Drafts, KeptBatch, KeptDraft } from '../design/drafts';
import { localize } from '../localize';
import { plainLine } from '../plainText';
import { NodeTree, type TreeNode } from './nodeTree';

/** A row that stands for a draft, for one attempt of it, or for a finding in that. */
export interface DraftNode extends TreeNode {
  readonly kept: KeptDraft;
  /** From 0; undefined for the draft as it became. */
  readonly attempt?: number;
  /** From 1. */
  readonly line?: number;
}

/** A row that stands for a batch. */
export interface BatchNode extends TreeNode {
  readonly batch: KeptBatch;
}

const ICONS: Record<Verdict, readonly [string, string]> = {
  accept: ['pass', 'charts.green'], 'accept-with-warnings': ['warning', 'list.warningForeground'], reject: ['error', 'list.errorForeground'], 'cannot-run': ['circle-slash', 'list.warningForeground'],
};
const SEVERITIES: Record<Finding['severity'], readonly [string, string]> = { error: ['error', 'list.errorForeground'], warning: ['warning', 'list.warningForeground'], info: ['info', 'list.deemphasizedForeground'] };
const TOOLTIP = 300;

const icon = ([id, color]: readonly [string, string]) => new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
const FAILED = icon(['error', 'list.errorForeground']);
const verdictIcon = (verdict: Verdict | null) => (verdict === null ? new vscode.ThemeIcon('question') : icon(ICONS[verdict]));

/** Drafts and batches: a batch by verdict, a draft by its attempts, an attempt by what was found in it. */
export class DraftsTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree: NodeTree;

  /** @param making tells which batches are being made now. */
  constructor(private readonly drafts: Drafts, private readonly making: { isRunning(batch: number): boolean; readonly onDidChange: Emitter<void>['event'] }) {
    this.tree = this.owned.add(new NodeTree('drafts', () => this.roots()));
    this.owned.add(drafts.onDidChange(() => {
      setContext('hasDrafts', drafts.all.length > 0 || drafts.batches.length > 0);
      this.tree.refresh();
    }));
    this.owned.add(making.onDidChange(() => this.tree.refresh()));
  }

  /** The rows of the view. */
  rows(): Promise<TreeNode[]> {
    return this.tree.getChildren();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async roots(): Promise<TreeNode[]> {
    await this.drafts.load();
    const own = this.drafts.all.filter(({ batch }) => batch === null || !this.drafts.batches.some(({ id }) => id === batch));
    return [...this.drafts.batches.map((batch) => ({ id: batch.id, node: this.batch(batch) })), ...own.map((kept) => ({ id: kept.id, node: draftNode(kept) }))]
      .sort((a, b) => b.id - a.id).map(({ node }) => node);
  }

  private batch(batch: KeptBatch): BatchNode {
    const running = this.making.isRunning(batch.id);
    const done = batch.items.filter(({ state }) => state === 'done').length;
    const open = batch.items.length - done;
    return {
      batch,
      id: `batch ${batch.id}`,
      label: vscode.l10n.t('Batch of {0}', batch.items.length),
      description: [running ? vscode.l10n.t('{0} of {1} done', done, batch.items.length) : open > 0 ? vscode.l10n.t('{0} not done', open) : vscode.l10n.t('done'), new Date(batch.at).toLocaleTimeString()].join(' · '),
      icon: new vscode.ThemeIcon(running ? 'loading~spin' : 'layers'),
      kind: running ? 'batchRunning' : open > 0 ? 'batchOpen' : 'batch',
      expanded: true,
      children: () => this.groups(batch),
    };
  }

  /** The items of a batch under their verdicts, those to be read first on top. */
  private groups(batch: KeptBatch): TreeNode[] {
    const rows = batch.items.map((item, index) => {
      const kept = item.state === 'done' ? this.drafts.all.find(({ id }) => id === item.draft) : undefined;
      const task = batch.tasks[index]?.task;
      const label = task ? `${task.skill}, ${task.difficulty}` : '';
      if (kept) return { group: kept.draft.verdict ?? 'not-checked', node: draftNode(kept, true) };
      const row = { id: `batch ${batch.id} ${index}`, label };
      if (item.state === 'failed') return { group: 'failed', node: { ...row, description: plainLine(localize(item.what), 120), tooltip: plainLine(`${localize(item.what)} ${localize(item.next)}`, TOOLTIP), icon: FAILED } };
      // A window that went away left the item as it was being made.
      const state = item.state === 'done' ? 'discarded' : item.state === 'running' && !this.making.isRunning(batch.id) ? 'queued' : item.state;
      return { group: state, node: { ...row, icon: new vscode.ThemeIcon(state === 'running' ? 'loading~spin' : 'circle-outline') } };
    });
    const names = groupNames();
    return Object.keys(names).flatMap((group) => {
      const own = rows.filter((row) => row.group === group);
      if (own.length === 0) return [];
      const verdict = group in ICONS ? (group as Verdict) : null;
      const shape = verdict ? verdictIcon(verdict) : group === 'failed' ? FAILED : new vscode.ThemeIcon(GROUP_ICONS[group] ?? 'circle-outline');
      return [{ id: `batch ${batch.id} ${group}`, label: names[group] ?? group, description: String(own.length), icon: shape, expanded: true, children: () => own.map(({ node }) => node) }];
    });
  }
}

const GROUP_ICONS: Readonly<Record<string, string>> = { running: 'loading~spin', 'not-checked': 'question', cancelled: 'circle-slash' };

function groupNames(): Readonly<Record<string, string>> {
  return {
    running: vscode.l10n.t('being made'), accept: verdictWord('accept'), 'accept-with-warnings': verdictWord('accept-with-warnings'), reject: verdictWord('reject'),
    'cannot-run': verdictWord('cannot-run'), 'not-checked': verdictWord(null), failed: vscode.l10n.t('the model failed'), queued: vscode.l10n.t('waiting'),
    cancelled: vscode.l10n.t('not made'), discarded: vscode.l10n.t('discarded'),
  };
}

/** True for what the view hands to the commands of a draft. */
export function isDraft(node: unknown): node is DraftNode {
  return typeof node === 'object' && node !== null && 'kept' in node;
}

/** True for what the view hands to the commands of a batch. */
export function isBatch(node: unknown): node is BatchNode {
  return typeof node === 'object' && node !== null && 'batch' in node;
}

/** @param grouped it stands under its verdict: in its place the row says what tells it from the others. */
function draftNode(kept: KeptDraft, grouped = false): DraftNode {
  const { provenance, attempts, verdict, stopped } = kept.draft;
  const repairs = attempts.length - 1;
  const making = repairs === 0 ? [] : [repairs === 1 ? vscode.l10n.t('after 1 repair') : vscode.l10n.t('after {0} repairs', repairs)];
  const model = provenance.simulated ? vscode.l10n.t('offline sample, not a model') : provenance.model;
  return {
    kept,
    id: `draft ${kept.id}`,
    label: `${provenance.skill}, ${provenance.difficulty}`,
    description: [...(grouped ? errorsOf(attempts.at(-1)) : [verdictWord(verdict)]), ...making, model].join(' · '),
    tooltip: [...(provenance.theme === null ? [] : [provenance.theme]), ...madeBy(kept), ...(stopped === undefined ? [] : [plainLine(stopped, TOOLTIP)])].join('\n'),
    icon: verdictIcon(verdict),
    kind: attempts.length > 1 ? 'draftRepaired' : 'draft',
    children: () => attempts.map((attempt, index) => attemptNode(kept, attempt, index)),
    command: { title: vscode.l10n.t('Show Draft'), command: commandId('showDraft'), arguments: [{ kept }] },
  };
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

function verdictWord(verdict: Verdict | null): string {
  switch (verdict) {
    case null: return vscode.l10n.t('not checked');
    case 'reject': return vscode.l10n.t('reject');
    case 'cannot-run': return vscode.l10n.t('cannot run');
    case 'accept-with-warnings': return vscode.l10n.t('accept with warnings');
    case 'accept': return vscode.l10n.t('accept');
  }
}
