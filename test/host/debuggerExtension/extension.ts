/** Starts the real debugpy for sessions of its type, as the Python debugger's own extension does. */
import path from 'node:path';
import * as vscode from 'vscode';

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory('debugpy', {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable('python3', [path.join(process.env.ENVWRIGHT_TEST_DEBUGPY ?? '', 'debugpy', 'adapter')]),
  }));
}
