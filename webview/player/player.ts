import type { ArmName } from '../../src/shared/play';
import { ChannelError } from '../../src/shared/webviewChannel';
import type { HumanMove, PairCompare, PlayerHost, PlayerState, PlayerView, PlaySettings, StreamItem, TranscriptPair } from '../../src/shared/webviewProtocol';
import { el } from '../ui/dom';
import { oncePerFrame } from '../ui/frame';
import type { Host } from '../ui/host';
import { say, t } from '../ui/strings';
import { Banner } from './banner';
import { cellLabel } from './cells';
import { Comparison } from './comparison';
import { groupOf } from './statusGroup';
import { ControlsBar } from './controlsBar';
import { Header } from './header';
import { HintRow } from './hintRow';
import { HumanSeat } from './humanSeat';
import { Inspector } from './inspector';
import { initialUi, type Actions, type Model, type View } from './model';
import { Nothing } from './nothing';
import { Plots } from './plots';
import { moveByRegion } from './regions';
import { restoreUi } from './saved';
import { applyStream } from './stream';
import { Strip } from './strip';
import { Transcripts } from './transcripts';
import { Values } from './values';

/** The player: owns the model, hands it to the views once a frame, and speaks to the host. */
export class Player implements Actions {
  private model: Model | null = null;
  private pending: StreamItem[] = [];
  private watched = '';
  private turn = 'null';
  private views: readonly View[] = [];
  private transcripts: Transcripts | null = null;
  private readonly main = el('main');
  private readonly episodes = el('section', { class: 'eps', attrs: { 'data-region': '' } });
  private readonly work = el('div', { class: 'work' });
  private readonly progress = el('progress', { class: 'progress' });
  private readonly polite = el('div', { class: 'sr', role: 'status', attrs: { 'aria-live': 'polite' } });
  private readonly alert = el('div', { class: 'banner', role: 'alert', hidden: true });
  private plots: Plots | null = null;
  /** Whether more than running text is to be drawn. */
  private stale = false;
  private readonly frame = oncePerFrame(() => this.update());

  constructor(private readonly host: Host<typeof PlayerHost, typeof PlayerView>) {}

  /** Builds the page and shows the first state. */
  begin(state: PlayerState): void {
    this.progress.setAttribute('aria-label', t('Plays'));
    this.episodes.setAttribute('aria-label', t('Episodes and plots'));
    const [header, controls, hint, banner] = [new Header(this), new ControlsBar(this), new HintRow(this), new Banner(this)];
    const [values, strip, nothing, comparison] = [new Values(this), new Strip(this), new Nothing(this), new Comparison(this)];
    const seat = new HumanSeat(this);
    this.plots = new Plots();
    this.transcripts = new Transcripts(this);
    const inspector = new Inspector(this, (step) => this.host.channel.request('inspect', step));
    this.views = [header, controls, hint, banner, values, nothing, comparison, strip, this.transcripts, seat, inspector];
    this.episodes.append(strip.element, this.plots.returns, this.plots.rewards);
    this.transcripts.element.append(seat.element);
    this.work.append(this.transcripts.element, inspector.element);
    this.main.append(this.progress, header.element, controls.element, hint.element, this.alert, banner.element, values.element, nothing.element, comparison.element, this.episodes, this.work, this.polite);
    document.body.append(this.main);
    moveByRegion(this.main);
    document.addEventListener('keydown', (event) => this.onKey(event));
    this.model = { state, settings: state.settings, pair: null, ui: restoreUi(this.host.load(), state), visits: 1 };
    this.settle(state);
    this.update();
  }

  setState(state: PlayerState): void {
    if (!this.model) return;
    this.announce(this.model.state, state);
    const ahead = JSON.stringify(this.model.settings) !== JSON.stringify(this.model.state.settings) && state.phase === 'idle' && this.model.state.phase === 'idle';
    const settings = ahead && JSON.stringify(state.settings) === JSON.stringify(this.model.state.settings) ? this.model.settings : state.settings;
    const changed = this.model.state.sessionId !== state.sessionId;
    this.model = { ...this.model, state, settings, ...(changed && { pair: null, ui: { ...this.model.ui, compare: null } }) };
    if (changed) this.watched = '';
    this.showTurn(state);
    this.settle(state);
    this.draw();
  }

