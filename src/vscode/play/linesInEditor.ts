import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { message } from '../../shared/message';
import type { Inspection } from '../../shared/webviewProtocol';

interface Kept {
  readonly source: string;
  readonly ran: readonly number[];
  readonly paid: number | null;
}

/** Marks in the editor which lines a step ran and which one paid. Once shown, the marks follow the step that is looked at; an edit takes them away. */
export class LinesInEditor implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly ran = this.owned.add(vscode.window.createTextEditorDecorationType({
    isWholeLine: true, overviewRulerLane: vscode.OverviewRulerLane.Left, overviewRulerColor: new vscode.ThemeColor('editorGutter.addedBackground'),
    borderStyle: 'solid', borderWidth: '0 0 0 3px', borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
  }));
  private readonly paid = this.owned.add(vscode.window.createTextEditorDecorationType({
    isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'), overviewRulerLane: vscode.OverviewRulerLane.Full,
    overviewRulerColor: new vscode.ThemeColor('charts.green'), after: { contentText: vscode.l10n.t('  ▸ paid'), color: new vscode.ThemeColor('descriptionForeground') },
  }));
  private readonly kept = new Map<string, Kept>();
  private readonly shown = new Set<string>();

  constructor() {
    this.owned.add(vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.clear(document.uri.toString());
    }));
    this.owned.add(vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) if (this.shown.has(editor.document.uri.toString())) this.mark(editor);
    }));
  }

  /** Keeps the lines of the step that is looked at; marks them where marks are shown. */
  keep(uri: vscode.Uri, source: string, lines: Inspection['lines']): void {
    const code = lines?.code ?? [];
    const key = uri.toString();
    this.kept.set(key, { source, ran: code.filter(({ ran }) => ran).map(({ line }) => line), paid: code.find(({ paid }) => paid)?.line ?? null });
    if (this.shown.has(key)) for (const editor of this.editorsOf(key)) this.mark(editor);
  }

  /** Opens the file and marks the lines. @throws EnvwrightError when the file is not what was played. */
  async show(uri: vscode.Uri, line: number | null): Promise<void> {
    const kept = this.kept.get(uri.toString());
    const at = line ?? kept?.paid ?? kept?.ran[0] ?? 1;
    const position = new vscode.Position(Math.max(0, at - 1), 0);
    const editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(position, position), preserveFocus: false });
    if (!kept) return;
    if (editor.document.getText() !== kept.source) {
      throw new EnvwrightError('play/edited', message('The file was edited since these plays, so the lines that ran cannot be marked in it.'), message('Replay the actions on the file as it is now.'));
    }
    this.shown.add(uri.toString());
    this.mark(editor);
  }

  /** The lines (from 1) that are marked in a file, for whoever asks what is on screen. */
  marked(uri: vscode.Uri): { readonly ran: readonly number[]; readonly paid: number | null } | undefined {
    return this.shown.has(uri.toString()) ? this.kept.get(uri.toString()) : undefined;
  }

  /** Takes the marks away. */
  clear(key?: string): void {
    for (const name of key === undefined ? [...this.shown] : [key]) {
      this.shown.delete(name);
      for (const editor of this.editorsOf(name)) {
        editor.setDecorations(this.ran, []);
        editor.setDecorations(this.paid, []);
      }
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private editorsOf(key: string): vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === key);
  }

  private mark(editor: vscode.TextEditor): void {
    const kept = this.kept.get(editor.document.uri.toString());
    if (!kept || editor.document.getText() !== kept.source) return;
    const range = (line: number) => new vscode.Range(line - 1, 0, line - 1, 0);
    editor.setDecorations(this.ran, kept.ran.map(range));
    editor.setDecorations(this.paid, kept.paid === null ? [] : [range(kept.paid)]);
  }
}
