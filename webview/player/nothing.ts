import type { PolicyId } from '../../src/shared/webviewProtocol';
import { button, link, setLabel } from '../ui/controls';
import { el, fill, setText, type Child } from '../ui/dom';
import { count } from '../ui/format';
import { changeOf } from '../ui/frame';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './model';
import { playsAsked, seedsOf } from './seeds';

/** The empty state: what a run would do, and what can be had without a model. */
export class Nothing implements View {
  readonly element = el('section', { class: 'nothing scroll', attrs: { 'data-region': '' } });
  private readonly plan = el('p');
  private readonly run: HTMLElement;
  private readonly saved: HTMLElement;
  private readonly facts = el('dl', { class: 'facts' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('No plays yet'));
    this.run = button(t('Run'), () => actions.start(), { icon: 'play' });
    this.saved = button(t('Open a saved session\u2026'), () => actions.open('session'), { icon: 'history' });
    this.element.append(el('div', { class: 'empty' }, el('h2', { text: t('No plays yet') }), this.plan, el('div', { class: 'row acts' }, this.run, this.saved), this.facts));
  }

  update({ state, settings }: Model): void {
    this.element.hidden = state.slots.length > 0 || state.phase !== 'idle';
    const asked = playsAsked(settings);
    setLabel(this.run, asked > 0 ? t('Run {n} plays', { n: count(asked) }) : t('Run'));
    setText(this.plan, planOf(settings));
    this.saved.hidden = !state.can.includes('sessions');
    if (!this.changed([state.policies, state.setup])) return;
    fill(this.facts, el('dt', { text: t('First, without a model') }), el('dd', {}, ...this.offers(state.policies)),
      ...state.setup.flatMap(({ name, detail }) => [el('dt', { text: say(name) }), el('dd', { text: say(detail) })]));
  }

  /** Links that start what needs no model. */
  private offers(policies: Model['state']['policies']): Child[] {
    const names: Partial<Record<PolicyId, string>> = { oracle: t('Solution'), random: t('random guesses'), noop: t('do nothing') };
    const links: Child[] = [];
    for (const { id, available, why } of policies) {
      const name = names[id];
      if (name === undefined) continue;
      const control = link(name, () => this.actions.start({ policy: id }));
      control.disabled = !available;
      control.title = say(why);
      if (links.length > 0) links.push(', ');
      links.push(control);
    }
    links.push(' ', t('take a few seconds and show whether it can be won, and won wrongly.'));
    return links;
  }
}

/** What a run with these settings would do. */
function planOf({ seeds, hint, mode }: Model['settings']): string {
  const named = seedsOf(seeds);
  if (!named) return t('Write the seeds as 0-31 or 3,5,8.');
  const which = named.count === 1 ? t('seed {n}', { n: named.first })
    : named.count === named.last - named.first + 1 ? t('seeds {from} to {to}', { from: named.first, to: named.last }) : t('{n} seeds', { n: named.count });
  if (!hint) return t('Run the policy on {seeds} without a hint. With a hint there is a second arm on the same instances, and each seed gives one gap.', { seeds: which });
  if (mode === 'as-run') return t('Run the policy as the run does: the arm with hint seeded, the other mostly on one instance. Regret may be off by the luck of that instance.');
  return t('Run the policy on {seeds}, once with the hint and once without. Both arms get the same instances, so each seed gives one gap.', { seeds: which });
}
