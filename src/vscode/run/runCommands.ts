import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { firstCodePoints } from '../../core/pythonText';
import { message } from '../../shared/message';
import type { CommandRegistry } from '../commands/register';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import { plainLine } from '../plainText';
import { className, isRecord, type MemoryRow } from '../trees/memoryTree';
import { requireTrust } from '../trust';
import type { LinkedRun } from './linkedRun';

/** What the commands around a linked run need. */
export interface RunCommandParts {
  readonly commands: CommandRegistry;
  readonly run: LinkedRun;
  readonly interaction: Interaction;
  readonly documents: ReadOnlyDocuments;
}

/** Characters of a record that the designer reads. */
const READ_CHARS = 2000;

/** Link, unlink, refresh, open the memory's file, look at a record, take one out. */
export function registerRunCommands(parts: RunCommandParts): Disposable {
  const { commands, run, interaction, documents } = parts;
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  on('linkRun', (folder) => linkRun(run, interaction, folder instanceof vscode.Uri ? folder : undefined));
  on('unlinkRun', () => run.unlink());
  on('refreshRun', () => run.refresh());
  on('openMemoryFile', (line) => openMemoryFile(run, typeof line === 'number' ? line : 1));
  on('showRecord', (node) => (isRecord(node) ? showRecord(documents, node.row) : undefined));
  on('removeRecord', (node) => (isRecord(node) ? removeRecord(run, interaction, node.row) : undefined));
  return owned;
}

async function linkRun(run: LinkedRun, interaction: Interaction, given: vscode.Uri | undefined): Promise<string | undefined> {
  requireTrust();
  const folder = given ?? (await interaction.chooseFolder(vscode.l10n.t('Link This Run')));
  if (!folder) return undefined;
  const { dir } = await run.link(folder.fsPath);
  await vscode.commands.executeCommand('envwright.memory.focus');
  return dir;
}

/** `line` counts from 1. */
async function openMemoryFile(run: LinkedRun, line: number): Promise<void> {
  const folder = await run.folder();
  if (!folder) throw new EnvwrightError('run/none-linked', message('No training run is linked.'), message('Link the output folder of a run first.'));
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(folder.memoryFile), { selection: new vscode.Range(at, at) });
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
