import { ChannelError } from '../../src/shared/webviewChannel';
import type { PromptAction, PromptChange, PromptHost, PromptPage, PromptSource, PromptState } from '../../src/shared/webviewDesign';
import { moveByRegion } from '../player/regions';
import { el } from '../ui/dom';
import { oncePerFrame } from '../ui/frame';
import type { Host } from '../ui/host';
import { say } from '../ui/strings';
import { Foot } from './foot';
import { Head } from './head';
import type { Actions, View } from './model';
import { Parts } from './parts';
import { Side } from './side';

/** The panel of the design prompt: shows the state that the host sends, and asks it to change the set-up. */
export class Design implements Actions {
  private state: PromptState | null = null;
  private views: readonly View[] = [];
  private parts: Parts | null = null;
  private readonly alert = el('div', { class: 'banner', role: 'alert', hidden: true });
  private readonly draw = oncePerFrame(() => this.update());

  constructor(private readonly host: Host<typeof PromptHost, typeof PromptPage>) {}

  begin(state: PromptState): void {
    const [head, parts, side, foot] = [new Head(this), new Parts(this), new Side(this), new Foot(this)];
    this.views = [head, parts, side, foot];
    this.parts = parts;
    side.element.append(foot.element);
    const main = el('main', {}, el('div', { class: 'prompt' }, head.element, this.alert, parts.element), side.element);
    document.body.append(main);
    moveByRegion(main);
    this.state = state;
    this.update();
  }

  setState(state: PromptState): void {
    this.state = state;
    this.draw();
  }

  change(change: PromptChange): void {
    this.ask(this.host.channel.request('change', change));
  }

  act(action: PromptAction): void {
    this.ask(this.host.channel.request('act', { action }));
  }

  openPart(key: string, what: 'source' | 'text'): void {
    this.ask(this.host.channel.request('openPart', { key, what }));
  }

  jump(source: PromptSource): void {
    this.parts?.jump(source);
  }

  private update(): void {
    if (this.state) for (const view of this.views) view.update(this.state);
  }

  private ask(work: Promise<unknown>): void {
    this.alert.hidden = true;
    work.catch((error: unknown) => {
      this.alert.textContent = error instanceof ChannelError ? `${say(error.what)} ${say(error.next)}` : String(error);
      this.alert.hidden = false;
    });
  }
}
