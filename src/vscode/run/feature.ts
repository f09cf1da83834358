import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Checks } from '../checks/feature';
import type { CommandDocuments, CommandTarget } from '../commands/environmentDocument';
import { acceptAndPush } from '../commands/push';
import type { CommandRegistry } from '../commands/register';
import type { Drafts } from '../design/drafts';
import type { OpinionMarks } from '../design/opinionMarks';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import type { EditorLog } from '../log';
import type { NodePorts } from '../nodePorts';
import { MemoryPanels } from '../panels/memoryPanels';
import { PushPanels } from '../panels/pushPanel';
import type { PlayResults } from '../play/playResults';
import { MemoryTree } from '../trees/memoryTree';
import { RunTree } from '../trees/runTree';
import { CutMarks } from './cutMarks';
import { GameFactsSource } from './gameFacts';
import type { LinkedRun } from './linkedRun';
import { registerRunCommands } from './runCommands';

/** What the views and commands of a linked run need. */
export interface RunFeatureParts {
  readonly run: LinkedRun;
  readonly ports: NodePorts;
  readonly commands: CommandRegistry;
  readonly targets: CommandDocuments;
  readonly checks: Checks;
  readonly results: PlayResults;
  readonly drafts: Drafts;
  readonly marks: OpinionMarks;
  readonly documents: ReadOnlyDocuments;
  readonly interaction: Interaction;
  readonly log: EditorLog;
  readonly extension: vscode.Uri;
}

/** A linked run in the editor: its views, its memory, and pushes into it. */
export class RunFeature implements Disposable {
  private readonly owned = new DisposableStore();
  readonly memory: MemoryTree;
  readonly games: RunTree;
  readonly memoryPanels: MemoryPanels;
  readonly pushPanels: PushPanels;
  readonly cutMarks: CutMarks;

  constructor(parts: RunFeatureParts) {
    const { run, ports, commands, targets, checks, results, drafts, marks, documents, interaction, log, extension } = parts;
    const files = () => ports.files();
    this.memory = this.owned.add(new MemoryTree(run));
    this.games = this.owned.add(new RunTree(run, this.owned.add(new GameFactsSource(run, checks.store, results)), ports));
    this.memoryPanels = this.owned.add(new MemoryPanels({
      extension, run, tree: this.memory, documents, files, now: () => ports.clock.now(), onDefect: (error) => log.error('The memory view met a defect.', error),
    }));
    const pushParts = { checks, results, run, tree: this.memory, interaction, drafts, marks, documents, files, showMemory: (push: string | null) => this.memoryPanels.show(push ?? undefined) };
    this.pushPanels = this.owned.add(new PushPanels(extension, pushParts, (error) => log.error('The page of a push met a defect.', error)));
    this.cutMarks = this.owned.add(new CutMarks(checks.store, run));
    this.owned.add(registerRunCommands({
      commands, run, tree: this.games, checks, interaction, documents, ports, pythonFolder: vscode.Uri.joinPath(extension, 'dist', 'python').fsPath,
    }));
    this.owned.add(commands.register('openMemory', () => this.memoryPanels.show()));
    this.owned.add(commands.register('push', async (target: CommandTarget) => acceptAndPush(await targets.of(target), pushParts)));
  }

  dispose(): void {
    this.owned.dispose();
  }
}
