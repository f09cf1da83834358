import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle';

/** Scheme of documents that only show something. */
const SCHEME = 'envwright';

/** Read-only documents: prompts, records, reports. Their text is kept while they are open. */
export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registrations = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    this.changes,
  );

  /** Shows a text under a name such as `Design prompt.md`; the same name is the same document, with the new text. */
  async show(name: string, text: string, language = 'markdown'): Promise<vscode.TextEditor> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, language);
    return vscode.window.showTextDocument(document, { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
