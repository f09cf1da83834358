import { DisposableStore, type Disposable } from '../../core/lifecycle';
import * as vscode from 'vscode';
import { FindingRef, findingAt } from '../checks/findingRef';
import type { KeptDraft } from './drafts';
import type { CommandDocuments, CommandTarget } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import { DraftsTree, isDraft, type DraftNode } from '../trees/draftsTree';
import { fillProfiles, showCosts } from '../models/profileCommands';
import { design, showPrompt, type DesignParts } from './designer';
import { writeAndEditHint, type HintParts } from './hintCommand';

/** Designs, prompts, hints and the drafts of this window. */
export function registerDesign(commands: CommandRegistry, targets: CommandDocuments, parts: DesignParts & HintParts): Disposable {
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  owned.add(new DraftsTree(parts.drafts));
  on('design', () => design(parts));
  on('sendToDesigner', (ref) => mend(FindingRef.parse(ref), parts));
  on('showPrompt', () => showPrompt(parts));
  on('fillProfiles', () => fillProfiles(parts));
  on('showCosts', () => showCosts(parts));
  on('writeHint', async (target) => writeAndEditHint(await targets.of(target as CommandTarget), parts));
  on('showDraft', (node) => (isDraft(node) ? showDraft(node, parts) : undefined));
  on('discardDraft', (node) => (isDraft(node) ? parts.drafts.discard(node.kept.id) : undefined));
  return owned;
}

/** Has the designer mend a file, told of one finding alone; the draft opens beside it and the file stays as it is. */
async function mend(ref: FindingRef, parts: DesignParts): Promise<KeptDraft | undefined> {
  const { uri, finding, report } = findingAt(parts.checks.store, ref);
  const code = (await vscode.workspace.openTextDocument(uri)).getText();
  return design(parts, { code, report: { ...report, findings: [finding] } });
}

/** Shows the editor of a draft while it is open, else the draft's text; an attempt beside what became of it. */
async function showDraft({ kept, attempt }: Pick<DraftNode, 'kept' | 'attempt'>, { documents }: DesignParts): Promise<void> {
  const code = attempt === undefined ? kept.draft.code : (kept.draft.attempts[attempt]?.code ?? '');
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === kept.uri);
  if (attempt === undefined && open) await vscode.window.showTextDocument(open);
  else await documents.show(`draft-${kept.id}${attempt === undefined ? '' : `-${attempt + 1}`}.py`, code, 'python');
}
