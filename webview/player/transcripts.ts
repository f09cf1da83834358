import type { ArmName } from '../../src/shared/play';
import type { Divergence, StepRef, StreamItem, Transcript, TranscriptPair } from '../../src/shared/webviewProtocol';
import { iconButton, link, Segments, TextBox } from '../ui/controls';
import { el, fill, setText } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { armWord, armWordInside, glyphs } from './cells';
import { groupOf } from './statusGroup';
import { LazyRows } from './lazyRows';
import { sameSteps, rowsOf, type RowPlan } from './fold';
import { markFound } from './found';
import { LiveStep } from './liveStep';
import { sourceOf, type Actions, type Model, type View } from './model';
import { findStep } from './search';
import { stepArticle, type StepContext } from './stepView';
import { about, cellKey, divergenceWords, divergesAt, endCap, ended, headOf, headWords, side } from './transcriptParts';

const ARMS: readonly ArmName[] = ['hint', 'noHint'];
/** Marks in what is unfolded that the row of identical steps is. */
const SAME = 'same steps';

/** Both episodes level with each other, a row a step. */
export class Transcripts implements View {
  readonly element = el('section', { class: 'tr', attrs: { 'data-region': '' } });
  private readonly title = el('b');
  private readonly about = el('span', { class: 'muted ell' });
  private readonly find: TextBox;
  private readonly findButton: HTMLButtonElement;
  private readonly tabs: Segments<ArmName>;
  private readonly heads = el('div', { class: 'heads' });
  private readonly rows = new LazyRows('row-of-steps');
  private readonly cols = el('div', { class: 'cols scroll' });
  private readonly follow: HTMLButtonElement;
  private readonly headsChanged = changeOf();
  private readonly unfolded = new Set<string>();
  private readonly live: Record<ArmName, LiveStep | null> = { hint: null, noHint: null };
  private model: Model | null = null;
  private shown = '';
  private following = true;
  private selected = '';
  private visits = 0;
  private plan: readonly RowPlan[] = [];

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Transcripts'));
    this.find = new TextBox((text) => this.search(text), 'search', { placeholder: t('Search') });
    this.findButton = iconButton('search', t('Search in transcripts'), () => actions.ui({ query: this.find.element.hidden ? '' : null }));
    this.tabs = new Segments(t('Arm'), ARMS.map((arm) => ({ value: arm, label: armWord(arm) })), (arm) => actions.ui({ arm }));
    this.tabs.element.classList.add('armtabs');
    this.follow = link(t('Follow'), () => this.toEnd(), 'small');
    const head = el('header', { class: 'trh' },
      iconButton('left', t('Previous episode (Alt+Left)'), () => actions.moveSlot(-1)), this.title, iconButton('right', t('Next episode (Alt+Right)'), () => actions.moveSlot(1)), this.about,
      el('div', { class: 'row right acts' }, this.follow, this.find.element, this.findButton,
        iconButton('copy', t('Copy'), () => this.withEpisode((source) => actions.copyText({ ...source, step: 1 }, 'transcript'))),
        iconButton('open', t('Open as document'), () => this.withEpisode((source) => actions.openText({ ...source, step: 1 }, 'transcript')))));
    this.cols.append(this.heads, this.rows.element, el('div', { class: 'spacer' }));
    this.cols.addEventListener('scroll', () => this.onScroll(), { passive: true });
    // What else takes room below, such as a person's turn, must not hide the end that is followed.
    new ResizeObserver(() => this.following && this.isRunning() && this.toEnd()).observe(this.cols);
    this.cols.addEventListener('click', (event) => this.onClick(event));
    this.cols.addEventListener('keydown', (event) => this.onKey(event));
    this.element.append(head, this.tabs.element, this.cols);
  }

  update(model: Model): void {
    this.model = model;
    const { state, pair, ui } = model;
    this.element.classList.toggle('show-hint', ui.arm === 'hint');
    this.element.classList.toggle('show-noHint', ui.arm === 'noHint');
    this.tabs.update(ui.arm);
    this.find.element.hidden = ui.query === null;
    this.updateTitle(model);
    if (pair) this.updatePair(pair);
    else this.rows.update((this.plan = []));
    this.cols.classList.toggle('one', !pair?.hint || !pair.noHint);
    this.tabs.element.hidden = !pair?.hint || !pair.noHint;
    this.updateSelection(model);
    const running = this.isRunning();
    this.follow.hidden = !running || this.following || state.phase === 'idle';
    if (running && this.following) this.cols.scrollTop = this.cols.scrollHeight;
  }

  private isRunning(): boolean {
    return ARMS.some((arm) => this.model?.pair?.[arm]?.status === 'running');
  }

  /** Adds what streams to the steps being played. Called at most once a frame. */
  stream(items: readonly StreamItem[]): void {
    const texts = new Map<string, { arm: ArmName; kind: 'text' | 'thinking'; text: string }>();
    for (const item of items) {
      if (item.kind !== 'text' && item.kind !== 'thinking') continue;
      const key = `${item.arm} ${item.kind}`;
      texts.set(key, { arm: item.arm, kind: item.kind, text: (texts.get(key)?.text ?? '') + item.text });
    }
    for (const { arm, kind, text } of texts.values()) this.live[arm]?.append(kind, text);
    if (this.following && texts.size > 0) this.cols.scrollTop = this.cols.scrollHeight;
  }

  private updateTitle({ state, pair, ui }: Model): void {
    const paired = state.mode === 'paired';
    const slot = ui.slots[paired ? 'hint' : ui.arm] ?? ui.slots.noHint ?? ui.slots.hint;
    const at = slot === null ? undefined : state.slots[slot];
    const several = at && state.slots.filter(({ seed }) => seed === at.seed).length;
    const seed = at?.seed === null ? t('Play {n}', { n: at.play + 1 }) : t('Seed {seed}', { seed: at?.seed ?? '\u2013' });
    setText(this.title, paired && several && several > 1 ? t('{seed}, play {n} of {all}', { seed, n: at.play + 1, all: several }) : seed);
    setText(this.about, !at || ui.compare ? '' : about(state.mode, at.gap, pair));
  }

  private updatePair(pair: TranscriptPair): void {
    const identity = JSON.stringify([pair.slots, pair.compare]);
    if (identity !== this.shown) {
      this.shown = identity;
      this.unfolded.clear();
      this.following = true;
    }
    if (this.headsChanged([pair.titles, ...ARMS.map((arm) => headOf(pair[arm]))])) fill(this.heads, ...ARMS.map((arm) => this.head(arm, pair[arm])));
    const length = (transcript: Transcript | null): number => (transcript ? Math.max(transcript.steps.length + (ended(transcript) ? 1 : 0), transcript.live?.step ?? 0) : 0);
    const count = Math.max(length(pair.hint), length(pair.noHint));
    this.plan = rowsOf(count, this.model?.ui.fold && !this.unfolded.has(SAME) ? sameSteps(pair) : null);
    this.rows.update(this.plan.map((row) => {
      if (row.kind === 'fold') return { key: `${identity} fold ${row.from} ${row.to}`, draw: () => [this.drawFold(row)] };
      const parts = ARMS.map((arm) => cellKey(pair[arm], row.step));
      return { key: `${identity} ${parts.join(' ')} ${divergesAt(pair.divergence, row.step)}`, draw: () => this.drawRow(row.step) };
    }));
    markFound(this.cols, this.model?.ui.query ?? '');
  }

  /** One row for all steps that are the same in both columns. */
  private drawFold({ from, to }: Extract<RowPlan, { kind: 'fold' }>): HTMLElement {
    return el('div', { class: 'same' }, icon('right', 'muted'), link(t('Steps {from} to {to} are the same in both columns', { from, to }), () => {
      this.unfolded.add(SAME);
      if (this.model) this.update(this.model);
    }, 'small'));
  }

  /** The row of a step; the fold that hides it is opened. */
  private rowOf(step: number): number {
    const at = this.plan.findIndex((row) => (row.kind === 'fold' ? row.from <= step && step <= row.to : row.step === step));
    if (this.plan[at]?.kind !== 'fold') return at;
    this.unfolded.add(SAME);
    if (this.model?.pair) this.updatePair(this.model.pair);
    return this.plan.findIndex((row) => row.kind === 'step' && row.step === step);
  }

  private head(arm: ArmName, transcript: Transcript | null): HTMLElement | null {
    if (!transcript) return null;
    const group = groupOf(transcript);
    const words = el('span', { class: 'ell', text: headWords(transcript) });
    const stop = transcript.status === 'running' && link(t('Stop'), () => this.actions.stopOne(arm), 'small right');
    return el('div', { class: `arm ${side(arm)}` }, el('b', { class: 'ell', text: this.columnTitle(arm) }), icon(...glyphs[group]), words, stop);
  }

  private columnTitle(arm: ArmName): string {
    const titles = this.model?.pair?.titles;
    return titles ? say(titles[arm]) : armWord(arm);
  }

  private drawRow(step: number): HTMLElement[] {
    const pair = this.model?.pair;
    if (!pair) return [];
    const cells = ARMS.filter((arm) => pair[arm] !== null).map((arm) => el('div', { class: `c ${side(arm)}` }, this.drawCell(arm, pair[arm] as Transcript, step)));
    const row = el('div', { class: 'pair' }, ...cells);
    const mark = divergesAt(pair.divergence, step) && el('div', { class: 'diverge' }, el('span', { text: divergenceWords(pair.divergence as Divergence) }));
    queueMicrotask(() => this.model && this.updateSelection(this.model, true));
    return mark ? [mark, row] : [row];
  }

  private drawCell(arm: ArmName, transcript: Transcript, step: number): HTMLElement | null {
    const pair = this.model?.pair;
    const source = (pair && sourceOf(pair, arm)) ?? { arm, slot: 0 };
    const title = pair?.titles ? say(pair.titles[arm]) : armWordInside(arm);
    const context: StepContext = { arm, source, title, transcript, unfolded: this.unfolded, actions: this.actions, redraw: () => this.rows.redraw(this.rowOf(step)) };
    const view = transcript.steps[step - 1];
    if (view) return stepArticle(context, view);
    if (transcript.live?.step === step) {
      this.live[arm] = new LiveStep(context, step, transcript.live);
      return this.live[arm].element;
    }
    return ended(transcript) && step === transcript.steps.length + 1 ? endCap(transcript) : null;
  }

  private updateSelection({ ui, pair, visits }: Model, force = false): void {
    if (!pair) return;
    const key = ui.step ? `${this.shown} ${ui.step.arm} ${ui.step.step}` : '';
    if (key === this.selected && !force) return;
    const moved = key !== this.selected && visits !== this.visits;
    this.selected = key;
    if (ui.step) this.visits = visits;
    for (const old of this.cols.querySelectorAll('.step[tabindex="0"]')) old.setAttribute('tabindex', '-1');
    for (const old of this.cols.querySelectorAll('.step.sel')) old.classList.remove('sel');
    if (!ui.step) {
      this.cols.querySelector('.step')?.setAttribute('tabindex', '0');
      return;
    }
    if (moved) this.rows.reveal(this.rowOf(ui.step.step));
    const target = this.article(ui.step.arm, ui.step.step);
    target?.classList.add('sel');
    target?.setAttribute('tabindex', '0');
    if (!moved) return;
    this.scrollTo(target);
    // Rows on the way are drawn only now and may be higher than they were guessed.
    requestAnimationFrame(() => this.scrollTo(this.cols.querySelector('.step.sel')));
  }

  /** Brings a step into view; of one that does not fit, its beginning. */
  private scrollTo(step: HTMLElement | null): void {
    const room = this.cols.clientHeight - this.heads.offsetHeight;
    step?.scrollIntoView({ block: step.offsetHeight > room ? 'start' : 'nearest' });
  }

  /** Moves the keyboard to the selected step. */
  focusSelected(): void {
    this.cols.querySelector<HTMLElement>('.step[tabindex="0"]')?.focus();
  }

  private article(arm: ArmName, step: number): HTMLElement | null {
    return this.cols.querySelector<HTMLElement>(`.step[data-arm=${arm}][data-step="${step}"]`);
  }

  private onClick(event: Event): void {
    if (!(event.target instanceof Element) || event.target.closest('button')) return;
    const article = event.target.closest<HTMLElement>('.step');
    if (article && getSelection()?.isCollapsed !== false) this.actions.selectStep(article.dataset.arm as ArmName, Number(article.dataset.step));
  }

  private onKey(event: KeyboardEvent): void {
    const article = event.target instanceof HTMLElement && event.target.classList.contains('step') ? event.target : null;
    if (!article || event.altKey || event.ctrlKey || event.metaKey) return;
    const arm = article.dataset.arm as ArmName;
    const step = Number(article.dataset.step);
    const other: ArmName = arm === 'hint' ? 'noHint' : 'hint';
    const go = (to: ArmName, at: number): void => {
      if (at >= 1) this.rows.reveal(this.rowOf(at));
      const target = this.article(to, at);
      if (!target) return;
      this.actions.selectStep(to, at);
      target.focus({ preventScroll: true });
    };
    switch (event.key) {
      case 'ArrowUp': go(arm, step - 1); break;
      case 'ArrowDown': go(arm, step + 1); break;
      case 'ArrowLeft': if (arm === 'noHint') go(other, step); break;
      case 'ArrowRight': if (arm === 'hint') go(other, step); break;
      case 'Enter': this.actions.selectStep(arm, step); break;
      case ' ': article.querySelector<HTMLElement>('button.fold')?.click(); this.article(arm, step)?.focus(); break;
      default: return;
    }
    event.preventDefault();
  }

  private onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.cols;
    const atEnd = scrollHeight - scrollTop - clientHeight < 24;
    if (atEnd === this.following) return;
    this.following = atEnd;
    if (this.model) this.update(this.model);
  }

  private toEnd(): void {
    this.following = true;
    this.cols.scrollTop = this.cols.scrollHeight;
  }

  private search(query: string): void {
    const pair = this.model?.pair;
    const from = this.model?.ui.step ?? null;
    const found = pair && query !== '' ? findStep(pair, query, from) : null;
    this.find.element.classList.toggle('bad', query !== '' && !found);
    if (found) this.actions.selectStep(found.arm, found.step);
    this.actions.ui({ query });
  }

  private withEpisode(use: (source: Omit<StepRef, 'step'>) => void): void {
    const pair = this.model?.pair;
    const arm = this.model?.ui.step?.arm ?? this.model?.ui.arm ?? 'noHint';
    const chosen = pair?.[arm] ? arm : pair?.hint ? 'hint' : 'noHint';
    const source = pair && sourceOf(pair, chosen);
    if (source) use(source);
  }
}
