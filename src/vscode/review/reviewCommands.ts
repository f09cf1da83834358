import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { DecisionVerdict } from '../../core/review/decision';
import type { QueueFilter } from '../../core/review/queue';
import type { QueueItem, QueueShow } from '../../core/review/reviewQueue';
import { viewId } from '../../shared/contributions';
import { Verdict } from '../../shared/findings';
import { message } from '../../shared/message';
import type { CommandRegistry } from '../commands/register';
import type { Drafts } from '../design/drafts';
import type { ReadOnlyDocuments } from '../documents';
import { BACK, type Interaction } from '../interaction';
import { withProgress } from '../progress';
import type { LinkedRun } from '../run/linkedRun';
import { compareWithCopies } from './compare';
import { decide } from './decide';
import type { Likeness } from './likeness';
import type { QueueChecks } from './queueChecks';
import { isQueueNode, type ReviewTree } from './reviewTree';
import type { ReviewSession } from './session';
import type { ReviewSource } from './source';
import { reviewReport } from './summaryPage';
import { decisionName, verdictName } from './words';

/** What the commands of the review work with. */
export interface ReviewCommandParts {
  readonly commands: CommandRegistry;
  readonly session: ReviewSession;
  readonly tree: ReviewTree;
  readonly checks: QueueChecks;
  /** Looks for what is known of the files, in the background. */
  readonly begun: () => void;
  readonly likeness: Likeness;
  readonly interaction: Interaction;
  readonly documents: ReadOnlyDocuments;
  readonly run: LinkedRun;
  readonly drafts: Drafts;
}

/** Starting a review, going through it with one key each, and looking at where it stands. */
export function registerReviewCommands(parts: ReviewCommandParts): Disposable {
  const { commands, session, tree, interaction, documents, likeness, checks } = parts;
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));

  // Keys are pressed in the list, which keeps the focus by itself; taken once more, it would be taken from the question that a quick key has asked.
  const open = async (item: QueueItem, focus = false): Promise<QueueItem> => {
    session.current = item.file;
    await vscode.window.showTextDocument(vscode.Uri.file(item.file), { preview: true, preserveFocus: true });
    await tree.reveal(item, focus);
    return item;
  };
  const next = async (focus = false): Promise<QueueItem | undefined> => {
    const item = session.next();
    if (item) return open(item, focus);
    session.startOver();
    session.current = undefined;
    void interaction.notice({ severity: 'info', message: vscode.l10n.t('No file is left that you have not looked at. Files that you passed over come again with Next.'), actions: [] });
    return undefined;
  };
  // Keys may come faster than a file opens: each waits until the one before has led to its file, and means that file.
  let settled: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = settled.then(work);
    settled = done.catch(() => undefined);
    return done;
  };
  const decideOn = (verdict: DecisionVerdict) => async (target: unknown): Promise<string | undefined> => {
    const chosen = () => itemOf(target, parts);
    const decided = async (item: QueueItem) => ((await decide(item, verdict, session, interaction)) ? item.file : undefined);
    if (verdict === 'accept') {
      return inTurn(async () => {
        const file = await decided(chosen());
        if (file !== undefined) await next();
        return file;
      });
    }
    // A question may stand for long: other keys do not wait for its answer.
    const file = await decided(await inTurn(chosen));
    if (file !== undefined) await inTurn(() => next());
    return file;
  };

  on('startReview', async (target) => {
    const source = target instanceof vscode.Uri ? ({ kind: 'folder', path: target.fsPath } as const) : await askSource(parts);
    if (!source) return undefined;
    await withProgress(vscode.l10n.t('Envwright: reading the files to review'), (signal) => session.start(source, signal));
    await vscode.commands.executeCommand(`${viewId('review')}.focus`);
    parts.begun();
    await inTurn(() => next(true));
    return session.all().length;
  });
  on('checkReview', () => checks.check());
  on('reviewOpen', (target) => inTurn(() => open(itemOf(target, parts))));
  on('reviewNext', () => inTurn(() => next()));
  on('reviewAccept', decideOn('accept'));
  on('reviewReject', decideOn('reject'));
  on('reviewNeedsWork', decideOn('needs-work'));
  on('reviewUndo', () => inTurn(async () => {
    const decision = await session.takeBack();
    if (!decision) throw new EnvwrightError('review/nothing-made', message('Nothing was decided in this window yet.'), message('Earlier decisions are changed by deciding again.'));
    const item = session.all().find(({ contentHash }) => contentHash === decision.contentHash);
    if (item) await open(item);
    return decisionName(decision.verdict);
  }));
  on('reviewPlay', (target) => vscode.commands.executeCommand('envwright.play', vscode.Uri.file(itemOf(target, parts).file)));
  on('reviewPush', (target) => vscode.commands.executeCommand('envwright.push', vscode.Uri.file(itemOf(target, parts).file)));
  on('reviewCompare', (target) => compareWithCopies(itemOf(target, parts), session, likeness, interaction, documents));
  on('reviewScroll', () => scroll(1));
  on('reviewScrollBack', () => scroll(-1));
  on('filterReview', () => askFilter(session, interaction));
  on('clearReviewFilter', () => session.setFilter({}));
  on('showReviewed', () => askShow(session, interaction));
  on('reviewSummary', async () => {
    await session.loadReviews();
    const report = reviewReport(session);
    await documents.showRendered('Review summary.md', report);
    return report;
  });
  on('endReview', () => session.end());
  return owned;
}

