import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { BrowseChoice, BrowsedRun, GameFacts, GameOrder } from '../../core/run/browse';
import { baseName } from '../../core/run/paths';
import { setContext } from '../context';
import { localize } from '../localize';
import type { NodePorts } from '../nodePorts';
import { plainLine } from '../../core/plainText';
import type { GameFactsSource } from '../run/gameFacts';
import type { LinkedRun } from '../run/linkedRun';
import { draggablePython, NodeTree, type TreeNode } from './nodeTree';
import { browsedNodes, linkNode, livenessNode, settingsNode } from './runNodes';

/** How often the words about the run's pace are made anew while they can be seen, in milliseconds. */
const AGE_MS = 60_000;

/** The linked run: whether it is live, its games in play, its steps with the hints, its rejects with their reasons. */
export class RunTree implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly tree = this.owned.add(new NodeTree('run', () => this.rows(), { canSelectMany: true, dragAndDropController: draggablePython }));
  private choice: BrowseChoice = { filter: '', order: 'number' };

  constructor(
    private readonly run: LinkedRun,
    private readonly facts: GameFactsSource,
    private readonly ports: Pick<NodePorts, 'files'>,
  ) {
    this.owned.add(run.onDidChange(() => this.tree.refresh()));
    this.owned.add(facts.onDidChange(() => this.tree.refresh()));
    const ageing = setInterval(() => this.tree.view.visible && this.tree.refresh(), AGE_MS);
    this.owned.add({ dispose: () => clearInterval(ageing) });
  }

  get filter(): string {
    return this.choice.filter;
  }

  get order(): GameOrder {
    return this.choice.order;
  }

  /** Shows what holds all words of the filter; everything when it is empty. */
  show(choice: Partial<BrowseChoice>): void {
    this.choice = { ...this.choice, ...choice };
    setContext('runFiltered', this.choice.filter !== '');
    this.tree.refresh();
  }

  /** What the view shows now, and what is known of its games; undefined when no run is linked. @throws EnvwrightError for a folder that is no run. */
  async browsed(): Promise<(BrowsedRun & Pick<GameFacts, 'figures'>) | undefined> {
    const inventory = await this.run.inventory();
    if (!inventory) return undefined;
    const { browse } = await import('../../core/run/browse');
    const figures = await this.facts.figures();
    const verdicts = new Map([...this.facts.verdicts].map(([key, { verdict }]) => [key, verdict]));
    return { ...(await browse(inventory, { figures, verdicts }, this.choice)), figures };
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** The rows on top. */
  async rows(): Promise<readonly TreeNode[]> {
    const { view } = this.tree;
    view.message = '';
    view.description = '';
    try {
      const folder = await this.run.folder();
      const browsed = await this.browsed();
      if (!folder || !browsed) return [];
      view.description = baseName(folder.dir);
      view.message = this.filterWords(browsed.hidden);
      const [memory, settings, files] = [await this.run.memory(), await this.run.settings(), await this.ports.files()];
      const parts = { figures: browsed.figures, verdicts: this.facts.verdicts, readText: (path: string) => files.read(path).catch(() => undefined) };
      return [livenessNode(await memory.liveness()), settingsNode(settings), linkNode(await memory.link.alive()), ...browsedNodes(browsed, parts)];
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      view.message = `${localize(error.what)} ${localize(error.next)}`;
      return [];
    }
  }

  private filterWords(hidden: number): string {
    if (this.choice.filter === '') return '';
    return vscode.l10n.t('Filter: {0} ({1} hidden)', plainLine(this.choice.filter, 100), hidden);
  }
}
