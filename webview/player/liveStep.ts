import type { Transcript } from '../../src/shared/webviewProtocol';
import { el, fill } from '../ui/dom';
import { icon } from '../ui/icons';
import { t } from '../ui/strings';
import { appendText } from '../ui/text';
import { RunningText } from './runningText';
import { frame, sees, type StepContext } from './stepView';

/** A text that grows at its end, on screen. */
class Growing {
  readonly element = el('div', { class: 'mono said' });
  private readonly body = el('span');
  private readonly running = new RunningText();

  constructor() {
    this.element.append(this.body, el('span', { class: 'caret' }));
  }

  catchUp(text: string): void {
    const growth = this.running.grown(text);
    if (growth === null) return;
    if (growth.all) this.body.replaceChildren();
    appendText(this.body, growth.text);
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
    this.catchUp(live);
  }

  /** Shows what has come of the step since the last time. */
  catchUp({ step, thinking, reply }: NonNullable<Transcript['live']>): void {
    if (step !== this.step) return;
    if (thinking) (this.thought ??= this.beginThought()).catchUp(thinking);
    if (reply) (this.answer ??= this.beginAnswer()).catchUp(reply);
  }

  private beginThought(): Growing {
    const thought = new Growing();
    thought.element.classList.add('th');
    const fold = el('div', { class: 'fold' }, icon('down'), el('span', { text: t('Thinking') }));
    fill(this.thinking, el('span', { class: 'k', text: t('thinks') }), el('div', { class: 'b' }, fold, thought.element));
    this.thinking.hidden = false;
    return thought;
  }

  private beginAnswer(): Growing {
    const answer = new Growing();
    fill(this.reply, el('span', { class: 'k', text: t('replies') }), el('div', { class: 'b' }, answer.element));
    this.reply.hidden = false;
    return answer;
  }
}