/** The file of a row, else the one chosen or open. @throws EnvwrightError `review/none-chosen`. */
function itemOf(target: unknown, { session, tree }: Pick<ReviewCommandParts, 'session' | 'tree'>): QueueItem {
  const item = isQueueNode(target) ? session.item(target.item.file) : tree.chosen;
  if (item) return item;
  throw new EnvwrightError('review/none-chosen', message('No file is chosen in the review.'), message('Choose one in the list, or go to the next.'));
}

async function askSource({ interaction, run, drafts }: ReviewCommandParts): Promise<ReviewSource | undefined> {
  await drafts.load();
  const linked = run.path !== '';
  const made = drafts.all.length;
  const source = await interaction.pick<ReviewSource | 'folder'>({
    title: vscode.l10n.t('Review'),
    placeholder: vscode.l10n.t('Where are the files to review?'),
    choices: [
      ...(linked ? [{ label: vscode.l10n.t('Games of the Linked Run'), detail: run.path, value: { kind: 'run' as const } }] : []),
      ...(made > 0 ? [{ label: vscode.l10n.t('Drafts'), detail: vscode.l10n.t('All {0} designs of this workspace', made), value: { kind: 'drafts' as const, batch: null } }] : []),
      ...drafts.batches.map(({ id, tasks, at }) => ({ label: vscode.l10n.t('Batch of {0} Drafts', tasks.length), detail: new Date(at).toLocaleString(), value: { kind: 'drafts' as const, batch: id } })),
      ...(vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ label: vscode.l10n.t('Folder {0}', name), detail: uri.fsPath, value: { kind: 'folder' as const, path: uri.fsPath } })),
      { label: vscode.l10n.t('Another Folder…'), value: 'folder' as const },
    ],
  });
  if (source === BACK || source === undefined) return undefined;
  if (source !== 'folder') return source;
  const folder = await interaction.chooseFolder(vscode.l10n.t('Review This Folder'));
  return folder && { kind: 'folder', path: folder.fsPath };
}

/** Scrolls the file that is open for review by most of a screen, without leaving the list. */
function scroll(direction: 1 | -1): void {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  const seen = editor?.visibleRanges[0];
  if (!editor || !seen) return;
  const lines = Math.max(1, seen.end.line - seen.start.line - 2);
  const top = Math.min(Math.max(0, seen.start.line + direction * lines), editor.document.lineCount - 1);
  editor.revealRange(new vscode.Range(top, 0, top, 0), vscode.TextEditorRevealType.AtTop);
}

async function askFilter(session: ReviewSession, interaction: Interaction): Promise<QueueFilter | undefined> {
  const items = session.all();
  const count = (test: (item: QueueItem) => boolean): string => String(items.filter(test).length);
  const skills = [...new Set(items.flatMap(({ skill }) => skill ?? []))].sort();
  const { filter } = session;
  type Part = { readonly verdict: Verdict | null } | { readonly skill: string } | { readonly name: true };
  const chosen = await interaction.pickMany<Part>({
    title: vscode.l10n.t('Show Only'),
    placeholder: vscode.l10n.t('Verdicts and skills; nothing chosen shows all'),
    choices: [
      ...[...Verdict.options, null].map((verdict) => ({ label: verdictName(verdict), description: count((item) => item.verdict === verdict), picked: filter.verdicts?.includes(verdict) ?? false, value: { verdict } })),
      ...skills.map((skill) => ({ label: skill, description: count((item) => item.skill === skill), picked: filter.skills?.includes(skill) ?? false, value: { skill } })),
      { label: vscode.l10n.t('Part of the Name…'), picked: filter.text !== undefined, value: { name: true as const } },
    ],
  });
  if (!chosen) return undefined;
  const verdicts = chosen.flatMap((part) => ('verdict' in part ? [part.verdict] : []));
  const wanted = chosen.flatMap((part) => ('skill' in part ? [part.skill] : []));
  const text = chosen.some((part) => 'name' in part)
    ? (await interaction.input({ title: vscode.l10n.t('Show Only'), prompt: vscode.l10n.t('Part of the file’s name, any case'), value: filter.text ?? '' }))?.trim()
    : undefined;
  session.setFilter({ ...(verdicts.length > 0 && { verdicts }), ...(wanted.length > 0 && { skills: wanted }), ...(text && { text }) });
  return session.filter;
}

async function askShow(session: ReviewSession, interaction: Interaction): Promise<QueueShow | undefined> {
  const show = await interaction.pick<QueueShow>({
    title: vscode.l10n.t('Which Files Are Shown'),
    choices: [
      { label: vscode.l10n.t('Nobody Has Decided On'), value: 'open' },
      { label: vscode.l10n.t('I Have Not Decided On'), detail: vscode.l10n.t('Also those that others decided on: so that agreement can be seen'), value: 'mine' },
      { label: vscode.l10n.t('All'), detail: vscode.l10n.t('Also those that are decided, with what was said'), value: 'all' },
    ],
  });
  if (show === undefined || show === BACK) return undefined;
  session.show = show;
  return show;
}
