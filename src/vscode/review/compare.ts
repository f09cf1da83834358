import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { QueueItem } from '../../core/review/reviewQueue';
import { baseName } from '../../core/run/paths';
import { message } from '../../shared/message';
import type { ReadOnlyDocuments } from '../documents';
import { BACK, type Choice, type Interaction } from '../interaction';
import type { Likeness } from './likeness';
import type { ReviewSession } from './session';

/** One text that a file can be compared with. */
interface Other {
  readonly label: string;
  readonly uri: vscode.Uri;
}

/** Shows what a file and its near copies differ in: copies in the queue, what was accepted, what the memory holds. Gives what was compared. */
export async function compareWithCopies(item: QueueItem, session: ReviewSession, likeness: Likeness, interaction: Interaction, documents: ReadOnlyDocuments): Promise<string | undefined> {
  const choices = choicesOf(item, session, likeness, documents);
  if (choices.length === 0) {
    throw new EnvwrightError('review/no-copies', message('{file} is like no other file under review, none that was accepted and none in the memory.', { file: baseName(item.file) }), message('Nothing is to be compared. Go on.'));
  }
  const other = choices.length === 1 ? choices[0]!.value : await interaction.pick({ title: vscode.l10n.t('Compare {0} With', baseName(item.file)), choices });
  if (other === undefined || other === BACK) return undefined;
  await vscode.commands.executeCommand('vscode.diff', other.uri, vscode.Uri.file(item.file), vscode.l10n.t('{0} ↔ {1}', other.label, baseName(item.file)), { preview: true, preserveFocus: true });
  return other.label;
}

function choicesOf({ contentHash, copies, like }: QueueItem, session: ReviewSession, likeness: Likeness, documents: ReadOnlyDocuments): Choice<Other>[] {
  const percent = (similarity: number): string => vscode.l10n.t('{0} alike by structure', `${(similarity * 100).toFixed(0)} %`);
  const inQueue = (copies?.keys ?? []).filter((key) => key !== contentHash).flatMap((key): Choice<Other>[] => {
    const [file] = session.filesOf(key);
    return file === undefined ? [] : [{ label: baseName(file), description: copies ? percent(copies.similarity) : '', detail: vscode.l10n.t('under review, too'), value: { label: baseName(file), uri: vscode.Uri.file(file) } }];
  });
  const known = like === null ? undefined : likeness.knownAt(like.key);
  if (!like || !known) return inQueue;
  const uri = documents.keep(`compared/${like.key.replace(/[^\w]+/g, '-')}.py`, known.text);
  return [...inQueue, { label: known.label, description: percent(like.similarity), value: { label: known.label, uri } }];
}
