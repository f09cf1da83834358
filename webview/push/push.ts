import { ChannelError } from '../../src/shared/webviewChannel';
import type { PushAction, PushHost, PushState, PushView } from '../../src/shared/webviewPush';
import { moveByRegion } from '../player/regions';
import { el } from '../ui/dom';
import { oncePerFrame } from '../ui/frame';
import type { Host } from '../ui/host';
import { say } from '../ui/strings';
import { Effect } from './effect';
import { Foot } from './foot';
import { Head } from './head';
import type { Actions, View } from './model';
import { RecordSide } from './record';

/** The push panel: shows the state that the host sends, and asks it to act. */
export class Push implements Actions {
  private state: PushState | null = null;
  private views: readonly View[] = [];
  private readonly alert = el('div', { class: 'banner', role: 'alert', hidden: true });
  private readonly draw = oncePerFrame(() => this.update());

  constructor(private readonly host: Host<typeof PushHost, typeof PushView>) {}

  begin(state: PushState): void {
    const [head, effect, record, foot] = [new Head(), new Effect(this), new RecordSide(this), new Foot(this)];
    this.views = [head, effect, record, foot];
    const main = el('main', {}, head.element, this.alert, el('div', { class: 'work' }, effect.element, record.element), foot.element);
    document.body.append(main);
    moveByRegion(main);
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && this.state?.phase === 'preview') this.close();
    });
    this.state = state;
    this.update();
  }

  setState(state: PushState): void {
    this.state = state;
    this.draw();
  }

  private update(): void {
    if (this.state) this.host.save(this.state.kept);
    if (this.state) for (const view of this.views) view.update(this.state);
  }

  private ask(work: Promise<unknown>): void {
    this.alert.hidden = true;
    work.catch((error: unknown) => {
      this.alert.textContent = error instanceof ChannelError ? `${say(error.what)} ${say(error.next)}` : String(error);
      this.alert.hidden = false;
    });
  }

  push(): void {
    this.ask(this.host.channel.request('push', null));
  }

  undo(id: string | null): void {
    this.ask(this.host.channel.request('undo', { id }));
  }

  again(id: string): void {
    this.ask(this.host.channel.request('again', { id }));
  }

  close(): void {
    this.ask(this.host.channel.request('close', null));
  }

  act(action: PushAction): void {
    this.ask(this.host.channel.request('act', { action }));
  }

  copyRecord(): void {
    this.ask(this.host.channel.request('copyRecord', null));
  }

  openReading(): void {
    this.ask(this.host.channel.request('openReading', null));
  }
}