  /** A turn that waits for a person is brought on screen, once. */
  private showTurn({ human, slots, mode }: PlayerState): void {
    const key = JSON.stringify(human && [human.arm, human.slot]);
    if (!this.model || key === this.turn) return;
    this.turn = key;
    if (!human) return;
    const at = slots[human.slot];
    const shown = mode === 'paired' ? { hint: at?.hint ? human.slot : null, noHint: at?.noHint ? human.slot : null } : { ...this.model.ui.slots, [human.arm]: human.slot };
    this.model = { ...this.model, pair: null, ui: { ...this.model.ui, slots: shown, compare: null, step: null, arm: human.arm } };
  }

  setPair(pair: TranscriptPair): void {
    if (!this.model || JSON.stringify([pair.slots, pair.compare]) !== JSON.stringify([this.model.ui.slots, this.model.ui.compare])) return;
    this.pending = [];
    const first = pair.hint?.steps.length ? 'hint' : pair.noHint?.steps.length ? 'noHint' : null;
    const step = this.model.ui.step;
    const shown = step && pair[step.arm]?.steps[step.step - 1] ? step : first && { arm: first, step: 1 } as const;
    this.model = { ...this.model, pair, ui: { ...this.model.ui, step: shown } };
    this.draw();
  }

  stream(items: readonly StreamItem[]): void {
    this.pending.push(...items);
    this.frame();
  }

  private draw(): void {
    this.stale = true;
    this.frame();
  }

  /** Selects what there is to see when nothing valid is selected, and tells the host what is watched. */
  private settle(state: PlayerState): void {
    if (!this.model) return;
    const valid = (arm: ArmName): boolean => {
      const slot = this.model?.ui.slots[arm];
      const shown = this.model?.ui.compare?.arm ?? arm;
      return slot === null || slot === undefined ? false : state.slots[slot]?.[shown] !== null && state.slots[slot] !== undefined;
    };
    if (!valid('hint') && !valid('noHint') && state.slots.length > 0) {
      const first = (arm: ArmName): number | null => {
        const started = state.slots.findIndex((slot) => slot[arm] && slot[arm].status !== 'queued');
        const any = state.slots.findIndex((slot) => slot[arm] !== null);
        return started >= 0 ? started : any >= 0 ? any : null;
      };
      this.model = { ...this.model, pair: null, ui: { ...this.model.ui, slots: { hint: first('hint'), noHint: first('noHint') }, compare: null, step: null } };
    }
    this.watch();
  }

  private watch(): void {
    const { slots, compare } = this.model?.state.slots.length ? this.model.ui : initialUi;
    const key = JSON.stringify([slots, compare, this.model?.state.slots.length]);
    if (key === this.watched) return;
    this.watched = key;
    this.host.channel.notify('watch', { ...slots, compare });
  }

  private update(): void {
    if (!this.model) return;
    const items = this.pending;
    this.pending = [];
    const redraw = this.model.pair && items.length > 0 ? applyStream(this.model.pair, items) : false;
    if (items.length > 0 && !redraw && !this.stale) return this.transcripts?.catchUp();
    this.stale = false;
    const model = this.model;
    const { progress, phase, slots } = model.state;
    this.progress.hidden = phase === 'idle';
    this.progress.max = Math.max(1, progress.total);
    this.progress.value = progress.done;
    this.episodes.hidden = this.work.hidden = slots.length === 0;
    for (const view of this.views) view.update(model);
    if (slots.length > 0) this.plots?.update(model);
    this.host.save({ uri: model.state.uri, session: model.state.sessionId, ui: model.ui });
  }

  /** Ends of episodes are announced; running text is not. */
  private announce(before: PlayerState, after: PlayerState): void {
    const ended: string[] = [];
    after.slots.forEach((slot, index) => {
      for (const arm of ['hint', 'noHint'] as const) {
        const [was, is] = [before.slots[index]?.[arm], slot[arm]];
        if (!is || is.status === 'queued' || is.status === 'running' || (was?.status !== 'queued' && was?.status !== 'running')) continue;
        if (groupOf(is) !== 'cancelled') ended.push(cellLabel(slot, arm));
      }
    });
    if (ended.length > 0) this.polite.textContent = ended.length > 4 ? t('{n} episodes ended', { n: ended.length }) : ended.join('. ');
  }

