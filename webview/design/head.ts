import { SOURCES, type PromptState, type PromptVariant } from '../../src/shared/webviewDesign';
import { iconButton, link, Segments } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { count } from '../ui/format';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { bySource, sourceWord, type Actions, type View } from './model';

/** Which prompt this is, and its tokens by source: a bar, a legend that jumps, and what is left beside the reply. */
export class Head implements View {
  readonly element = el('header', { class: 'top', attrs: { 'data-region': '' } });
  private readonly facts = el('span', { class: 'muted ell' });
  private readonly bar = el('div', { class: 'tokens', attrs: { 'aria-hidden': 'true' } });
  private readonly legend = el('div', { class: 'legend' });
  private readonly over = el('p', { class: 'note small', role: 'status', hidden: true });
  private readonly restricted = el('p', { class: 'note small', role: 'status', hidden: true });
  private readonly variants: Segments<PromptVariant>;
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Prompt and its tokens'));
    this.variants = new Segments<PromptVariant>(t('Which prompt'), [
      { value: 'full', label: t('Full') },
      { value: 'noMemory', label: t('Without memory'), title: t('The prompt that a comparison would send: the same without examples') },
      { value: 'noDocument', label: t('Without document'), title: t('The prompt that a comparison would send: the same without the document') },
    ], (variant) => actions.change({ variant }), true);
    this.element.append(
      el('div', { class: 'hd' }, el('h1', { text: t('Design prompt') }), this.facts,
        el('span', { class: 'row right acts' }, this.variants.element, iconButton('copy', t('Copy the whole prompt'), () => actions.act('copyPrompt')), iconButton('open', t('Open as document'), () => actions.act('openPrompt')))),
      this.bar, this.legend, this.over, this.restricted);
    this.restricted.append(icon('warning', 'warning'),
      el('span', {}, t('This workspace is not trusted: its prompt templates, model settings and run are not in use, and nothing is designed.'), ' ', link(t('Manage workspace trust'), () => actions.act('manageTrust'))));
  }

  update(state: PromptState): void {
    this.variants.update(state.variant, state.designing);
    this.restricted.hidden = !state.restricted;
    if (!this.changed([state.facts, state.parts, state.tokens])) return;
    this.facts.textContent = state.facts.map(say).join(' \u00b7 ');
    const { total, counted, limit } = state.tokens;
    const sources = bySource(state, SOURCES);
    const isOver = limit !== null && total > limit;
    fill(this.bar, ...sources.filter(({ tokens }) => tokens > 0).map(({ source, tokens }) => {
      const piece = el('span', { class: `sw-${source}` });
      piece.style.flexGrow = String(tokens);
      return piece;
    }), isOver && el('span', { class: 'over' }));
    if (limit !== null && !isOver) {
      const left = el('span', { class: 'left' });
      left.style.flexGrow = String(limit - total);
      this.bar.append(left);
    }
    const unit = counted ? t('tokens') : t('tokens, estimated');
    fill(this.legend,
      ...sources.map(({ source, tokens }) => el('span', { class: 'entry' }, el('i', { class: `sw sw-${source}` }), link(sourceWord(source), () => this.actions.jump(source)),
        el('span', { text: count(tokens) }), el('span', { class: 'muted small', text: total > 0 ? `${Math.round((100 * tokens) / total)} %` : '\u2013' }))),
      el('span', { class: 'right nw' }, el('b', { text: count(total) }), el('span', { class: 'muted', text: limit === null ? ` ${unit}` : t(' of {limit} {unit}', { limit: count(limit), unit }) })));
    this.over.hidden = !isOver;
    if (isOver) {
      fill(this.over, icon('error', 'err'), el('span', {
        text: t('{over} tokens over the {limit} left beside the reply. Leave out the document, or pick a shorter one.', { over: count(total - limit), limit: count(limit) }),
      }));
    }
  }
}
