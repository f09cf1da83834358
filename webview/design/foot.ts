import type { PromptState } from '../../src/shared/webviewDesign';
import { button, setDisabled, TextBox } from '../ui/controls';
import { el, fill, setText } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { count } from '../ui/format';
import { t } from '../ui/strings';
import type { Actions, View } from './model';

/** How many drafts, what they cost at least, and the one primary button: Design, and Stop in its place. */
export class Foot implements View {
  readonly element = el('footer', { class: 'foot', attrs: { 'data-region': '' } });
  private readonly drafts: TextBox;
  private readonly place = el('span', { class: 'nw' });
  private readonly says = el('span', { class: 'small muted grow', role: 'status' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Design'));
    this.drafts = new TextBox((text) => {
      const value = Number(text);
      if (Number.isInteger(value) && value >= 1 && value <= 64) actions.change({ drafts: value });
    }, 'w36', { placeholder: t('Drafts') });
    this.element.append(this.place, this.drafts.element, this.says);
  }

  update({ drafts, restricted, designing, progress, tokens, parts }: PromptState): void {
    this.drafts.update(String(drafts), designing);
    if (this.changed([drafts, restricted, designing, parts.length === 0])) {
      const press = designing
        ? button(t('Stop'), () => this.actions.act('stop'), { icon: 'stop' })
        : button(drafts === 1 ? t('Design') : t('Design {n} drafts', { n: drafts }), () => this.actions.act('design'), { icon: 'play', primary: true, class: 'go' });
      setDisabled(press, (parts.length === 0 || restricted) && !designing);
      fill(this.place, press);
    }
    setText(this.says, designing ? progress : drafts === 1 ? t('about {n} tokens to read', { n: count(tokens.total) }) : t('about {k} \u00d7 {n} tokens to read', { k: drafts, n: count(tokens.total) }));
  }
}
