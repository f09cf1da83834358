import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { MemoryEntry, MemoryFile } from '../../core/memory/readMemory';
import type { Standing } from '../../core/memory/sampling';
import { baseName } from '../../core/run/paths';
import { shortName } from '../../core/run/runNames';
import type { MemoryClass } from '../../shared/memory';
import { commandId } from '../../shared/contributions';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';
import type { LinkedRun } from '../run/linkedRun';
import { NodeTree, type TreeNode } from './nodeTree';

/** A record of the memory with what the run can do with it. */
export interface MemoryRow {
  readonly entry: MemoryEntry;
  readonly standing: Standing;
}

/** A row of the view that stands for a record. */
export interface RecordNode extends TreeNode {
  readonly row: MemoryRow;
}

/** Longest text of the file in a row, in characters. */
const LABEL = 120;

const ICONS: Record<MemoryClass, readonly [icon: string, color?: string]> = {
  seed: ['circle-filled', 'charts.green'],
  'too-easy': ['triangle-up', 'charts.blue'],
  'too-hard': ['triangle-down', 'charts.blue'],
  'dead-zone': ['close'],
};

/** Tries to open the view at a record. */
const REVEALS = 3;

/** The memory of the linked run: its records by skill, the pool of seeds first. */
export class MemoryTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('memory', () => this.nodes()));

  constructor(private readonly run: LinkedRun) {
    this.owned.add(run.onDidChange(() => this.tree.refresh()));
  }

  /** The records with their standing, oldest first. @throws EnvwrightError for a memory that cannot be read. */
  async rows(): Promise<readonly MemoryRow[]> {
    const memory = await this.read();
    if (!memory) return [];
    const { standings } = await import('../../core/memory/sampling');
    const places = standings(memory.entries);
    return memory.entries.map((entry, index) => ({ entry, standing: places[index]! }));
  }

  /** Opens the view at the record of a game file; a view that changes all the time is left where it is. */
  async reveal(gameFile: string): Promise<void> {
    for (let attempt = 0; attempt < REVEALS; attempt += 1) {
      const record = await this.recordOf(gameFile);
      if (!record) return;
      try {
        return await this.tree.view.reveal(record, { select: true, focus: false });
      } catch {
        // The editor refuses a node of a view that was refreshed meanwhile, as it is by the very file that has just been written.
        continue;
      }
    }
  }

  private async recordOf(gameFile: string): Promise<TreeNode | undefined> {
    for (const skill of await this.tree.getChildren()) {
      const record = (await this.tree.getChildren(skill)).find((node) => isRecord(node) && node.row.entry.gameFile === gameFile);
      if (record) return record;
    }
    return undefined;
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Undefined when no run is linked, or it has written no memory yet. */
  private async read(): Promise<MemoryFile | undefined> {
    if (!(await this.run.folder())) return undefined;
    const text = await (await this.run.memory()).store.read();
    const { readMemory } = await import('../../core/memory/readMemory');
    return text === undefined ? undefined : readMemory(text);
  }

  private async nodes(): Promise<readonly TreeNode[]> {
    this.tree.view.description = '';
    this.tree.view.message = '';
    try {
      const memory = await this.read();
      if (!memory) return [];
      this.tree.view.description = memory.entries.length === 1 ? vscode.l10n.t('1 record') : vscode.l10n.t('{0} records', memory.entries.length);
      return skillNodes(memory, await this.rows());
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      this.tree.view.message = `${localize(error.what)} ${localize(error.next)}`;
      return [];
    }
  }
}

/** True for what the view hands to the commands of a record. */
export function isRecord(node: unknown): node is RecordNode {
  return typeof node === 'object' && node !== null && 'row' in node;
}

function skillNodes(memory: MemoryFile, rows: readonly MemoryRow[]): TreeNode[] {
  const bySkill = new Map<string, MemoryRow[]>();
  for (const row of rows) bySkill.set(row.entry.skill ?? '', [...(bySkill.get(row.entry.skill ?? '') ?? []), row]);
  const problems = memory.problems.map(
    ({ line, message: text, severity }, index): TreeNode => ({
      id: `problem ${index}`,
      label: vscode.l10n.t('Line {0}', line),
      description: localize(text),
      icon: new vscode.ThemeIcon(severity),
      command: { title: vscode.l10n.t('Open Memory File'), command: commandId('openMemoryFile'), arguments: [line] },
    }),
  );
  const skills = [...bySkill].sort(([a], [b]) => a.localeCompare(b)).map(
    ([skill, own]): TreeNode => ({
      id: `skill ${skill}`,
      label: skill === '' ? vscode.l10n.t('No skill') : plainLine(skill, LABEL),
      description: vscode.l10n.t(own.length === 1 ? '1 record · {1} in the pool' : '{0} records · {1} in the pool', own.length, own.filter(({ standing }) => standing.poolRank !== null).length),
      expanded: true,
      children: () => [...own].sort(byUse).map(recordNode),
    }),
  );
  return [...problems, ...skills];
}

/** The pool first, best first; then examples to avoid; then what is never drawn, the newest first. */
function byUse(a: MemoryRow, b: MemoryRow): number {
  const place = ({ standing }: MemoryRow) => standing.poolRank ?? (standing.odds > 0 ? 1e6 : 1e7);
  return place(a) - place(b) || b.entry.index - a.entry.index;
}

const figure = (value: number | null) => (value === null ? '–' : value.toFixed(2).replace('-', '−'));

function recordNode(row: MemoryRow): RecordNode {
  const { entry, standing } = row;
  const [icon, color] = ICONS[standing.class];
  const words = className(standing.class);
  const rank = standing.poolRank === null ? words : vscode.l10n.t('rank {0}', standing.poolRank);
  const description = vscode.l10n.t('win {0} · regret {1} · {2}', figure(entry.winRate), figure(entry.regret), rank);
  const name = plainLine(shortName(entry.gameFile), LABEL);
  return {
    row,
    id: `record ${entry.index}`,
    label: name,
    description,
    tooltip: [
      plainLine(baseName(entry.gameFile ?? '–'), LABEL),
      vscode.l10n.t('Class: {0}', words),
      vscode.l10n.t('Drawn for one prompt of its skill: {0} (exact)', `${(standing.odds * 100).toFixed(0)} %`),
      standing.evictedAfterAdds === 1 ? vscode.l10n.t('Evicted by the next record') : vscode.l10n.t('Evicted after {0} more records', standing.evictedAfterAdds),
      vscode.l10n.t('From rollout {0} · plays n –', entry.rolloutId ?? '–'),
    ].join('\n'),
    icon: new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color)),
    kind: 'record',
    accessibilityLabel: `${name}, ${words}, ${description}`,
    command: { title: vscode.l10n.t('Show What the Designer Reads'), command: commandId('showRecord'), arguments: [{ row }] },
  };
}

/** The use of a record, in words. */
export function className(kind: MemoryClass): string {
  switch (kind) {
    case 'seed': return vscode.l10n.t('seed');
    case 'too-easy': return vscode.l10n.t('too easy');
    case 'too-hard': return vscode.l10n.t('too hard');
    case 'dead-zone': return vscode.l10n.t('dead zone');
  }
}
