import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { message } from '../../shared/message';
import type { Channel } from '../../shared/webviewChannel';
import { PlayerHost, PlayerView, type PairCompare, type StepRef, type StreamItem, type TextPart, type TranscriptPair } from '../../shared/webviewProtocol';
import type { PlayerController } from './playerController';
import { VisibilityBuffer } from './visibilityBuffer';
import { openPage } from './webviewPage';

/** What a player's panel needs beside its controller. */
export interface PlayerPanelParts {
  readonly extension: vscode.Uri;
  /** Shows a text of an episode as a document that cannot be edited. */
  readonly showText: (name: string, text: string) => Promise<unknown>;
  readonly onDefect: (error: unknown) => void;
}

/** One player on screen: answers its page from the controller, and sends it what changed while it can be seen. */
export class PlayerPanel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly channel: Channel<typeof PlayerHost, typeof PlayerView>;
  private readonly buffer: VisibilityBuffer<'state' | 'pair', StreamItem>;
  private watched: TranscriptPair['slots'] = { hint: null, noHint: null };
  private compare: PairCompare | null = null;
  private ready = false;

  constructor(readonly panel: vscode.WebviewPanel, private readonly controller: PlayerController, private readonly parts: PlayerPanelParts) {
    this.buffer = this.owned.add(new VisibilityBuffer<'state' | 'pair', StreamItem>({
      snapshot: (name) => this.send(name),
      stream: (items) => this.channel.notify('stream', [...items]),
    }));
    this.owned.add(controller.onDidChange(() => this.buffer.invalidate('state')));
    this.owned.add(controller.onDidStream((item) => this.compare === null && this.isWatched(item) && this.buffer.push(item)));
    this.owned.add(controller.onDidReplace((at) => this.isWatched(at) && this.buffer.invalidate('pair')));
    panel.onDidChangeViewState(() => this.updateVisibility());
    panel.onDidDispose(() => this.dispose());
    this.channel = this.open();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private open(): Channel<typeof PlayerHost, typeof PlayerView> {
    const { controller, parts } = this;
    const nothing = async (work: Promise<unknown>): Promise<null> => {
      await work;
      return null;
    };
    return openPage<typeof PlayerHost, typeof PlayerView>(this.panel.webview, { extension: parts.extension, bundle: 'player', title: this.panel.title }, {
      local: PlayerHost, remote: PlayerView, onDefect: parts.onDefect,
      handlers: {
        requests: {
          ready: () => this.begin(),
          start: (settings) => nothing(controller.start(settings)),
          retry: () => nothing(controller.retry()),
          resume: () => nothing(controller.resume()),
          extend: ({ pairs }) => nothing(controller.extend(pairs)),
          humanMove: (move) => nothing(controller.humanMove(move)),
          replayAll: () => nothing(controller.replayAll()),
          endComparison: ({ back }) => nothing(controller.endComparison(back)),
          writeHint: async () => ({ text: await controller.writeHint() }),
          inspect: (step) => controller.inspect(step),
          replay: (step) => nothing(controller.replay(step)),
          takeOver: (step) => nothing(controller.takeOver(step)),
          debug: (step) => nothing(controller.debug(step)),
          open: ({ target, line }) => nothing(controller.open(target, line)),
          openText: ({ part, ...step }) => nothing(parts.showText(textName(step, part), this.text(step, part))),
          copyText: ({ part, ...step }) => nothing(Promise.resolve(vscode.env.clipboard.writeText(this.text(step, part)))),
        },
        notes: {
          settings: (settings) => controller.configure(settings),
          watch: ({ compare, ...slots }) => {
            this.watched = slots;
            this.compare = compare;
            this.buffer.invalidate('pair', true);
          },
          stop: (episode) => controller.stop(episode),
        },
      },
    });
  }

  /** The page is there, for the first time or again after it was hidden. */
  private begin(): { strings: Record<string, string>; state: ReturnType<PlayerController['state']> } {
    this.ready = true;
    this.updateVisibility();
    const strings = Object.entries(vscode.l10n.bundle ?? {}).map(([key, value]) => [key, String(value)] as const);
    return { strings: Object.fromEntries(strings), state: this.controller.state() };
  }

  /** A page that is hidden is gone: it says `ready` again when it comes back. */
  private updateVisibility(): void {
    if (!this.panel.visible) this.ready = false;
    this.buffer.setVisible(this.panel.visible && this.ready);
  }

  private send(name: 'state' | 'pair'): void {
    if (name === 'state') this.channel.notify('state', this.controller.state());
    else this.channel.notify('pair', this.controller.pair(this.watched, this.compare));
  }

  private isWatched({ arm, slot }: { arm: keyof TranscriptPair['slots']; slot: number }): boolean {
    return this.compare ? arm === this.compare.arm && (this.watched.hint === slot || this.watched.noHint === slot) : this.watched[arm] === slot;
  }

  private text(step: StepRef, part: TextPart): string {
    const text = this.controller.text(step, part);
    if (text === undefined) throw new EnvwrightError('play/no-text', message('This text is gone.'), message('Run the plays again.'));
    return text;
  }
}

/** Name of a document that holds a text of an episode. */
function textName({ arm, slot, step }: StepRef, part: TextPart): string {
  const which = arm === 'hint' ? 'with-hint' : 'no-hint';
  return part === 'transcript' ? `episode-${slot}-${which}.txt` : `episode-${slot}-${which}-step-${step}-${part}.txt`;
}
