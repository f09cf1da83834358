import * as vscode from 'vscode';
import { DisposableStore, type Disposable, type Emitter } from '../../core/lifecycle';
import type { Verdict } from '../../shared/findings';
import { setContext } from '../context';
import type { Drafts, KeptBatch } from '../design/drafts';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';
import { draftNode, FAILED, TOOLTIP, VERDICT_ICONS, verdictIcon, verdictWord } from './draftRows';
import { NodeTree, type TreeNode } from './nodeTree';

/** A row that stands for a batch. */
export interface BatchNode extends TreeNode {
  readonly batch: KeptBatch;
}

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
      description: [running ? vscode.l10n.t('{0} of {1} done', done, batch.items.length) : open > 0 ? vscode.l10n.t('{0} not done', open) : vscode.l10n.t('done'), new Date(batch.at).toLocaleTimeString(vscode.env.language)].join(' · '),
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
      const verdict = group in VERDICT_ICONS ? (group as Verdict) : null;
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

/** True for what the view hands to the commands of a batch. */
export function isBatch(node: unknown): node is BatchNode {
  return typeof node === 'object' && node !== null && 'batch' in node;
}
