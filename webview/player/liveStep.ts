import type { Transcript } from '../../src/shared/webviewProtocol';
import { el, fill } from '../ui/dom';
import { icon } from '../ui/icons';
import { t } from '../ui/strings';
import { appendText } from '../ui/text';
import { frame, sees, type StepContext } from './stepView';

/** Characters of a running text that stay on screen; the whole text shows when the step ends. */
const LIVE_LIMIT = 8000;

/** A text that grows at its end. Older text beyond the limit leaves the page, so a frame's work stays small. */
class Growing {
  readonly element = el('div', { class: 'mono said' });
  private readonly body = el('span');
  private size = 0;

  constructor(text: string) {
    this.element.append(this.body, el('span', { class: 'caret' }));
    this.append(text);
  }

  append(text: string): void {
    if (this.size + text.length > LIVE_LIMIT) {
      this.body.replaceChildren('…');
      this.size = 0;
      appendText(this.body, text.slice(-LIVE_LIMIT / 2));
    } else {
      appendText(this.body, text);
    }
    this.size += text.length;
  }
}

/** The step being played: thinking open while it streams, then the reply. Not announced. */
export class LiveStep {
  readonly element: HTMLElement;
  private readonly thinking = el('div', { class: 't' });
  private readonly reply = el('div', { class: 't' });
  private thought: Growing | null = null;
  private answer: Growing | null = null;

  constructor(context: StepContext, readonly step: number, live: NonNullable<Transcript['live']>) {
    this.element = frame(context, step, t('running'));
    const before = context.transcript.steps[step - 2];
    if (!(before?.calls.length && before.result)) this.element.append(sees(context, step, live.observation));
    this.element.append(this.thinking, this.reply);
    this.thinking.hidden = this.reply.hidden = true;
    if (live.thinking) this.append('thinking', live.thinking);
    if (live.reply) this.append('text', live.reply);
  }

  append(kind: 'thinking' | 'text', text: string): void {
    if (kind === 'thinking') {
      if (this.thought) return this.thought.append(text);
      this.thought = new Growing(text);
      this.thought.element.classList.add('th');
      const fold = el('div', { class: 'fold' }, icon('down'), el('span', { text: t('Thinking') }));
      fill(this.thinking, el('span', { class: 'k', text: t('thinks') }), el('div', { class: 'b' }, fold, this.thought.element));
      this.thinking.hidden = false;
      return;
    }
    if (this.answer) return this.answer.append(text);
    this.answer = new Growing(text);
    fill(this.reply, el('span', { class: 'k', text: t('replies') }), el('div', { class: 'b' }, this.answer.element));
    this.reply.hidden = false;
  }
}
