import type { PushState } from '../../src/shared/webviewPush';
import { readPart } from '../memory/readPart';
import { iconButton } from '../ui/controls';
import { el, fill, setText } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { tokens } from '../ui/format';
import { say, t } from '../ui/strings';
import { appendText } from '../ui/text';
import type { Actions, View } from './model';

/** The record as the file will hold it, its metadata, and the text that the designer will read. */
export class RecordSide implements View {
  readonly element = el('aside', { class: 'det', attrs: { 'data-region': '' } });
  private readonly rows = el('dl', { class: 'rec' });
  private readonly metadata = el('pre', { class: 'metadata' });
  private readonly size = el('span', { class: 'n muted' });
  private readonly reading = el('div', { class: 'rd mono' });
  private readonly changed = changeOf();
  private unfolded = false;

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('The record'));
    const pane = (title: string, note: Node, acts: Node | null, ...body: Node[]): HTMLElement =>
      el('section', { class: 'pane' }, el('h2', { class: 'ph' }, el('span', { text: title }), note, acts && el('span', { class: 'row right' }, acts)), ...body);
    this.element.append(el('div', { class: 'scroll grow', tabindex: 0, role: 'region', attrs: { 'aria-label': t('Record, metadata and text') } },
      pane(t('Record'), el('span', { class: 'n muted', text: t('7 keys, as the file will hold them') }), iconButton('copy', t('Copy as JSON'), () => actions.copyRecord()), this.rows),
      pane(t('Metadata'), el('span', { class: 'n muted', text: t('the only place for provenance') }), null, this.metadata),
      pane(t('What the designer will read'), this.size, iconButton('open', t('Open as document'), () => actions.openReading()), this.reading)));
  }

  update(state: PushState): void {
    const { record, metadata, reading } = state;
    if (!this.changed([record, metadata, reading, this.unfolded])) return;
    fill(this.rows, ...record.flatMap(({ key, value, source }) => {
      const shown = el('span', { class: 'mono ell' });
      appendText(shown, value);
      return [el('dt', { class: 'mono', text: key }), el('dd', {}, shown, el('span', { class: 'small muted', text: say(source) }))];
    }));
    fill(this.metadata);
    appendText(this.metadata, metadata);
    setText(this.size, reading ? t('{tokens}, estimated', { tokens: tokens(reading.tokens) }) : '');
    fill(this.reading, reading && readPart(reading.part, {
      who: reading.part.use === 'seed' ? t('seed') : t('negative'), isChosen: true, unfolded: this.unfolded, open: () => this.actions.openReading(),
      onUnfold: () => {
        this.unfolded = true;
        this.update(state);
      },
    }));
  }
}
