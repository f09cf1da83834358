import * as vscode from 'vscode';
import { commandId } from '../../shared/contributions';
import type { OpenTarget } from '../../shared/webviewProtocol';

/** Opens what a link of the player names. `line` counts from 1. */
export async function openFromPlayer(uri: vscode.Uri, target: Exclude<OpenTarget, 'session' | 'compare' | 'export' | 'lines'>, line: number | null): Promise<void> {
  switch (target) {
    case 'file': {
      const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
      await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
      return;
    }
    case 'problems': return vscode.commands.executeCommand('workbench.panel.markers.view.focus');
    case 'log': return vscode.commands.executeCommand(commandId('showLog'));
    case 'push': return vscode.commands.executeCommand(commandId('push'), uri);
    case 'endpoint':
    case 'settings':
    case 'weights': return vscode.commands.executeCommand(commandId('openSettings'));
  }
}
