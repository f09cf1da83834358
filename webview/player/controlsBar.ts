import { button, field, iconButton, Segments, Select, setLabel, TextBox } from '../ui/controls';
import { el, setAttr, setText } from '../ui/dom';
import { count, duration, roughly, tokens } from '../ui/format';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './model';
import { playsAsked, seedsOf } from './seeds';

/** Who plays what: policy, hint, seeds, plays, pairing; Run and Stop in one place; progress. */
export class ControlsBar implements View {
  readonly element = el('div', { class: 'ctl', role: 'toolbar', attrs: { 'data-region': '' } });
  private readonly policy: Select;
  private readonly hint: Select;
  private readonly edit: HTMLButtonElement;
  private readonly seeds: TextBox;
  private readonly plays: TextBox;
  private readonly chance: TextBox;
  private readonly chanceHint: TextBox;
  private readonly mode: Segments<'paired' | 'as-run'>;
  private readonly chances: HTMLElement;
  private readonly run: HTMLElement;
  private readonly halt: HTMLElement;
  private readonly status = el('span', { class: 'row right status' });

  constructor(private readonly actions: Actions) {
    setAttr(this.element, 'aria-label', t('Play'));
    this.policy = new Select((value) => actions.change({ policy: value as Model['settings']['policy'] }));
    this.hint = new Select((value) => this.chooseHint(value));
    // Of one width: a click on Run that also ends an edit of the hint must still meet the button.
    this.hint.element.classList.add('hintpick');
    this.edit = iconButton('edit', t('Show and edit the hint'), () => actions.ui({ editHint: this.edit.getAttribute('aria-pressed') !== 'true' }), { pressed: false });
    this.seeds = new TextBox((value) => actions.change({ seeds: value.trim() }), 'w62');
    this.plays = new TextBox((value) => actions.change({ plays: Math.min(1000, Math.max(1, Math.round(Number(value)) || 1)) }), 'w36');
    this.chance = new TextBox((value) => actions.change({ chance: share(value) }), 'w48');
    this.chanceHint = new TextBox((value) => actions.change({ chanceHint: share(value) }), 'w48');
    this.chances = el('div', { class: 'row' }, field(t('Chance, no hint'), this.chance.element), field(t('with hint'), this.chanceHint.element));
    this.mode = new Segments(t('Instances'), [
      { value: 'paired', label: t('Paired'), title: t('Both arms on the same seeds') },
      { value: 'as-run', label: t('As the run plays'), title: t('As the run: hint arm seeded, no-hint arm unseeded. Biases regret: the no-hint arm mostly replays one instance.') },
    ], (value) => actions.change({ mode: value }));
    this.run = button(t('Run'), () => actions.start(), { icon: 'play', primary: true, class: 'run' });
    this.halt = button(t('Stop'), () => actions.stop(), { icon: 'stop', class: 'stop' });
    this.element.append(field(t('Policy'), this.policy.element), el('div', { class: 'row' }, field(t('Hint'), this.hint.element), this.edit), field(t('Seeds'), this.seeds.element),
      field(t('Plays a seed'), this.plays.element), this.chances, this.mode.element, this.run, this.halt, this.status);
  }

  private hints: Model['state']['hints'] = [];

  private chooseHint(id: string): void {
    this.actions.change({ hint: this.hints.find((choice) => choice.id === id)?.text ?? null });
  }

  update(model: Model): void {
    const { state, settings, ui } = model;
    const busy = state.phase !== 'idle';
    this.hints = state.hints;
    this.policy.update(state.policies.map(({ id, label, why, available }) => ({ value: id, label: say(label), title: say(why), disabled: !available })), settings.policy);
    this.policy.disabled = busy;
    const chosen = state.hints.find(({ text }) => text === settings.hint);
    const own = settings.hint !== null && settings.hint !== '' && !chosen;
    this.hint.update([
      { value: '', label: t('No hint') },
      ...state.hints.map(({ id, label, text }) => ({ value: id, label: say(label), title: text })),
      ...(own ? [{ value: 'own', label: t('Edited hint'), title: settings.hint ?? '' }] : []),
    ], own ? 'own' : chosen?.id ?? '');
    this.hint.disabled = busy;
    setAttr(this.edit, 'aria-pressed', String(ui.editHint));
    this.seeds.update(settings.seeds, busy, seedsOf(settings.seeds) ? '' : t('Write seeds as 0-31 or 3,5,8.'));
    this.plays.update(String(settings.plays), busy);
    this.chances.hidden = settings.policy !== 'simulated';
    this.chance.update(String(settings.chance), busy);
    this.chanceHint.update(String(settings.chanceHint), busy);
    this.mode.update(settings.mode, busy);
    this.updateGo(model);
    this.updateStatus(state);
  }

  /** Run and Stop stand in one place; whichever shows keeps the focus of the other. */
  private updateGo({ state, settings }: Model): void {
    const asked = playsAsked(settings);
    setLabel(this.run, state.slots.length === 0 && asked > 0 ? t('Run {n} plays', { n: count(asked) }) : t('Run'));
    setLabel(this.halt, state.phase === 'stopping' ? t('Stopping') : t('Stop'));
    const idle = state.phase === 'idle';
    if (this.run.hidden === !idle && this.halt.hidden === idle) return;
    const focused = document.activeElement === this.run || document.activeElement === this.halt;
    this.run.hidden = !idle;
    this.halt.hidden = idle;
    if (focused) (idle ? this.run : this.halt).focus();
  }

  private updateStatus({ progress, phase, slots }: Model['state']): void {
    if (this.status.childElementCount === 0) this.status.append(el('span', { class: 'nw' }), el('span', { class: 'muted nw' }));
    const [main, rest] = [...this.status.children] as [Element, Element];
    setText(main, slots.length === 0 && phase === 'idle' ? '' : t('{done} of {total} plays', { done: count(progress.done), total: count(progress.total) }));
    const parts = phase === 'idle'
      ? [progress.failed > 0 ? t('{n} failed', { n: progress.failed }) : '', slots.length > 0 ? duration(progress.elapsedMs) : '', tokensWord(progress)]
      : [progress.remainingMs === null ? '' : t('about {time} left', { time: roughly(progress.remainingMs) }), t('{n} at once', { n: progress.running }), tokensWord(progress)];
    const words = parts.filter((part) => part !== '').join(' \u00b7 ');
    setText(rest, words);
    setAttr(rest, 'title', words);
  }
}

function tokensWord({ tokens: n, tokensEstimated }: Model['state']['progress']): string {
  if (n === null || n === 0) return '';
  return tokensEstimated ? t('{tokens}, estimated', { tokens: tokens(n) }) : tokens(n);
}

/** A chance as typed, held between 0 and 1. */
function share(value: string): number {
  const number = Number(value);
  return Number.isFinite(number) ? Math.min(1, Math.max(0, number)) : 0;
}
