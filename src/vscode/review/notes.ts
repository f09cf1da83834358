import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { contentHash } from '../../core/checks/suppression';
import { mayBeEnvironment } from '../../core/environment/looksLikeEnvironment';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Clock } from '../../core/ports';
import { anchorNote, findAnchor } from '../../core/review/anchor';
import type { ReviewNote } from '../../core/review/decision';
import { NOTE_CONTROLLER } from '../../shared/contributionsReview';
import type { CommandRegistry } from '../commands/register';
import type { Interaction } from '../interaction';
import { plainLines } from '../../core/plainText';
import { requireReviewer, reviewerName } from './reviewer';
import type { ReviewSession } from './session';
import { reviewName } from './workspace';

/** Pause in typing before notes look for their lines again, in milliseconds. */
const FOLLOW_MS = 250;
const BODY = 20_000;

/** A note as a comment of the editor. */
interface NoteComment extends vscode.Comment {
  readonly kept: ReviewNote;
  readonly thread: vscode.CommentThread;
}

/** Notes on lines as comment threads of the editor; they follow their lines through edits. */
export class Notes implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly controller = vscode.comments.createCommentController(NOTE_CONTROLLER, vscode.l10n.t('Envwright Review Notes'));
  /** Threads by document, and within by the note that began them. */
  private readonly threads = new Map<string, Map<string, vscode.CommentThread>>();
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly session: ReviewSession, commands: CommandRegistry, private readonly interaction: Interaction, private readonly clock: Clock, private readonly onDefect: (error: unknown) => void) {
    this.controller.options = { prompt: vscode.l10n.t('A note on this line'), placeHolder: vscode.l10n.t('What should change here, or what is good') };
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => (hasNotes(document) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : []),
    };
    const add = (item: vscode.Disposable) => this.owned.add(item);
    add(this.controller);
    add(commands.register('saveNote', (reply: vscode.CommentReply) => this.save(reply)));
    add(commands.register('removeNote', (comment: NoteComment) => this.remove(comment)));
    add(vscode.workspace.onDidOpenTextDocument((document) => this.follow(document)));
    add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.drop(uri.toString())));
    add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.later(document)));
    this.owned.add(session.onDidChange(() => this.showAll()));
    this.showAll();
  }

  /** The threads of a document with their lines, from 0. */
  threadsOf(uri: vscode.Uri): readonly vscode.CommentThread[] {
    return [...(this.threads.get(uri.toString())?.values() ?? [])];
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.owned.dispose();
  }

  /** Keeps a note: the first of a new thread, or an answer. */
  async save({ thread, text }: vscode.CommentReply): Promise<ReviewNote> {
    const reviewer = await requireReviewer(this.interaction);
    const document = await vscode.workspace.openTextDocument(thread.uri);
    const content = document.getText();
    const [first] = thread.comments as readonly NoteComment[];
    const line = (thread.range?.end.line ?? 0) + 1;
    const note: ReviewNote = {
      version: 1, id: randomUUID(), contentHash: await contentHash(content), file: reviewName(document.uri.fsPath), reviewer,
      note: anchorNote(content, line, text, new Date(this.clock.now()).toISOString()), answers: first?.kept.id ?? null,
    };
    await (await this.session.stores()).reviews.addNote(note);
    // The thread that the editor made gives way to the one that shows what is on disk.
    if (!first) thread.dispose();
    await this.session.loadReviews();
    return note;
  }

  private async remove({ kept }: NoteComment): Promise<void> {
    await (await this.session.stores()).reviews.removeNote(kept);
    await this.session.loadReviews();
  }

  private showAll(): void {
    for (const document of vscode.workspace.textDocuments) this.follow(document);
  }

  private later(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!hasNotes(document)) return;
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => this.follow(document), FOLLOW_MS));
  }

  private follow(document: vscode.TextDocument): void {
    if (hasNotes(document)) this.show(document).catch((error: unknown) => this.onDefect(error));
  }

  private async show(document: vscode.TextDocument): Promise<void> {
    const { notes } = this.session.reviews;
    const key = document.uri.toString();
    if (notes.length === 0 && !this.threads.has(key)) return;
    const [text, name] = [document.getText(), reviewName(document.uri.fsPath)];
    const hash = await contentHash(text);
    const own = notes.filter((note) => note.file === name || note.contentHash === hash);
    const begins = own.filter(({ answers }) => answers === null || !own.some(({ id }) => id === answers));
    const shown = this.threads.get(key) ?? new Map<string, vscode.CommentThread>();
    for (const [id, thread] of shown) {
      if (begins.some((note) => note.id === id)) continue;
      thread.dispose();
      shown.delete(id);
    }
    for (const begin of begins) {
      const { line, exact } = findAnchor(text, begin.note);
      const at = new vscode.Range(line - 1, 0, line - 1, 0);
      const thread = shown.get(begin.id) ?? this.controller.createCommentThread(document.uri, at, []);
      if (!thread.range?.isEqual(at)) thread.range = at;
      const label = exact ? '' : vscode.l10n.t('The line has changed since this was written');
      if ((thread.label ?? '') !== label) thread.label = label;
      const said = [begin, ...own.filter(({ answers }) => answers === begin.id)].sort((a, b) => (a.note.at < b.note.at ? -1 : 1));
      if (said.map(({ id }) => id).join() !== (thread.comments as readonly NoteComment[]).map(({ kept }) => kept.id).join()) thread.comments = said.map((note) => commentOf(note, thread));
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      shown.set(begin.id, thread);
    }
    this.threads.set(key, shown);
  }

  private drop(key: string): void {
    clearTimeout(this.timers.get(key));
    for (const thread of this.threads.get(key)?.values() ?? []) thread.dispose();
    this.threads.delete(key);
  }
}

function hasNotes(document: vscode.TextDocument): boolean {
  return document.uri.scheme === 'file' && document.languageId === 'python' && mayBeEnvironment(document.getText());
}

function commentOf(kept: ReviewNote, thread: vscode.CommentThread): NoteComment {
  // Notes of others came with version control: they are shown as text, not as Markdown.
  const body = new vscode.MarkdownString().appendText(plainLines(kept.note.body, BODY));
  return {
    kept, thread, body, mode: vscode.CommentMode.Preview, author: { name: kept.reviewer }, timestamp: new Date(kept.note.at),
    ...(kept.reviewer === reviewerName() && { contextValue: 'own' }),
  };
}
