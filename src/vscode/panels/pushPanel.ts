import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { PUSH_VIEW_TYPE } from '../../shared/contributions';
import type { Channel } from '../../shared/webviewChannel';
import { PushHost, PushView, type PushAction, type PushState } from '../../shared/webviewPush';
import { KeptPush } from './keptPush';
import type { PushReviewParts } from './pushReview';
import { translations } from './translations';
import { VisibilityBuffer } from './visibilityBuffer';
import { openPage, webviewOptions } from './webviewPage';

/** A push that is looked at before it happens, and followed after. */
export interface PushReview extends Disposable {
  readonly title: string;
  readonly onDidChange: (listener: () => void) => Disposable;
  state(): PushState;
  /** Pushes; past errors it asks for a reason. Resolves when it is done or was given up. */
  push(): Promise<void>;
  /** Takes this push back, or an earlier one. */
  undo(id: string | null): Promise<void>;
  /** Begins another push of an earlier one's file. */
  again(id: string): Promise<void>;
  act(action: PushAction): Promise<void>;
  copyRecord(): Promise<void>;
  openReading(): Promise<void>;
  /** The panel is closed: what was not pushed by now will not be. */
  close(): void;
}

/** One review on screen. */
export class PushPanel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly channel: Channel<typeof PushHost, typeof PushView>;
  private readonly buffer: VisibilityBuffer<'state', never>;
  private ready = false;
  private tellLoaded!: () => void;
  /** Resolves once the page has asked for what it shows. */
  readonly loaded = new Promise<void>((resolve) => (this.tellLoaded = resolve));

  constructor(readonly panel: vscode.WebviewPanel, readonly review: PushReview, extension: vscode.Uri, onDefect: (error: unknown) => void) {
    this.buffer = this.owned.add(new VisibilityBuffer<'state', never>({ snapshot: () => this.channel.notify('state', this.review.state()), stream: () => undefined }));
    this.owned.add(review.onDidChange(() => this.buffer.invalidate('state')));
    panel.onDidChangeViewState(() => this.updateVisibility());
    panel.onDidDispose(() => this.dispose());
    const nothing = async (work: Promise<void>): Promise<null> => {
      await work;
      return null;
    };
    this.channel = openPage<typeof PushHost, typeof PushView>(panel.webview, { extension, bundle: 'push', title: panel.title }, {
      local: PushHost, remote: PushView, onDefect,
      handlers: {
        requests: {
          ready: () => this.begin(),
          push: () => nothing(review.push()),
          undo: ({ id }) => nothing(review.undo(id)),
          again: ({ id }) => nothing(review.again(id)),
          close: () => {
            setTimeout(() => void panel.dispose(), 0);
            return null;
          },
          act: ({ action }) => nothing(review.act(action)),
          copyRecord: () => nothing(review.copyRecord()),
          openReading: () => nothing(review.openReading()),
        },
        notes: {},
      },
    });
  }

  dispose(): void {
    this.owned.dispose();
    this.review.close();
  }

  private begin(): { strings: Record<string, string>; state: PushState } {
    this.ready = true;
    this.tellLoaded();
    this.updateVisibility();
    return { strings: translations(), state: this.review.state() };
  }

  private updateVisibility(): void {
    if (!this.panel.visible) this.ready = false;
    this.buffer.setVisible(this.panel.visible && this.ready);
  }
}

/** Shows reviews of pushes, one panel each; a reload of the window brings them back, also what was already pushed. */
export class PushPanels implements vscode.WebviewPanelSerializer, Disposable {
  /** The panels that are open. */
  readonly shown = new Set<PushPanel>();
  private readonly registration: vscode.Disposable;

  constructor(private readonly extension: vscode.Uri, private readonly parts: PushReviewParts, private readonly onDefect: (error: unknown) => void) {
    this.registration = vscode.window.registerWebviewPanelSerializer(PUSH_VIEW_TYPE, this);
  }

  show(review: PushReview): void {
    this.adopt(vscode.window.createWebviewPanel(PUSH_VIEW_TYPE, review.title, vscode.ViewColumn.Active, webviewOptions(this.extension)), review);
  }

  /** A push whose file or run is gone by now is not shown again; the ledger still has it. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = KeptPush.safeParse(state);
    try {
      if (!kept.success) throw kept.error;
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(kept.data.uri));
      const { OpenReview } = await import('./pushReview');
      this.adopt(panel, await OpenReview.open(document, kept.data, this.parts));
    } catch (error) {
      if (!(error instanceof EnvwrightError)) this.onDefect(error);
      panel.dispose();
    }
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.shown) panel.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, review: PushReview): void {
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'envwright.svg');
    const shown = new PushPanel(panel, review, this.extension, this.onDefect);
    this.shown.add(shown);
    panel.onDidDispose(() => this.shown.delete(shown));
  }
}
