import * as vscode from 'vscode';

/** Least time between two edits of a streamed text, in milliseconds: less than a frame, more than one piece at 200 a second. */
const EDIT_MS = 8;

/** Writes a text into an editor as it comes: pieces are gathered, one edit is under way at a time, and the order is kept. */
export class DraftWriter {
  private pending = '';
  private work: Promise<void> = Promise.resolve();
  private scheduled = false;

  /** @param onWritten is told after each edit that added text. */
  constructor(readonly document: vscode.TextDocument, private readonly onWritten: () => void = () => undefined) {}

  append(text: string): void {
    this.pending += text;
    if (this.scheduled) return;
    this.scheduled = true;
    void this.enqueue(async () => {
      await new Promise((resolve) => setTimeout(resolve, EDIT_MS));
      this.scheduled = false;
      await this.flush();
    }).catch(() => undefined);
  }

  /** Puts another text in the place of everything; resolves when it stands there. */
  replace(text: string): Promise<void> {
    this.pending = '';
    return this.enqueue(async () => {
      this.pending = '';
      if (this.document.getText() === text) return;
      const edit = new vscode.WorkspaceEdit();
      edit.replace(this.document.uri, new vscode.Range(0, 0, this.document.lineCount, 0), text);
      await vscode.workspace.applyEdit(edit);
    });
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
    try {
      return await editor.edit((edit) => edit.insert(at, text), { undoStopBefore: false, undoStopAfter: false });
    } catch {
      // The editor was closed on the way.
      return false;
    }
  }
}
