import type { PushState } from '../../src/shared/webviewPush';
import { button, link, setDisabled } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { say, t } from '../ui/strings';
import { stateLine } from './line';
import type { Actions, View } from './model';

/** The state line, what the push or its undoing does, and the buttons. */
export class Foot implements View {
  readonly element = el('footer', { class: 'foot', attrs: { 'data-region': '' } });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('State and actions'));
  }

  update({ line, foot, push, undo, phase, offersLink, stale }: PushState): void {
    if (!this.changed([line, foot, push, undo, phase, offersLink, stale])) return;
    const words = el('p', { class: 'muted small says', text: foot.map(say).join(' ') });
    if (offersLink) words.append(' ', link(t('Add the link module\u2026'), () => this.actions.act('addLink')));
    fill(this.element, stateLine(line), el('div', { class: 'row acts' }, ...this.buttons(push, undo, phase, stale)), words);
  }

  private buttons(push: PushState['push'], undo: PushState['undo'], phase: PushState['phase'], stale: boolean): HTMLElement[] {
    const cancel = button(t('Cancel'), () => this.actions.close());
    if (push === 'push' || push === 'anyway') {
      const go = push === 'push' ? button(t('Push'), () => this.actions.push(), { icon: 'up', primary: true, class: 'go' }) : button(t('Push anyway\u2026'), () => this.actions.push(), { class: 'go' });
      setDisabled(go, stale);
      return [cancel, go];
    }
    if (phase === 'pushing') return [];
    const done = button(t('Done'), () => this.actions.close(), { primary: true });
    return undo ? [button(say(undo), () => this.actions.undo(null), { icon: 'undo' }), done] : [done];
  }
}
