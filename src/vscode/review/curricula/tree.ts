import * as vscode from 'vscode';
import { groupBy } from '../../../core/collections';
import { DisposableStore, type Disposable } from '../../../core/lifecycle';
import { jointVerdict, type DecisionVerdict } from '../../../core/review/decision';
import { winRateBand, type Curriculum, type CurriculumEntry } from '../../../core/review/curriculum';
import { moveEntries, withEntries } from '../../../core/review/curriculumStore';
import { shortName } from '../../../core/run/runNames';
import { localize } from '../../localize';
import { plainLine } from '../../../core/plainText';
import { NodeTree, type TreeNode } from '../../trees/nodeTree';
import { DRAGGED_FILES, isQueueNode } from '../reviewTree';
import type { ReviewSession } from '../session';
import { decisionName } from '../words';
import type { Sets } from './sets';

const LABEL = 120;
/** Type of what is dragged within the view. */
const DRAGGED = 'application/vnd.code.tree.envwright.curricula';

/** A row that stands for a curriculum. */
export interface SetNode extends TreeNode {
  readonly curriculum: Curriculum;
}

/** A row that stands for an entry of one. */
export interface EntryNode extends TreeNode {
  readonly set: string;
  readonly entry: CurriculumEntry;
  readonly at: number;
}

/** True for the row of a set. */
export function isSet(node: unknown): node is SetNode {
  return typeof node === 'object' && node !== null && 'curriculum' in node;
}

/** True for the row of an environment in a set. */
export function isEntry(node: unknown): node is EntryNode {
  return typeof node === 'object' && node !== null && 'entry' in node && 'set' in node;
}

/** The curricula with their environments in order; rows can be dragged to another place, and files into a set. */
export class CurriculaTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree: NodeTree;

  constructor(private readonly sets: Sets, private readonly session: ReviewSession, private readonly add: (name: string, files: readonly vscode.Uri[], at: number) => Promise<void>, onError: (error: unknown) => void) {
    this.tree = this.owned.add(new NodeTree('curricula', () => this.nodes(), {
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: [DRAGGED],
        dropMimeTypes: [DRAGGED, DRAGGED_FILES, 'text/uri-list'],
        handleDrag: (nodes, data) => this.drag(nodes, data),
        handleDrop: (target, data) => this.drop(target, data).catch(onError),
      },
    }));
    this.owned.add(sets.onDidChange(() => this.tree.refresh()));
    this.owned.add(session.onDidChange(() => this.tree.refresh()));
  }

  /** The chosen rows. */
  get selection(): readonly TreeNode[] {
    return this.tree.view.selection;
  }

  /** The curricula with their entries, as the view shows them. */
  rows(node?: TreeNode): Promise<TreeNode[]> {
    return this.tree.getChildren(node);
  }

  /** Takes entries along. */
  drag(nodes: readonly TreeNode[], data: vscode.DataTransfer): void {
    data.set(DRAGGED, new vscode.DataTransferItem(nodes.filter(isEntry)));
  }

  /** Puts what is dragged before the entry that it is dropped on, or at the end of a set: its entries, copies of those of another, files of the queue or of the explorer. */
  async drop(target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const name = isSet(target) ? target.curriculum.name : isEntry(target) ? target.set : undefined;
    if (name === undefined) return;
    const at = isEntry(target) ? target.at : isSet(target) ? target.curriculum.entries.length : 0;
    const dragged = data.get(DRAGGED)?.value as unknown;
    if (Array.isArray(dragged) && dragged.length > 0) {
      const [own, others] = [dragged.filter(isEntry).filter(({ set }) => set === name), dragged.filter(isEntry).filter(({ set }) => set !== name)];
      return this.sets.change(name, (entries) => withEntries(moveEntries(entries, new Set(own.map(({ entry }) => entry.contentHash)), at), others.map(({ entry }) => entry), at));
    }
    const rows = data.get(DRAGGED_FILES)?.value as unknown;
    const files = Array.isArray(rows) ? rows.filter(isQueueNode).map(({ item }) => vscode.Uri.file(item.file)) : [];
    const listed = (await data.get('text/uri-list')?.asString())?.split(/\r?\n/).filter((line) => line.trim() !== '').map((line) => vscode.Uri.parse(line)) ?? [];
    await this.add(name, files.length > 0 ? files : listed, at);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async nodes(): Promise<readonly TreeNode[]> {
    const { all, problems } = await this.sets.load();
    const said = groupBy(this.session.reviews.decisions, ({ contentHash }) => contentHash);
    const verdictOf = (hash: string) => jointVerdict(said.get(hash) ?? []);
    return [
      ...problems.map((problem, index): TreeNode => ({ id: `problem ${index}`, label: plainLine(localize(problem.what), LABEL), tooltip: localize(problem.next), icon: new vscode.ThemeIcon('error') })),
      ...all.map((curriculum) => setNode(curriculum, (hash) => this.sourceOf(hash), verdictOf)),
    ];
  }

  private sourceOf(hash: string): vscode.Uri | undefined {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    return root && vscode.Uri.joinPath(root, '.envwright', 'sources', `${hash}.py`);
  }
}

