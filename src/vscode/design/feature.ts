import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { FindingRef, findingAt } from '../checks/findingRef';
import type { CommandDocuments, CommandTarget } from '../commands/environmentDocument';
import type { CommandRegistry } from '../commands/register';
import { chooseModel } from '../models/chooseModel';
import { fillProfiles, showCosts } from '../models/profileCommands';
import { isDraft, type DraftNode } from '../trees/draftRows';
import { DraftsTree, isBatch } from '../trees/draftsTree';
import { Batches } from './batches';
import { design, remakeDraft, reviseDraft, streamDesign, type DesignParts } from './designer';
import { DraftViews } from './draftViews';
import type { KeptDraft } from './drafts';
import { compareHints } from './hintCompare';
import { writeAndEditHint, type HintParts } from './hintCommand';
import { PromptPanels, type PromptParts } from './promptPanel';
import { screenFile } from './screenCommand';

/** Designs and their prompts, drafts and batches, hints and the model screen. */
export function registerDesign(commands: CommandRegistry, targets: CommandDocuments, parts: DesignParts & HintParts & Omit<PromptParts, 'batches'>): Disposable & { readonly prompts: PromptPanels; readonly tree: DraftsTree } {
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  const document = (target: unknown) => targets.of(target as CommandTarget);
  const batches = owned.add(new Batches(parts));
  const views = owned.add(new DraftViews(parts.documents, parts.drafts));
  const prompts = owned.add(new PromptPanels({ ...parts, batches }));
  const tree = owned.add(new DraftsTree(parts.drafts, batches));
  on('design', () => design(parts));
  on('sendToDesigner', (ref) => mend(FindingRef.parse(ref), parts));
  on('showPrompt', () => prompts.show());
  on('fillProfiles', () => fillProfiles(parts));
  on('chooseModel', () => chooseModel(parts));
  on('showCosts', () => showCosts(parts));
  on('writeHint', async (target) => writeAndEditHint(await document(target), parts));
  on('compareHints', async (target) => compareHints(await document(target), parts));
  on('screenFile', async (target) => screenFile(await document(target), parts));
  on('designBatch', () => batches.begin());
  on('cancelBatch', (node) => (isBatch(node) ? batches.cancel(node.batch.id) : undefined));
  on('resumeBatch', (node) => (isBatch(node) ? batches.resume(node.batch.id) : undefined));
  on('discardBatch', (node) => (isBatch(node) ? batches.discard(node.batch.id) : undefined));
  const onDraft = (work: (node: Pick<DraftNode, 'kept' | 'attempt' | 'line'>) => unknown) => (node: unknown) => (isDraft(node) ? work(node) : undefined);
  on('showDraft', onDraft(({ kept, attempt, line }) => views.show(kept, attempt, line)));
  on('compareDrafts', onDraft(({ kept }) => views.compare(kept)));
  on('compareRepair', onDraft(({ kept, attempt }) => views.compare(kept, attempt)));
  on('reviseDraft', onDraft(({ kept }) => reviseDraft(parts, kept)));
  on('remakeDraft', onDraft(({ kept }) => remakeDraft(parts, kept)));
  on('discardDraft', onDraft(({ kept }) => parts.drafts.discard(kept.id)));
  return Object.assign(owned, { prompts, tree });
}

/** Has the designer mend a file, told of one finding alone; the draft opens beside it and the file stays as it is. A draft keeps its task. */
async function mend(ref: FindingRef, parts: DesignParts): Promise<KeptDraft | undefined> {
  const { uri, finding, report } = findingAt(parts.checks.store, parts.marks, ref);
  const code = (await vscode.workspace.openTextDocument(uri)).getText();
  const from = { code, report: { ...report, findings: [finding] } };
  const kept = parts.drafts.keptOf(code);
  return kept ? streamDesign(parts, { ...kept.options, from }) : design(parts, from);
}
