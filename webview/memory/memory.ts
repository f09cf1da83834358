import { ChannelError } from '../../src/shared/webviewChannel';
import type { Draw, MemoryAction, MemoryHost, MemoryRowView, MemoryState, MemoryView, RecordAction } from '../../src/shared/webviewMemory';
import { moveByRegion } from '../player/regions';
import { el } from '../ui/dom';
import { oncePerFrame } from '../ui/frame';
import type { Host } from '../ui/host';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { Bar } from './bar';
import { Detail } from './detail';
import { Header } from './header';
import { List } from './list';
import { goneOf, listed, type Gone, type Ui } from './model';
import type { Actions, View } from './view';
import { Nothing } from './nothing';
import { Plot } from './plot';
import { restoreUi } from './saved';
import { classWord, rankWords } from './shapes';

/** How long new rows stay marked, in milliseconds. */
const FRESH_MS = 2_000;

/** The memory view: owns the choice that plot, list and detail share, and speaks to the host. */
export class Memory implements Actions {
  private state: MemoryState | null = null;
  private ui: Ui | null = null;
  private found: ReadonlySet<string> | null = null;
  private chosen: MemoryRowView | null = null;
  private gone: Gone | null = null;
  private pictured: Draw | null = null;
  private fresh: ReadonlySet<string> = new Set();
  private views: readonly View[] = [];
  private asked = 0;
  private readonly main = el('main');
  private readonly alert = el('div', { class: 'banner', role: 'alert', hidden: true });
  private readonly unused = el('div', { class: 'banner warning-line', role: 'status', hidden: true });
  private readonly work = el('div', { class: 'work' });
  private readonly polite = el('div', { class: 'sr', role: 'status', attrs: { 'aria-live': 'polite' } });
  private readonly draws = oncePerFrame(() => this.update());

  constructor(private readonly host: Host<typeof MemoryHost, typeof MemoryView>) {}

  begin(state: MemoryState): void {
    const [header, bar, plot, list, detail, nothing] = [new Header(this), new Bar(this), new Plot(this), new List(this), new Detail(this), new Nothing(this)];
    this.views = [header, bar, plot, list, detail, nothing];
    this.work.append(el('div', { class: 'left' }, plot.element, list.element), detail.element);
    this.main.append(header.element, bar.element, this.unused, this.alert, nothing.element, this.work, this.polite);
    document.body.append(this.main);
    moveByRegion(this.main);
    this.state = state;
    this.ui = restoreUi(this.host.load(), state);
    if (this.ui.query !== '') this.find(this.ui.query);
    this.choose(state.rows.find(({ key }) => key === this.ui?.selected) ?? listed(state.rows, this.ui, null)[0] ?? null);
    this.update();
  }

  /** A later save: choice and scroll stay, new rows are marked for a moment. */
  setState(state: MemoryState): void {
    if (!this.state || !this.ui) return;
    const before = new Set(this.state.rows.map(({ key }) => key));
    const sameFile = this.state.file === state.file;
    const former = this.state;
    const added = sameFile && before.size > 0 ? state.rows.filter(({ key }) => !before.has(key)).map(({ key }) => key) : [];
    this.state = state;
    if (!sameFile || (before.size === 0 && state.rows.length > 0)) this.ui = restoreUi(null, state);
    if (this.ui.query !== '') this.find(this.ui.query);
    const still = state.rows.find(({ key }) => key === this.chosen?.key);
    if (still || !sameFile || !this.chosen) this.choose(still ?? listed(state.rows, this.ui, null)[0] ?? null, true);
    else if (former.rows.some(({ key }) => key === this.chosen?.key)) {
      this.gone = goneOf(former, state, this.chosen.key);
      this.polite.textContent = t('The chosen record is no longer in the memory.');
    }
    if (added.length > 0) this.markFresh(added);
    this.draws();
  }

  private markFresh(keys: readonly string[]): void {
    this.fresh = new Set(keys);
    this.polite.textContent = keys.length === 1 ? t('1 new record') : t('{n} new records', { n: keys.length });
    setTimeout(() => {
      this.fresh = new Set();
      this.draws();
    }, FRESH_MS);
  }

