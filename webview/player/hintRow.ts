import { button, setDisabled, TextBlock } from '../ui/controls';
import { el } from '../ui/dom';
import { t } from '../ui/strings';
import type { Actions, Model, View } from './model';

/** The hint in full, to read and to edit; the model can write one from the code. */
export class HintRow implements View {
  readonly element = el('div', { class: 'hintrow' });
  private readonly text: TextBlock;
  private readonly write: HTMLElement;

  constructor(actions: Actions) {
    this.text = new TextBlock(t('Hint, added to the first observation of the arm with hint'), (value) => actions.change({ hint: value.trim() === '' ? null : value }), 2);
    this.write = button(t('Write from the code'), () => actions.writeHint(), { icon: 'edit', small: true });
    this.element.append(el('span', { class: 'k', text: t('Hint') }), this.text.element, el('div', { class: 'acts' }, this.write));
  }

  update({ state, settings, ui }: Model): void {
    this.element.hidden = !ui.editHint;
    this.text.update(settings.hint ?? '', state.phase !== 'idle');
    this.write.hidden = !state.can.includes('writeHint');
    setDisabled(this.write, state.phase !== 'idle');
  }
}
