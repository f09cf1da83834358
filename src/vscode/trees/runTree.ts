import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { RunGame, RunInventory, RunReject, RunStep } from '../../core/run/inventory';
import type { Liveness } from '../../core/run/liveness';
import { baseName, stem } from '../../core/run/paths';
import { localize } from '../localize';
import type { NodePorts } from '../nodePorts';
import { plainLine } from '../plainText';
import type { LinkedRun } from '../run/linkedRun';
import { NodeTree, type TreeNode } from './nodeTree';

/** Rows under one parent: a folder of a run may hold tens of thousands of files. */
const PAGE = 500;
const LINE = 200;

/** The linked run: whether it is live, its games in play, its steps with the hints, its rejects with their reasons. */
export class RunTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('run', () => this.nodes()));

  constructor(
    private readonly run: LinkedRun,
    private readonly ports: Pick<NodePorts, 'files'>,
  ) {
    this.owned.add(run.onDidChange(() => this.tree.refresh()));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async nodes(): Promise<readonly TreeNode[]> {
    this.tree.view.message = '';
    this.tree.view.description = '';
    try {
      const folder = await this.run.folder();
      if (!folder) return [];
      this.tree.view.description = baseName(folder.dir);
      const { takeInventory } = await import('../../core/run/inventory');
      const inventory = await takeInventory(await this.ports.files(), folder);
      return [livenessNode(await (await this.run.memory()).liveness()), ...inventoryNodes(inventory)];
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      this.tree.view.message = `${localize(error.what)} ${localize(error.next)}`;
      return [];
    }
  }
}

function livenessNode({ state, why }: Liveness): TreeNode {
  const shown = {
    'not-started': [vscode.l10n.t('Not started'), 'circle-outline'],
    live: [vscode.l10n.t('Live'), 'pulse'],
    stopped: [vscode.l10n.t('Stopped'), 'primitive-square'],
  } as const;
  const [label, icon] = shown[state];
  return { id: 'liveness', label, description: localize(why), tooltip: localize(why), icon: new vscode.ThemeIcon(icon) };
}

function inventoryNodes({ games, rejects, steps }: RunInventory): TreeNode[] {
  const inPlay = games.filter((game) => game.inPlay);
  return [
    group('games', vscode.l10n.t('Games in play'), inPlay.length, () => inPlay.map((game) => gameNode('play', game)), true),
    group('steps', vscode.l10n.t('Steps'), steps.length, () => [...steps].reverse().map((step) => stepNode(step, games))),
    group('rejects', vscode.l10n.t('Rejects'), rejects.length, () => rejects.map(rejectNode)),
  ];
}

function group(id: string, label: string, count: number, children: () => readonly TreeNode[], expanded = false): TreeNode {
  return { id, label, description: String(count), expanded, children: () => page(id, children()) };
}

/** The first rows, and a row that gives the next ones. */
function page(id: string, nodes: readonly TreeNode[], from = 0): readonly TreeNode[] {
  const rest = nodes.length - from - PAGE;
  const shown = nodes.slice(from, from + PAGE);
  if (rest <= 0) return shown;
  return [...shown, { id: `${id} from ${from + PAGE}`, label: vscode.l10n.t('{0} more', rest), children: () => page(id, nodes, from + PAGE) }];
}

function stepNode({ rollout, folder }: RunStep, games: readonly RunGame[]): TreeNode {
  const own = games.filter((game) => game.rollout === rollout);
  const id = `step ${folder}`;
  return { id, label: vscode.l10n.t('Rollout {0}', rollout), description: vscode.l10n.t('{0} games', own.length), children: () => page(id, own.map((game) => gameNode(id, game))) };
}

function gameNode(parent: string, { file, slug, hint }: RunGame): TreeNode {
  const hints = hint === null ? [] : [{ id: `${parent} ${hint}`, label: vscode.l10n.t('Hint'), icon: new vscode.ThemeIcon('lightbulb'), uri: vscode.Uri.file(hint) }];
  const uri = vscode.Uri.file(file);
  return {
    id: `${parent} ${file}`,
    label: plainLine(stem(file).replace(`_${slug}`, ''), LINE),
    description: plainLine(slug.replaceAll('_', ' '), LINE),
    icon: new vscode.ThemeIcon('file-code'),
    kind: 'game',
    uri,
    command: { title: vscode.l10n.t('Open'), command: 'vscode.open', arguments: [uri] },
    ...(hints.length > 0 && { children: () => hints }),
  };
}

function rejectNode({ file, stage, reason }: RunReject): TreeNode {
  const why = reason === null ? vscode.l10n.t('no reason given') : plainLine(reason, LINE);
  return {
    id: `reject ${file}`,
    label: plainLine(stem(file), LINE),
    description: `${plainLine(stage, LINE)} · ${why}`,
    tooltip: why,
    icon: new vscode.ThemeIcon('error'),
    uri: vscode.Uri.file(file),
  };
}
