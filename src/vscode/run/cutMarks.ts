import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { snippetCut } from '../../core/memory/snippetCut';
import type { CheckStore } from '../checks/checkStore';
import { onSettingChange, readSetting } from '../settings';
import type { LinkedRun } from './linkedRun';

/** A pause in typing after which the mark is set anew, in milliseconds. */
const SETTLE_MS = 100;

/** While a run is linked: the place in an environment's file behind which its designer reads nothing, once the file is pushed. */
export class CutMarks implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly line = this.owned.add(vscode.window.createTextEditorDecorationType({
    borderWidth: '0 0 0 1px', borderStyle: 'dashed', borderColor: new vscode.ThemeColor('editorInfo.foreground'),
    overviewRulerColor: new vscode.ThemeColor('editorInfo.foreground'), overviewRulerLane: vscode.OverviewRulerLane.Right,
    after: { margin: '0 0 0 2em', color: new vscode.ThemeColor('descriptionForeground') },
  }));
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: CheckStore, private readonly run: LinkedRun) {
    const add = (item: vscode.Disposable | Disposable) => this.owned.add(item);
    add(vscode.window.onDidChangeVisibleTextEditors(() => this.later()));
    add(vscode.workspace.onDidChangeTextDocument(() => this.later()));
    add(store.onDidChange(() => this.later()));
    add(run.onDidChange(() => this.later()));
    add(onSettingChange(['run.markCut'], () => this.later()));
  }

  /** What is marked in a document: the rest of the line behind the cut, with its words. Nothing where the run would read the whole. */
  marksOf(document: vscode.TextDocument): vscode.DecorationOptions[] {
    if (this.run.path === '' || !readSetting('run.markCut') || !this.store.get(document.uri)?.anchor) return [];
    const cut = snippetCut(document.getText());
    if (!cut) return [];
    const at = document.positionAt(cut.offset);
    const count = (value: number) => value.toLocaleString('en');
    return [{
      range: new vscode.Range(at, document.lineAt(at).range.end),
      hoverMessage: vscode.l10n.t('The designer of a run reads the first {0} of {1} characters of a pushed environment.', count(cut.shown), count(cut.length)),
      renderOptions: { after: { contentText: vscode.l10n.t('↤ pushed, the designer reads to here: {0} of {1} characters', count(cut.shown), count(cut.length)) } },
    }];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.owned.dispose();
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.line, this.marksOf(editor.document));
    }, SETTLE_MS);
  }
}
