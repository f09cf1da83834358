import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import { contextKeys, type ContextKey } from '../shared/contributions';
import type { CheckStore } from './checks/checkStore';

/** Sets a condition of menus and views. */
export function setContext(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], value);
}

/** Keeps `isEnvironment` true to the editor in front, and notes that environments were found and run. */
export class EnvironmentContext implements Disposable {
  private readonly owned = new DisposableStore();

  constructor(private readonly store: CheckStore) {
    this.owned.add(vscode.window.onDidChangeActiveTextEditor(() => this.update()));
    this.owned.add(store.onDidChange((uri) => {
      this.update();
      const checked = store.get(uri);
      if (checked?.anchor) setContext('hasEnvironments', true);
      if (checked?.anchor && checked.probed) setContext('hasChecked', true);
    }));
    this.update();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    setContext('isEnvironment', uri !== undefined && this.store.get(uri)?.anchor !== undefined);
  }
}
