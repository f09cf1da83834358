import * as vscode from 'vscode';
import { Channel, type Contract, type Handlers } from '../../shared/webviewChannel';
import { pageHtml } from './html';

/** A name that nobody guesses, for one page. */
function freshNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a panel of a bundle may do and load. A hidden page is let go: snapshots bring it back. */
export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist', 'webview')] };
}

/** Loads a bundle into a webview and opens the conversation with it. */
export function openPage<Local extends Contract, Remote extends Contract>(
  webview: vscode.Webview,
  page: { readonly extension: vscode.Uri; readonly bundle: string; readonly title: string },
  contract: { readonly local: Local; readonly remote: Remote; readonly handlers: Handlers<Local>; readonly onDefect: (error: unknown) => void },
): Channel<Local, Remote> {
  webview.options = webviewOptions(page.extension);
  const at = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(page.extension, 'dist', 'webview', name)).toString();
  const channel = new Channel(contract.local, contract.remote, contract.handlers, {
    post: (envelope) => void webview.postMessage(envelope),
    onDefect: contract.onDefect,
  });
  webview.onDidReceiveMessage((data: unknown) => channel.receive(data));
  webview.html = pageHtml({
    title: page.title, language: vscode.env.language, script: at(`${page.bundle}.entry.js`), style: at(`${page.bundle}.entry.css`),
    source: webview.cspSource, nonce: freshNonce(),
  });
  return channel;
}
