import * as vscode from 'vscode';

/**
 * Least time from the beginning of one edit to that of the next, in milliseconds. One edit is under way at a time, which paces a
 * slow window by itself; a longer pause than this kept a quick one, where an edit takes 6 ms, waiting for the next.
 */
const EDIT_MS = 4;

/** Writes a text into an editor as it comes: pieces are gathered, one edit is under way at a time, and the order is kept. */
export class DraftWriter {
  private pending = '';
  private work: Promise<void> = Promise.resolve();
  private scheduled = false;
  private begun = -Infinity;
  private isFree = false;
  private isStale = false;

  /** @param onWritten is told after each edit that added text. */
  constructor(readonly document: vscode.TextDocument, private readonly onWritten: () => void = () => undefined) {}

  append(text: string): void {
    this.pending += text;
    if (this.scheduled) return;
    this.scheduled = true;
    void this.enqueue(async () => {
      const rest = this.begun + EDIT_MS - performance.now();
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      this.begun = performance.now();
      this.scheduled = false;
      await this.flush();
    }).catch(() => undefined);
  }

  /** What is appended next takes the place of all that stands there; until it comes, that stays to be read. */
  restart(): void {
    this.pending = '';
    this.isStale = true;
  }

  /** Has the document hold this text; what is the same at both ends stays, and with it the cursor. Resolves when it stands there. */
  replace(text: string): Promise<void> {
    this.pending = '';
    this.isStale = false;
    return this.enqueue(async () => {
      this.pending = '';
      await this.put(text);
    });
  }

  private async put(text: string): Promise<void> {
    this.isFree = false;
    const old = this.document.getText();
    if (old === text) return;
    const [start, end] = sameEnds(old, text);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(this.document.uri, new vscode.Range(this.document.positionAt(start), this.document.positionAt(old.length - end)), text.slice(start, text.length - end));
    await vscode.workspace.applyEdit(edit);
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    const done = this.work.then(step);
    // An edit that fails (the editor was closed) must not stop those after it; who waits for it is told.
    this.work = done.catch(() => undefined);
    return done;
  }

  private async flush(): Promise<void> {
    const text = this.pending;
    this.pending = '';
    if (text === '') return;
    if (this.isStale) {
      this.isStale = false;
      await this.put(text);
      return this.onWritten();
    }
    const end = this.document.lineAt(this.document.lineCount - 1).range.end;
    if (!(await this.insertInEditor(end, text))) {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(this.document.uri, end, text);
      await vscode.workspace.applyEdit(edit);
    }
    this.onWritten();
  }

  /** An edit of an editor in sight takes a fraction of the time of a workspace's. False when there is none, or it changed meanwhile. */
  private async insertInEditor(at: vscode.Position, text: string): Promise<boolean> {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
    if (!editor) return false;
    this.freeCursor(editor, at);
    try {
      return await editor.edit((edit) => edit.insert(at, text), { undoStopBefore: false, undoStopAfter: false });
    } catch {
      // The editor was closed on the way.
      return false;
    }
  }

  /** The cursor of a new document stands where the text grows and would be taken along, at a layout of the text each time: once it is put at the beginning. */
  private freeCursor(editor: vscode.TextEditor, end: vscode.Position): void {
    const start = new vscode.Position(0, 0);
    if (this.isFree || end.isEqual(start) || !editor.selection.isEmpty || !editor.selection.active.isEqual(end)) return;
    this.isFree = true;
    editor.selection = new vscode.Selection(start, start);
  }
}

/** How many UTF-16 units two texts share at their beginning, and of the rest at their end. */
function sameEnds(a: string, b: string): readonly [number, number] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [start, end];
}