  private choose(row: MemoryRowView | null, isSameSave = false): void {
    const changed = row?.key !== this.chosen?.key;
    this.chosen = row;
    if (this.ui) this.ui = { ...this.ui, selected: row?.key ?? null };
    if (!row) this.pictured = null;
    else if (changed || isSameSave) this.draw(changed ? null : this.pictured?.seed ?? null);
  }

  private update(): void {
    const { state, ui, chosen } = this;
    if (!state || !ui) return;
    const rows = listed(state.rows, ui, this.found);
    const gone = chosen !== null && !state.rows.some(({ key }) => key === chosen.key) ? this.gone : null;
    this.work.hidden = state.rows.length === 0;
    this.unused.hidden = state.notUsed === null;
    if (state.notUsed) this.unused.replaceChildren(icon('warning', 'warning'), el('span', { text: `${say(state.notUsed)} ${t('What is pushed into it is never read.')}` }));
    for (const view of this.views) view.update({ state, ui, rows, chosen, gone, found: this.found, draw: gone ? null : this.pictured, fresh: this.fresh });
    this.host.save({ file: state.file, ui });
  }

  private ask<T>(work: Promise<T>, done: (value: T) => void = () => undefined): void {
    work.then((value) => {
      this.alert.hidden = true;
      done(value);
    }, (error: unknown) => {
      this.alert.textContent = error instanceof ChannelError ? `${say(error.what)} ${say(error.next)}` : String(error);
      this.alert.hidden = false;
    });
  }

  private find(query: string): void {
    this.ask(this.host.channel.request('find', { query }), ({ keys }) => {
      if (this.ui?.query !== query) return;
      this.found = new Set(keys);
      this.draws();
    });
  }

  set(patch: Partial<Ui>): void {
    if (!this.ui || !this.state) return;
    this.ui = { ...this.ui, ...patch };
    if (patch.query === '') this.found = null;
    else if (patch.query !== undefined) this.find(patch.query);
    const rows = listed(this.state.rows, this.ui, this.found);
    if (patch.query === undefined && rows.length > 0 && !rows.some(({ key }) => key === this.chosen?.key)) this.choose(rows[0] ?? null);
    this.draws();
  }

  /** Chooses a record; one that the filters leave out brings its skill along. */
  select(key: string): void {
    const row = this.state?.rows.find((other) => other.key === key);
    if (!row || !this.ui) return;
    if (!listed([row], this.ui, this.found).length) {
      this.ui = { ...this.ui, skill: row.skill, kind: null, finding: null, query: '' };
      this.found = null;
    }
    this.choose(row);
    this.polite.textContent = `${row.name}, ${classWord(row.class)}, ${rankWords(row)}`;
    this.draws();
  }

  move(by: number): void {
    if (!this.state || !this.ui) return;
    const rows = listed(this.state.rows, this.ui, this.found);
    const at = rows.findIndex(({ key }) => key === this.chosen?.key);
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (next) this.select(next.key);
  }

  onRecord(action: RecordAction): void {
    if (this.chosen) this.ask(this.host.channel.request('onRecord', { key: this.chosen.key, action }));
  }

  act(action: MemoryAction, line: number | null = null): void {
    this.ask(this.host.channel.request('act', { action, line }));
  }

  /** Draws for the chosen record: with a seed, with the first that holds it (null), or with another one (negative). */
  draw(seed: number | null): void {
    const { chosen } = this;
    if (!chosen) return;
    const mine = (this.asked += 1);
    const wanted = seed !== null && seed < 0 ? (this.pictured?.seed ?? 0) + 1 : seed;
    this.ask(this.host.channel.request('draw', { key: chosen.key, seed: wanted }), (draw) => {
      if (mine !== this.asked) return;
      this.pictured = draw;
      this.draws();
    });
  }

  openDraw(): void {
    if (this.chosen && this.pictured) this.ask(this.host.channel.request('openDraw', { key: this.chosen.key, seed: this.pictured.seed }));
  }

  copyDraw(): void {
    if (this.chosen && this.pictured) this.ask(this.host.channel.request('copyDraw', { key: this.chosen.key, seed: this.pictured.seed }));
  }
}
