import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import { MEMORY_VIEW_TYPE } from '../../shared/contributions';
import { MemoryPanel, type MemoryPanelParts } from './memoryPanel';
import { webviewOptions } from './webviewPage';

/** The one memory view, since one run is linked; restored after a reload of the window. */
export class MemoryPanels implements vscode.WebviewPanelSerializer, Disposable {
  /** The view, while it is open. */
  shown: MemoryPanel | undefined;
  private readonly registration: vscode.Disposable;

  constructor(private readonly parts: MemoryPanelParts) {
    this.registration = vscode.window.registerWebviewPanelSerializer(MEMORY_VIEW_TYPE, this);
  }

  /** Shows the view; with a key the record of that push is chosen. */
  show(key?: string): void {
    if (this.shown) this.shown.panel.reveal();
    else this.adopt(vscode.window.createWebviewPanel(MEMORY_VIEW_TYPE, vscode.l10n.t('Memory'), vscode.ViewColumn.Active, { ...webviewOptions(this.parts.extension), enableFindWidget: true }));
    if (key !== undefined) this.shown?.select(key);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.shown) panel.dispose();
    else this.adopt(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.registration.dispose();
    this.shown?.panel.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    panel.iconPath = vscode.Uri.joinPath(this.parts.extension, 'media', 'envwright.svg');
    const shown = (this.shown = new MemoryPanel(panel, this.parts));
    panel.onDidDispose(() => {
      if (this.shown === shown) this.shown = undefined;
    });
  }
}