function setNode(curriculum: Curriculum, sourceOf: (hash: string) => vscode.Uri | undefined, verdictOf: (hash: string) => DecisionVerdict | null): SetNode {
  const { name, entries } = curriculum;
  const played = entries.filter(({ outcome }) => outcome !== null).length;
  return {
    curriculum,
    id: `set ${name}`,
    label: plainLine(name, LABEL),
    description: entries.length === 0 ? vscode.l10n.t('empty: drag files here') : entries.length === 1 ? vscode.l10n.t('1 environment · {0} played', played) : vscode.l10n.t('{0} environments · {1} played', entries.length, played),
    icon: new vscode.ThemeIcon('list-ordered'),
    kind: 'curriculum',
    expanded: true,
    children: () => entries.map((entry, at) => entryNode(name, entry, at, sourceOf(entry.contentHash), verdictOf(entry.contentHash))),
  };
}

function entryNode(set: string, entry: CurriculumEntry, at: number, source: vscode.Uri | undefined, verdict: DecisionVerdict | null): EntryNode {
  const { outcome, skill, difficulty, hint, note, file } = entry;
  const use = winRateBand(outcome?.winRate ?? null);
  const words = [
    outcome === null ? vscode.l10n.t('not played') : vscode.l10n.t('win {0}, n {1}{2}', outcome.winRate.toFixed(2), outcome.plays ?? '–', outcome.simulated ? vscode.l10n.t(', no model') : ''),
    skill, ...(difficulty === null ? [] : [difficulty]),
    ...(verdict === 'accept' ? [] : [verdict === null ? vscode.l10n.t('not accepted yet') : decisionName(verdict)]),
  ].map((word) => plainLine(word, LABEL));
  return {
    set, entry, at,
    id: `entry ${set} ${entry.contentHash}`,
    label: `${at + 1}. ${plainLine(shortName(file), LABEL)}`,
    description: words.join(' · '),
    tooltip: [file, ...(hint === null ? [vscode.l10n.t('no hint')] : [vscode.l10n.t('hint: {0}', hint)]), ...(note === '' ? [] : [note])].map((line) => plainLine(line, 300)).join('\n'),
    icon: new vscode.ThemeIcon(use === 'not-played' ? 'circle-outline' : use === 'seed' ? 'circle-filled' : use === 'too-easy' ? 'triangle-up' : use === 'too-hard' ? 'triangle-down' : 'close'),
    kind: 'curriculumEntry',
    ...(source && { command: { title: vscode.l10n.t('Open'), command: 'vscode.open', arguments: [source, { preview: true }] } }),
  };
}
