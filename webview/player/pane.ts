import type { ArmName } from '../../src/shared/play';
import type { Divergence, Transcript, TranscriptPair } from '../../src/shared/webviewProtocol';
import { link } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { armWord, armWordInside, glyphs } from './cells';
import { rowsOf, sameSteps, type RowPlan } from './fold';
import { LazyRows } from './lazyRows';
import { LiveStep } from './liveStep';
import { sourceOf, type Actions, type Model } from './model';
import { groupOf } from './statusGroup';
import { stepArticle, type StepContext } from './stepView';
import { cellKey, divergenceWords, divergesAt, endCap, ended, headOf, headWords, side } from './transcriptParts';

/** Marks in what is unfolded that the row of identical steps is. */
const SAME = 'same steps';

/** What panes share. */
export interface PaneParts {
  readonly actions: Actions;
  /** Texts that were unfolded in the episodes on screen. */
  readonly unfolded: Set<string>;
  /** The step of an arm, drawn, in whichever pane shows it. */
  readonly reach: (arm: ArmName, step: number) => HTMLElement | null;
  /** A pane began or ended to follow its end. */
  readonly followed: () => void;
}

/** Columns that scroll together, a row a step: both arms level with each other, or one. */
export class Pane {
  readonly element = el('div', { class: 'cols scroll' });
  /** True while the end of what is played stays in view. */
  following = true;
  private readonly heads = el('div', { class: 'heads' });
  private readonly rows = new LazyRows('row-of-steps');
  private readonly headsChanged = changeOf();
  private readonly live: Record<ArmName, LiveStep | null> = { hint: null, noHint: null };
  private model: Model | null = null;
  private shown = '';
  private selected = '';
  private visits = 0;
  /** True from going to a step until the reader does something: rows on the way are drawn late and may be higher than they were guessed. */
  private bringing = false;
  private plan: readonly RowPlan[] = [];

  constructor(private readonly arms: readonly ArmName[], private readonly parts: PaneParts) {
    this.element.append(this.heads, this.rows.element, el('div', { class: 'spacer' }));
    this.element.addEventListener('scroll', () => this.onScroll(), { passive: true });
    // Neither text that streams and rows that are drawn late, nor what else takes room below, such as a person's turn, hides the end that is followed.
    const sizes = new ResizeObserver(() => {
      if (this.following && this.isRunning()) this.toEnd();
      else if (this.bringing) this.scrollTo(this.element.querySelector('.step.sel'));
    });
    sizes.observe(this.element);
    sizes.observe(this.rows.element);
    for (const input of ['wheel', 'pointerdown', 'keydown'] as const) this.element.addEventListener(input, () => (this.bringing = false), { passive: true, capture: true });
    this.element.addEventListener('click', (event) => this.onClick(event));
    this.element.addEventListener('keydown', (event) => this.onKey(event));
  }

  update(model: Model): void {
    this.model = model;
    if (model.pair) this.updatePair(model.pair);
    else this.rows.update((this.plan = []));
    this.catchUp();
    this.element.classList.toggle('one', this.arms.filter((arm) => model.pair?.[arm]).length < 2);
    this.updateSelection(model);
    if (this.following && this.isRunning()) this.toEnd();
  }

  /** True while an episode of this pane is played. */
  isRunning(): boolean {
    return this.arms.some((arm) => this.model?.pair?.[arm]?.status === 'running');
  }

  toEnd(): void {
    this.following = true;
    this.element.scrollTop = this.element.scrollHeight;
  }

  /** Shows what has come of the steps being played. Called at most once a frame. */
  catchUp(): void {
    for (const arm of this.arms) {
      const live = this.model?.pair?.[arm]?.live;
      if (live) this.live[arm]?.catchUp(live);
    }
  }

  /** The step of an arm, drawn; null when this pane does not show it. */
  reach(arm: ArmName, step: number): HTMLElement | null {
    if (step < 1 || !this.arms.includes(arm)) return null;
    this.rows.reveal(this.rowOf(step));
    return this.article(arm, step);
  }

  private updatePair(pair: TranscriptPair): void {
    const identity = JSON.stringify([pair.slots, pair.compare]);
    if (identity !== this.shown) {
      this.shown = identity;
      this.following = true;
    }
    if (this.headsChanged([pair.titles, ...this.arms.map((arm) => headOf(pair[arm]))])) fill(this.heads, ...this.arms.map((arm) => this.head(arm, pair[arm])));
    const length = (transcript: Transcript | null): number => (transcript ? Math.max(transcript.steps.length + (ended(transcript) ? 1 : 0), transcript.live?.step ?? 0) : 0);
    const mayFold = this.arms.length > 1 && this.model?.ui.fold && !this.parts.unfolded.has(SAME);
    this.plan = rowsOf(Math.max(...this.arms.map((arm) => length(pair[arm]))), mayFold ? sameSteps(pair) : null);
    this.rows.update(this.plan.map((row) => {
      if (row.kind === 'fold') return { key: `${identity} fold ${row.from} ${row.to}`, draw: () => [this.drawFold(row)] };
      const cells = this.arms.map((arm) => cellKey(pair[arm], row.step));
      return { key: `${identity} ${cells.join(' ')} ${divergesAt(pair.divergence, row.step)}`, draw: () => this.drawRow(row.step) };
    }));
  }

  /** One row for all steps that are the same in both columns. */
  private drawFold({ from, to }: Extract<RowPlan, { kind: 'fold' }>): HTMLElement {
    return el('div', { class: 'same' }, icon('right', 'muted'), link(t('Steps {from} to {to} are the same in both columns', { from, to }), () => {
      this.parts.unfolded.add(SAME);
      if (this.model) this.update(this.model);
    }, 'small'));
  }

