import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Logger } from '../../core/ports';
import type { FileReport } from '../../shared/findings';
import { EnvironmentContext } from '../context';
import type { CheckEngine } from './checkEngine';
import type { CheckPages } from './checkPages';
import { CheckStore } from './checkStore';
import { Checker } from './checker';
import { FindingActions } from './codeActions';
import { EnvironmentLenses } from './codeLens';
import { VerdictDecorations } from './decorations';
import type { UserDecisions } from './decisions';
import { Diagnostics } from './diagnostics';
import { VerdictMemory } from './verdictMemory';

const PYTHON: vscode.DocumentSelector = { language: 'python' };

/** The checks in the editor: findings, fixes, lenses and the context of the file in front. */
export class Checks implements Disposable {
  private readonly owned = new DisposableStore();
  readonly store = this.owned.add(new CheckStore());
  readonly checker: Checker;
  /** Verdicts of files that are not open. */
  readonly memory: VerdictMemory;

  constructor(engine: CheckEngine, decisions: UserDecisions, log: Logger, pages: CheckPages, memento: vscode.Memento, version: string) {
    this.checker = this.owned.add(new Checker(engine, this.store, decisions, log));
    this.memory = this.owned.add(new VerdictMemory(this.store, decisions, memento, version));
    const lenses = this.owned.add(new EnvironmentLenses(this.store));
    this.owned.add(this.store.onDidChange(() => lenses.refresh()));
    this.owned.add(new Diagnostics(this.store, pages));
    this.owned.add(new VerdictDecorations(this.store, this.memory));
    this.owned.add(new EnvironmentContext(this.store));
    this.owned.add(vscode.languages.registerCodeLensProvider(PYTHON, lenses));
    this.owned.add(vscode.languages.registerCodeActionsProvider(PYTHON, new FindingActions(this.store), { providedCodeActionKinds: FindingActions.kinds }));
  }

  /** Resolves when the document's present version is judged, with a run of the file when `probed`. */
  whenChecked(uri: vscode.Uri, probed: boolean): Promise<FileReport> {
    return new Promise((resolve) => {
      const look = (): boolean => {
        const checked = this.store.get(uri);
        const document = vscode.workspace.textDocuments.find((other) => other.uri.toString() === uri.toString());
        if (!checked || checked.version !== document?.version || (probed && !checked.probed)) return false;
        resolve(checked.report);
        return true;
      };
      if (look()) return;
      const subscription = this.store.onDidChange(() => {
        if (look()) subscription.dispose();
      });
    });
  }

  dispose(): void {
    this.owned.dispose();
  }
}
