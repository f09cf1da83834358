import type { ArmName } from '../../src/shared/play';
import type { StepRef } from '../../src/shared/webviewProtocol';
import { iconButton, link, Segments, TextBox } from '../ui/controls';
import { el, setAttr, setText } from '../ui/dom';
import { t } from '../ui/strings';
import { armWord } from './cells';
import { markFound } from './found';
import { sourceOf, type Actions, type Model, type View } from './model';
import { Pane, type PaneParts } from './pane';
import { findStep } from './search';
import { about } from './transcriptParts';

const ARMS: readonly ArmName[] = ['hint', 'noHint'];

/** Both episodes: level with each other while scrolling is locked, else each scrolled by itself. */
export class Transcripts implements View {
  readonly element = el('section', { class: 'tr', attrs: { 'data-region': '' } });
  private readonly title = el('b');
  private readonly about = el('span', { class: 'muted ell' });
  private readonly find: TextBox;
  private readonly tabs: Segments<ArmName>;
  private readonly follow: HTMLButtonElement;
  private readonly lock: HTMLButtonElement;
  private readonly unfolded = new Set<string>();
  private readonly together: Pane;
  private readonly apart: readonly Pane[];
  private panes: readonly Pane[] = [];
  private readonly columns = el('div', { class: 'panes' });
  private model: Model | null = null;
  private shown = '';

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Transcripts'));
    const parts: PaneParts = { actions, unfolded: this.unfolded, reach: (arm, step) => this.reach(arm, step), followed: () => this.updateFollow() };
    this.together = new Pane(ARMS, parts);
    this.apart = ARMS.map((arm) => new Pane([arm], parts));
    this.find = new TextBox((text) => this.search(text), 'search', { placeholder: t('Search') });
    this.tabs = new Segments(t('Arm'), ARMS.map((arm) => ({ value: arm, label: armWord(arm) })), (arm) => actions.ui({ arm }));
    this.tabs.element.classList.add('armtabs');
    this.follow = link(t('Follow'), () => this.panes.forEach((pane) => pane.toEnd()), 'small');
    this.lock = iconButton('lock', t('Scroll both columns together'), () => actions.ui({ lock: !this.model?.ui.lock }), { pressed: true });
    this.lock.classList.add('lock');
    const head = el('header', { class: 'trh' },
      iconButton('left', t('Previous episode (Alt+Left)'), () => actions.moveSlot(-1)), this.title, iconButton('right', t('Next episode (Alt+Right)'), () => actions.moveSlot(1)), this.about,
      el('div', { class: 'row right acts' }, this.follow, this.find.element,
        iconButton('search', t('Search in transcripts'), () => actions.ui({ query: this.find.element.hidden ? '' : null })), this.lock,
        iconButton('copy', t('Copy'), () => this.withEpisode((source) => actions.copyText({ ...source, step: 1 }, 'transcript'))),
        iconButton('open', t('Open as document'), () => this.withEpisode((source) => actions.openText({ ...source, step: 1 }, 'transcript')))));
    this.element.append(head, this.tabs.element, this.columns);
  }

  update(model: Model): void {
    this.model = model;
    const { pair, ui } = model;
    const both = Boolean(pair?.hint && pair.noHint);
    this.element.classList.toggle('show-hint', ui.arm === 'hint');
    this.element.classList.toggle('show-noHint', ui.arm === 'noHint');
    this.tabs.update(ui.arm);
    this.find.element.hidden = ui.query === null;
    this.tabs.element.hidden = this.lock.hidden = !both;
    setAttr(this.lock, 'aria-pressed', String(ui.lock));
    this.updateTitle(model);
    const identity = pair && JSON.stringify([pair.slots, pair.compare]);
    if (identity && identity !== this.shown) {
      this.shown = identity;
      this.unfolded.clear();
    }
    this.arrange(ui.lock || !both ? [this.together] : this.apart);
    for (const pane of this.panes) pane.update(model);
    if (pair) markFound(this.columns, ui.query ?? '');
    this.updateFollow();
  }

  /** Shows what has come of the steps being played. */
  catchUp(): void {
    for (const pane of this.panes) pane.catchUp();
  }

  private arrange(panes: readonly Pane[]): void {
    if (panes === this.panes || (panes.length === 1 && this.panes[0] === panes[0])) return;
    this.panes = panes;
    this.columns.replaceChildren(...panes.map(({ element }) => element));
  }

  private updateFollow(): void {
    this.follow.hidden = this.model?.state.phase === 'idle' || !this.panes.some((pane) => pane.isRunning() && !pane.following);
  }

  private reach(arm: ArmName, step: number): HTMLElement | null {
    return this.panes.map((pane) => pane.reach(arm, step)).find((article) => article !== null) ?? null;
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
