import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Decision, DecisionVerdict } from '../../core/review/decision';
import type { QueueItem } from '../../core/review/reviewQueue';
import { CLONE_SIMILARITY } from '../../core/review/novelty';
import { baseName } from '../../core/run/paths';
import { shortName } from '../../core/run/runNames';
import { commandId } from '../../shared/contributions';
import type { Verdict } from '../../shared/findings';
import { setContext } from '../context';
import { plainLine } from '../../core/plainText';
import { NodeTree, type TreeNode } from '../trees/nodeTree';
import { verdictName } from './words';
import type { ReviewSession } from './session';
import { reviewName } from './workspace';

/** Rows that are shown at once, and what more there are behind a row of its own: the editor makes a row of each. */
const PAGE = 200;
const LABEL = 120;
/** Decisions after which the keys need not be told any more. */
const LEARNT = 3;

/** Type of rows that are dragged out of the view. */
export const DRAGGED_FILES = 'application/vnd.code.tree.envwright.review';

/** A row that stands for a file under review. */
export interface QueueNode extends TreeNode {
  readonly item: QueueItem;
}

const ICONS: Record<Verdict | 'none', readonly [icon: string, color?: string]> = {
  accept: ['pass', 'testing.iconPassed'], 'accept-with-warnings': ['warning', 'list.warningForeground'], reject: ['error', 'list.errorForeground'], 'cannot-run': ['circle-slash'], none: ['circle-outline'],
};
const DECISION_ICONS: Record<DecisionVerdict, string> = { accept: 'thumbsup-filled', reject: 'thumbsdown-filled', 'needs-work': 'tools' };

/** The files under review, most worth looking at first, with progress and an estimate. */
export class ReviewTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('review', () => this.nodes(), {
    dragAndDropController: { dragMimeTypes: [DRAGGED_FILES], dropMimeTypes: [], handleDrag: (nodes, data) => data.set(DRAGGED_FILES, new vscode.DataTransferItem(nodes.filter(isQueueNode))) },
  }));
  /** Said beside the progress while files are checked; empty when none are. */
  checking = '';

  constructor(private readonly session: ReviewSession) {
    this.owned.add(session.onDidChange(() => this.refresh()));
    this.refresh();
  }

  get view(): vscode.TreeView<TreeNode> {
    return this.tree.view;
  }

  /** The file that is open for review, which a key decides on: never another one than the one that is seen; else the chosen row's. */
  get chosen(): QueueItem | undefined {
    const node = this.tree.view.selection[0];
    return this.session.item(this.session.current) ?? (isQueueNode(node) ? this.session.item(node.item.file) : undefined);
  }

  /** Chooses a file's row. */
  async reveal(item: QueueItem, focus: boolean): Promise<void> {
    if (this.session.list().findIndex(({ file }) => file === item.file) >= PAGE) return;
    // Verdicts that come in make the list anew while the editor looks for the row: then it is looked for once more, and the file is open either way.
    const look = (): Thenable<void> => this.tree.view.reveal(this.node(item), { select: true, focus });
    await look().then(undefined, look).then(undefined, () => undefined);
  }

  refresh(): void {
    const { view } = this.tree;
    if (this.session.reviews.decisions.length > 0) setContext('hasReviewed', true);
    const { total, decided, remainingMs } = this.session.progress();
    view.description = this.session.isOpen ? [vscode.l10n.t('{0} of {1} decided', decided, total), ...(remainingMs === null ? [] : [estimate(remainingMs)]), this.session.label].join(' · ') : '';
    view.message = this.session.isOpen ? [...this.filterWords(), ...(this.checking === '' ? [] : [this.checking]), ...(this.session.decidedHere < LEARNT ? [keyWords()] : [])].join(' · ') : '';
    view.badge = this.session.isOpen && total > decided ? { value: total - decided, tooltip: vscode.l10n.t('{0} files to review', total - decided) } : undefined;
    this.tree.refresh();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private filterWords(): string[] {
    const { filter, show } = this.session;
    return [
      ...(show === 'mine' ? [vscode.l10n.t('those that you have not decided on')] : show === 'all' ? [vscode.l10n.t('all, also decided')] : []),
      ...(filter.verdicts ? [filter.verdicts.map(verdictName).join(', ')] : []),
      ...(filter.skills ? [filter.skills.join(', ')] : []),
      ...(filter.text === undefined ? [] : [vscode.l10n.t('name holds “{0}”', filter.text)]),
    ];
  }

  /** Rows are made when they are shown: of thousands of files few ever are. */
  private page(items: readonly QueueItem[], from = 0): readonly TreeNode[] {
    const rest = items.length - from - PAGE;
    const shown = items.slice(from, from + PAGE).map((item) => this.node(item));
    if (rest <= 0) return shown;
    return [...shown, { id: `review from ${from + PAGE}`, label: vscode.l10n.t('{0} more', rest), children: () => this.page(items, from + PAGE) }];
  }

  /** A file's row; its near copies stand below it. */
  private node(item: QueueItem): QueueNode {
    const { copies, contentHash, file } = item;
    const others = copies?.keys.filter((key) => key !== contentHash).flatMap((key) => this.session.filesOf(key).slice(0, 1)) ?? [];
    return { ...queueNode(item), ...(copies && others.length > 0 && { children: () => others.map((other) => copyNode(file, other, copies.similarity)) }) };
  }

  private nodes(): readonly TreeNode[] {
    return this.page(this.session.list());
  }
}

