import { button } from '../ui/controls';
import { el, fill } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { say, t } from '../ui/strings';
import type { Actions, Model, View } from './view';

/** What the view says when there is nothing to list: no run, no records, a file that cannot be read. */
export class Nothing implements View {
  readonly element = el('section', { class: 'nothing scroll', attrs: { 'data-region': '' } });
  private readonly box = el('div', { class: 'empty' });
  private readonly changed = changeOf();

  constructor(private readonly actions: Actions) {
    this.element.append(this.box);
  }

  update({ state }: Model): void {
    const { rows, run, unreadable, emptyText } = state;
    this.element.hidden = rows.length > 0;
    if (!this.changed([rows.length > 0, run, unreadable, emptyText])) return;
    const heading = run === null ? t('No run to show') : unreadable ? t('This memory cannot be read') : t('This memory has no records yet');
    this.element.setAttribute('aria-label', heading);
    fill(this.box, el('h2', { text: heading }), el('p', { text: unreadable ? `${say(unreadable.what)} ${say(unreadable.next)}` : say(emptyText) }), el('div', { class: 'row acts' }, ...this.offers(state)));
  }

  private offers({ run, unreadable }: Model['state']): HTMLElement[] {
    const act = (label: string, action: Parameters<Actions['act']>[0], primary = false, line: number | null = null): HTMLElement => button(label, () => this.actions.act(action, line), { primary });
    if (run === null) return [act(t('Link Run Folder\u2026'), 'linkRun', true)];
    if (!unreadable) return [act(t('Push an environment\u2026'), 'push', true), act(t('Open another run\u2026'), 'linkRun')];
    const open = act(unreadable.line === null ? t('Open the file') : t('Open the file at line {line}', { line: unreadable.line }), 'openFile', true, unreadable.line);
    return unreadable.backup ? [open, act(t('Open the newest backup'), 'openBackup')] : [open];
  }
}
