import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle';

/** Scheme of documents that only show something. */
const SCHEME = 'envwright';

/** Read-only documents: prompts, records, reports. The last text of each name is kept. */
export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registrations = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    this.changes,
  );

  /** Shows a text under a name such as `Design prompt.md`; the same name is the same document, with the new text. */
  async show(name: string, text: string, language = 'markdown'): Promise<vscode.TextEditor> {
    const uri = this.keep(name, text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, language);
    return vscode.window.showTextDocument(document, { preview: true });
  }

  /** Shows Markdown as it reads, not as it is written. Whatever in it comes from elsewhere must have been escaped. */
  async showRendered(name: string, markdown: string): Promise<void> {
    const uri = this.keep(name, markdown);
    await vscode.workspace.openTextDocument(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  /** Keeps a text under a name and gives its address, for views of the editor that open it. */
  keep(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
    return uri;
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