/** A near copy below its file: a click shows what the two differ in. */
function copyNode(file: string, other: string, similarity: number): TreeNode {
  const [left, right] = [vscode.Uri.file(other), vscode.Uri.file(file)];
  const title = `${baseName(other)} ↔ ${baseName(file)}`;
  return {
    id: `copy ${file} ${other}`,
    label: plainLine(baseName(other), LABEL),
    description: vscode.l10n.t('{0} alike by structure', `${(similarity * 100).toFixed(0)} %`),
    tooltip: plainLine(reviewName(other), 300),
    icon: new vscode.ThemeIcon('diff'),
    command: { title: vscode.l10n.t('Show Difference'), command: 'vscode.diff', arguments: [left, right, title, { preview: true, preserveFocus: true }] },
  };
}

/** True for what the view hands to the commands of a file. */
export function isQueueNode(node: unknown): node is QueueNode {
  return typeof node === 'object' && node !== null && 'item' in node;
}

/** The keys of the list. Screen readers find them with the commands. */
function keyWords(): string {
  return vscode.l10n.t('N next, A accept, R reject, W needs work, P play, U push, D compare, C curriculum, F filter, Space scroll, Z take back');
}

function estimate(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 90 ? vscode.l10n.t('about {0} min left', minutes) : vscode.l10n.t('about {0} h left', Math.round(minutes / 60));
}

function queueNode(item: QueueItem): QueueNode {
  const { file, verdict, decision, skill, stale } = item;
  // What the checks said is the icon's to tell in a narrow row; they are told first where something is amiss, and to screen readers always.
  const judged = decision === null ? verdictName(verdict) : saidWords(item.said);
  const [icon, color] = decision === null ? (ICONS[verdict ?? 'none']) : [DECISION_ICONS[decision]];
  const words = [
    ...(stale.length > 0 && decision === null ? [vscode.l10n.t('changed since it was decided on')] : []),
    ...regretWords(item), ...likeWords(item), ...(skill === null ? [] : [skill]),
  ].map((word) => plainLine(word, LABEL));
  const name = plainLine(shortName(file), LABEL);
  return {
    item,
    id: `review ${file}`,
    label: name,
    description: [...(decision === null && verdict === 'accept' ? [] : [plainLine(judged, LABEL)]), ...words].join(' · '),
    tooltip: tooltip(item),
    icon: new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color)),
    kind: 'queueItem',
    uri: vscode.Uri.file(file),
    accessibilityLabel: [name, plainLine(judged, LABEL), ...words].join(', '),
    command: { title: vscode.l10n.t('Open for Review'), command: commandId('reviewOpen'), arguments: [{ item }] },
  };
}

const two = (value: number): string => value.toFixed(2).replace('-', '−');

/** The regret is never told without what it rests on. */
function regretWords({ regret, facts }: QueueItem): string[] {
  if (regret === null) return [];
  return [regret.interval ? vscode.l10n.t('regret {0} ({1} to {2})', two(regret.value), two(regret.interval.lo), two(regret.interval.hi)) : vscode.l10n.t('regret {0}, n {1}', two(regret.value), facts.plays ?? '–')];
}

function likeWords({ copies, like }: QueueItem): string[] {
  const percent = (similarity: number): string => `${(similarity * 100).toFixed(0)} %`;
  return [
    ...(copies === null ? [] : [vscode.l10n.t('{0} near copies here', copies.keys.length - 1)]),
    ...(like !== null && like.similarity >= CLONE_SIMILARITY ? [vscode.l10n.t('{0} like one accepted or in the memory', percent(like.similarity))] : []),
  ];
}

function saidWords(said: readonly Decision[]): string {
  return said.map(({ reviewer, verdict }) => `${reviewer}: ${verdict}`).join(', ');
}

function tooltip(item: QueueItem): string {
  const { file, said, stale, disagreement, facts } = item;
  const line = ({ reviewer, verdict, reasons, comment, at }: Decision) => `${reviewer}: ${[verdict, ...reasons, ...(comment === '' ? [] : [comment])].join(', ')} (${at.slice(0, 10)})`;
  return [
    reviewName(file),
    verdictName(item.verdict),
    ...(facts.winRate === null ? [] : [vscode.l10n.t('win rate {0}, plays n {1}', two(facts.winRate), facts.plays ?? '–')]),
    ...(disagreement === null ? [] : [vscode.l10n.t('the arms ended differently on {0} of the seeds', `${(disagreement * 100).toFixed(0)} %`)]),
    ...said.map(line),
    ...stale.map((decision) => vscode.l10n.t('on an earlier text: {0}', line(decision))),
  ].map((words) => plainLine(words, 300)).join('\n');
}
