import * as vscode from 'vscode';
import { z } from 'zod';
import type { Disposable } from '../../core/lifecycle';
import { PLAYER_VIEW_TYPE } from '../../shared/contributions';
import type { PlayerControllers } from './playerController';
import { PlayerPanel, type PlayerPanelParts } from './playerPanel';
import { webviewOptions } from './webviewPage';

/** What a page left for its return; more of it belongs to the page. */
const Saved = z.object({ uri: z.string(), session: z.string().nullable().default(null) });

/** The players on screen, one a file; restores them after a reload of the window. */
export class PlayerPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly panels = new Map<string, PlayerPanel>();
  private readonly registration: vscode.Disposable;

  constructor(private readonly controllers: PlayerControllers, private readonly parts: PlayerPanelParts) {
    this.registration = vscode.window.registerWebviewPanelSerializer(PLAYER_VIEW_TYPE, this);
  }

  /** Shows the player of a file, beside the editor when it is not yet on screen. */
  async show(uri: vscode.Uri): Promise<void> {
    const shown = this.panels.get(uri.toString());
    if (shown) {
      shown.panel.reveal();
      return;
    }
    const controller = await this.controllers(uri.toString());
    const panel = vscode.window.createWebviewPanel(PLAYER_VIEW_TYPE, titleOf(uri), vscode.ViewColumn.Active, { ...webviewOptions(this.parts.extension), enableFindWidget: true });
    this.adopt(panel, uri, controller);
  }

  /** The file whose player is in front, undefined when none is. */
  get active(): vscode.Uri | undefined {
    const shown = [...this.panels].find(([, { panel }]) => panel.active);
    return shown && vscode.Uri.parse(shown[0]);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = Saved.safeParse(state);
    if (!saved.success) {
      panel.dispose();
      return;
    }
    try {
      const controller = await this.controllers(saved.data.uri);
      this.adopt(panel, vscode.Uri.parse(saved.data.uri), controller);
      if (saved.data.session !== null) await this.reopen(controller, saved.data.session);
    } catch (error) {
      this.parts.onDefect(error);
      panel.dispose();
    }
  }

  /** What was on screen before a reload comes back from its record; when that is gone, the player stands empty. */
  private async reopen(controller: Awaited<ReturnType<PlayerControllers>>, session: string): Promise<void> {
    try {
      if (controller.state().slots.length === 0) await controller.openSession(session);
    } catch (error) {
      this.parts.onDefect(error);
    }
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.panels.values()) panel.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, uri: vscode.Uri, controller: Awaited<ReturnType<PlayerControllers>>): void {
    const key = uri.toString();
    panel.iconPath = vscode.Uri.joinPath(this.parts.extension, 'media', 'envwright.svg');
    this.panels.set(key, new PlayerPanel(panel, controller, this.parts));
    panel.onDidDispose(() => this.panels.delete(key));
  }
}

function titleOf(uri: vscode.Uri): string {
  return vscode.l10n.t('Play {file}', { file: uri.path.split('/').pop() ?? uri.path });
}
