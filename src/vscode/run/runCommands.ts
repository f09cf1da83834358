import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { firstCodePoints } from '../../core/pythonText';
import { message } from '../../shared/message';
import type { CommandRegistry } from '../commands/register';
import type { ReadOnlyDocuments } from '../documents';
import type { Checks } from '../checks/feature';
import type { Interaction } from '../interaction';
import { plainLine } from '../../core/plainText';
import { className, isRecord, type MemoryRow } from '../trees/memoryTree';
import type { TreeNode } from '../trees/nodeTree';
import type { RunTree } from '../trees/runTree';
import { requireTrust } from '../trust';
import { checkGames, compareGames, filterRun, sortRun } from './gameCommands';
import { readLaunchFlags, type LaunchParts } from './launchCommand';
import { linkRun, type LinkParts } from './linkCommand';
import type { LinkedRun } from './linkedRun';
import { addLinkModule } from './linkModule';

/** What the commands around a linked run need. `pythonFolder` holds the link module. */
export interface RunCommandParts extends LinkParts, LaunchParts {
  readonly commands: CommandRegistry;
  readonly ports: LinkParts['ports'] & LaunchParts['ports'];
  readonly tree: RunTree;
  readonly checks: Checks;
  readonly documents: ReadOnlyDocuments;
  readonly pythonFolder: string;
}

/** Characters of a record that the designer reads. */
const READ_CHARS = 2000;

/** Link and its flags, browse games, open the memory's file and the ledger, look at a record, take one out. */
export function registerRunCommands(parts: RunCommandParts): Disposable {
  const { commands, run, tree, checks, interaction, documents } = parts;
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  on('linkRun', (folder) => linkRun(folder instanceof vscode.Uri ? folder : undefined, parts));
  on('readLaunchFlags', () => readLaunchFlags(parts));
  on('addLinkModule', () => addLinkModule(parts.pythonFolder, interaction));
  on('filterRun', () => filterRun(tree, interaction));
  on('clearRunFilter', () => tree.show({ filter: '' }));
  on('sortRun', () => sortRun(tree, interaction));
  on('checkGames', (node) => checkGames(node, tree, checks, interaction));
  on('compareGames', (node, nodes) => compareGames(node as TreeNode | undefined, nodes as readonly TreeNode[] | undefined, tree, interaction));
  on('showPushes', () => showPushes(run, documents));
  on('unlinkRun', () => run.unlink());
  on('refreshRun', () => run.refresh());
  on('openMemoryFile', (line) => openMemoryFile(run, typeof line === 'number' ? line : 1));
  on('showRecord', (node) => (isRecord(node) ? showRecord(documents, node.row) : undefined));
  on('removeRecord', (node) => (isRecord(node) ? removeRecord(run, interaction, node.row) : undefined));
  return owned;
}

/** `line` counts from 1. */
async function openMemoryFile(run: LinkedRun, line: number): Promise<void> {
  const folder = await run.folder();
  if (!folder) throw new EnvwrightError('run/none-linked', message('No training run is linked.'), message('Link the output folder of a run first.'));
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(folder.memoryFile), { selection: new vscode.Range(at, at) });
}

/** Every push, undo and receipt of the run, as JSON lines that can be saved under any name. */
async function showPushes(run: LinkedRun, documents: ReadOnlyDocuments): Promise<void> {
  const { ledger, run: folder } = await run.memory();
  const events = await ledger.events(folder.memoryFile);
  if (events.length === 0) throw new EnvwrightError('push/none', message('Nothing was pushed to this run from this workspace.'), message('Open an environment and push it.'));
  await documents.show('pushes.jsonl', events.map((event) => JSON.stringify(event)).join('\n'), 'json');
}

async function showRecord(documents: ReadOnlyDocuments, { entry, standing }: MemoryRow): Promise<void> {
  const read = firstCodePoints(entry.snippet ?? '', READ_CHARS);
  const facts = [
    `# ${plainLine(entry.gameFile ?? '–', 400)}`,
    `# ${className(standing.class)} · win rate ${entry.winRate ?? '–'} · regret ${entry.regret ?? '–'} · rollout ${entry.rolloutId ?? '–'}`,
    `# ${vscode.l10n.t('The designer would read these {0} characters:', [...read].length)}`,
    '',
  ];
  await documents.show(`record-${entry.index}.py`, [...facts, read].join('\n'), 'python');
}

async function removeRecord(run: LinkedRun, interaction: Interaction, { entry }: MemoryRow): Promise<string | undefined> {
  requireTrust();
  if (entry.gameFile === null) throw new EnvwrightError('memory/no-name', message('This record has no game file to name it by.'), message('Mend the memory file by hand.'));
  const isSure = await interaction.confirm({
    message: vscode.l10n.t('Remove this record from the memory?'),
    detail: vscode.l10n.t('{0}\nA backup of the file is kept. A prompt already drawn with it stays as it was.', plainLine(entry.gameFile, 400)),
    accept: vscode.l10n.t('Remove'),
  });
  if (!isSure) return undefined;
  const { state } = await (await run.memory()).remove(entry.gameFile);
  run.refresh();
  if (state === 'refused') {
    throw new EnvwrightError('run/live', message('The run is live: it would write its own memory over this change.'), message('Remove the record when the run has ended.'));
  }
  return state;
}