  private onKey(event: KeyboardEvent): void {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.moveSlot(-1), ArrowRight: () => this.moveSlot(1), ArrowUp: () => this.moveStep(-1), ArrowDown: () => this.moveStep(1),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  private patch(ui: Partial<Model['ui']>): void {
    if (!this.model) return;
    this.model = { ...this.model, ui: { ...this.model.ui, ...ui } };
    this.draw();
  }

  private ask(work: Promise<unknown>): void {
    this.alert.hidden = true;
    work.catch((error: unknown) => {
      this.alert.textContent = error instanceof ChannelError ? `${say(error.what)} ${say(error.next)}` : String(error);
      this.alert.hidden = false;
      this.draw();
    });
  }

  change(settings: Partial<PlaySettings>): void {
    if (!this.model) return;
    this.model = { ...this.model, settings: { ...this.model.settings, ...settings } };
    this.host.channel.notify('settings', this.model.settings);
    this.draw();
  }

  ui(patch: Partial<Model['ui']>): void {
    this.patch(patch);
  }

  select(slots: TranscriptPair['slots'], compare: PairCompare | null = null): void {
    if (!this.model || JSON.stringify([slots, compare]) === JSON.stringify([this.model.ui.slots, this.model.ui.compare])) return;
    this.model = { ...this.model, pair: null };
    this.patch({ slots, compare, step: null });
    this.watch();
  }

  selectStep(arm: ArmName, step: number): void {
    if (this.model) this.model = { ...this.model, visits: this.model.visits + 1 };
    this.patch({ step: { arm, step }, arm });
  }

  moveSlot(by: number): void {
    if (!this.model) return;
    const { state, ui } = this.model;
    const paired = state.mode === 'paired';
    if (ui.compare) {
      const { compare } = ui;
      const at = (ui.slots.noHint ?? 0) + by;
      if (state.slots[at]?.[compare.arm]) this.select({ hint: compare.other ? at : ui.slots.hint, noHint: at }, compare);
      return;
    }
    const arm = paired ? (ui.slots.hint === null ? 'noHint' : 'hint') : ui.arm;
    const next = (ui.slots[arm] ?? 0) + by;
    if (!state.slots[next]) return;
    this.select(paired ? { hint: state.slots[next].hint ? next : null, noHint: state.slots[next].noHint ? next : null } : { ...ui.slots, [arm]: state.slots[next][arm] ? next : ui.slots[arm] });
  }

  moveStep(by: number): void {
    const at = this.model?.ui.step;
    const next = (at?.step ?? 0) + by;
    if (at && this.model?.pair?.[at.arm]?.steps[next - 1]) this.selectStep(at.arm, next);
  }

  start(settings: Partial<PlaySettings> = {}): void {
    if (!this.model) return;
    this.change(settings);
    this.patch({ editHint: false });
    this.ask(this.host.channel.request('start', this.model.settings));
  }

  stop(): void {
    this.host.channel.notify('stop', null);
  }

  stopOne(arm: ArmName): void {
    const slot = this.model?.ui.slots[arm];
    if (slot !== null && slot !== undefined) this.host.channel.notify('stop', { arm, slot });
  }

  retry(): void {
    this.ask(this.host.channel.request('retry', null));
  }

  resume(): void {
    this.ask(this.host.channel.request('resume', null));
  }

  extend(pairs: number): void {
    this.ask(this.host.channel.request('extend', { pairs }));
  }

  /** True when the move was taken. */
  async humanMove(move: HumanMove): Promise<boolean> {
    const asked = this.host.channel.request('humanMove', move);
    this.ask(asked);
    return asked.then(() => true, () => false);
  }

  replayAll(): void {
    this.ask(this.host.channel.request('replayAll', null));
  }

  endComparison(back: boolean): void {
    if (this.model?.ui.compare?.other) this.select(this.model.ui.slots);
    this.ask(this.host.channel.request('endComparison', { back }));
  }

  writeHint(): void {
    this.ask(this.host.channel.request('writeHint', null).then(({ text }) => this.change({ hint: text })));
  }

  open(target: Parameters<Actions['open']>[0], line?: number): void {
    this.ask(this.host.channel.request('open', { target, line: line ?? null }));
  }

  openText(...[step, part]: Parameters<Actions['openText']>): void {
    this.ask(this.host.channel.request('openText', { ...step, part }));
  }

  copyText(...[step, part]: Parameters<Actions['copyText']>): void {
    this.ask(this.host.channel.request('copyText', { ...step, part }));
  }

  onStep(...[action, step]: Parameters<Actions['onStep']>): void {
    this.ask(this.host.channel.request(action, step));
  }
}