  /** The row of a step; the fold that hides it is opened. */
  private rowOf(step: number): number {
    const at = this.plan.findIndex((row) => (row.kind === 'fold' ? row.from <= step && step <= row.to : row.step === step));
    if (this.plan[at]?.kind !== 'fold') return at;
    this.parts.unfolded.add(SAME);
    if (this.model?.pair) this.updatePair(this.model.pair);
    return this.plan.findIndex((row) => row.kind === 'step' && row.step === step);
  }

  private head(arm: ArmName, transcript: Transcript | null): HTMLElement | null {
    if (!transcript) return null;
    const group = groupOf(transcript);
    const words = el('span', { class: 'ell', text: headWords(transcript) });
    const stop = !ended(transcript) && link(t('Stop'), () => this.parts.actions.stopOne(arm), 'small right');
    const titles = this.model?.pair?.titles;
    return el('div', { class: `arm ${side(arm)}` }, el('b', { class: 'ell', text: titles ? say(titles[arm]) : armWord(arm) }), icon(...glyphs[group]), words, stop);
  }

  private drawRow(step: number): HTMLElement[] {
    const pair = this.model?.pair;
    if (!pair) return [];
    const cells = this.arms.filter((arm) => pair[arm] !== null).map((arm) => el('div', { class: `c ${side(arm)}` }, this.drawCell(arm, pair[arm] as Transcript, step)));
    const row = el('div', { class: 'pair' }, ...cells);
    const mark = divergesAt(pair.divergence, step) && el('div', { class: 'diverge' }, el('span', { text: divergenceWords(pair.divergence as Divergence) }));
    queueMicrotask(() => this.model && this.updateSelection(this.model, true));
    return mark ? [mark, row] : [row];
  }

  private drawCell(arm: ArmName, transcript: Transcript, step: number): HTMLElement | null {
    const { actions, unfolded } = this.parts;
    const pair = this.model?.pair;
    const source = (pair && sourceOf(pair, arm)) ?? { arm, slot: 0 };
    const title = pair?.titles ? say(pair.titles[arm]) : armWordInside(arm);
    const context: StepContext = { arm, source, title, transcript, unfolded, actions, redraw: () => this.rows.redraw(this.rowOf(step)) };
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
    const isFirst = this.visits === 0;
    const moved = key !== this.selected && visits !== this.visits;
    if (moved && !isFirst) this.following = false;
    this.selected = key;
    if (ui.step) this.visits = visits;
    for (const old of this.element.querySelectorAll('.step[tabindex="0"]')) old.setAttribute('tabindex', '-1');
    for (const old of this.element.querySelectorAll('.step.sel')) old.classList.remove('sel');
    if (!ui.step || !this.arms.includes(ui.step.arm)) {
      this.element.querySelector('.step')?.setAttribute('tabindex', '0');
      return;
    }
    if (moved) this.rows.reveal(this.rowOf(ui.step.step));
    const target = this.article(ui.step.arm, ui.step.step);
    target?.classList.add('sel');
    target?.setAttribute('tabindex', '0');
    // In a narrow panel the whole page scrolls, and is read from its beginning.
    if (!moved || (isFirst && this.element.scrollHeight <= this.element.clientHeight)) return;
    this.bringing = true;
    this.scrollTo(target);
  }

  /** Brings a step into view; of one that does not fit, its beginning. */
  private scrollTo(step: HTMLElement | null): void {
    const room = this.element.clientHeight - this.heads.offsetHeight;
    step?.scrollIntoView({ block: step.offsetHeight > room ? 'start' : 'nearest' });
  }

  private article(arm: ArmName, step: number): HTMLElement | null {
    return this.element.querySelector<HTMLElement>(`.step[data-arm=${arm}][data-step="${step}"]`);
  }

  private onClick(event: Event): void {
    if (!(event.target instanceof Element) || event.target.closest('button')) return;
    const article = event.target.closest<HTMLElement>('.step');
    if (article && getSelection()?.isCollapsed !== false) this.parts.actions.selectStep(article.dataset.arm as ArmName, Number(article.dataset.step));
  }

  private onKey(event: KeyboardEvent): void {
    const article = event.target instanceof HTMLElement && event.target.classList.contains('step') ? event.target : null;
    if (!article || event.altKey || event.ctrlKey || event.metaKey) return;
    const arm = article.dataset.arm as ArmName;
    const step = Number(article.dataset.step);
    const go = (to: ArmName, at: number): void => {
      const target = this.parts.reach(to, at);
      if (!target) return;
      this.parts.actions.selectStep(to, at);
      target.focus({ preventScroll: true });
    };
    switch (event.key) {
      case 'ArrowUp': go(arm, step - 1); break;
      case 'ArrowDown': go(arm, step + 1); break;
      case 'ArrowLeft': if (arm === 'noHint') go('hint', step); break;
      case 'ArrowRight': if (arm === 'hint') go('noHint', step); break;
      case 'Enter': this.parts.actions.selectStep(arm, step); break;
      case ' ': article.querySelector<HTMLElement>('button.fold')?.click(); this.article(arm, step)?.focus(); break;
      default: return;
    }
    event.preventDefault();
  }

  private onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const atEnd = scrollHeight - scrollTop - clientHeight < 24;
    if (atEnd === this.following) return;
    this.following = atEnd;
    this.parts.followed();
  }
}
