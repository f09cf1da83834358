import type { ArmName } from '../../src/shared/play';
import type { CutText, StepRef, StepView, TextPart, Transcript } from '../../src/shared/webviewProtocol';
import { link } from '../ui/controls';
import { el, type Child } from '../ui/dom';
import { count, duration } from '../ui/format';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { appendFolded, appendText } from '../ui/text';
import { head } from '../ui/visible';
import type { Actions } from './model';
import { outcomeWords, rawWords } from './outcome';
import { appendReply } from './reading';
import { toolCards } from './toolCard';

/** What a step needs to know of its surroundings. `redraw` draws the row again after something was unfolded. */
export interface StepContext {
  /** The column. */
  readonly arm: ArmName;
  /** The episode in it. */
  readonly source: Omit<StepRef, 'step'>;
  /** What the column is called. */
  readonly title: string;
  readonly transcript: Transcript;
  readonly unfolded: Set<string>;
  readonly redraw: () => void;
  readonly actions: Actions;
}

/** A line of the transcript: the word in the gutter, and what stands beside it. */
function line(word: string, ...content: Child[]): HTMLElement {
  return el('div', { class: 't' }, el('span', { class: 'k', text: word }), el('div', { class: 'b' }, ...content));
}

/** An untrusted text in the editor's font, folded. */
function said(context: StepContext, step: number, part: TextPart, text: CutText, view?: StepView): HTMLElement {
  const box = el('div', { class: 'mono said' });
  if (text.length === 0) return el('div', { class: 'muted empty-text', text: t('empty') });
  const key = `${context.arm} ${step} ${part}`;
  const unfold = (): void => {
    context.unfolded.add(key);
    context.redraw();
  };
  appendFolded(box, {
    text, unfolded: context.unfolded.has(key), onUnfold: unfold,
    open: () => context.actions.openText({ ...context.source, step }, part),
    ...(view && part === 'reply' ? { render: (parent: Element, shown: string) => appendReply(parent, shown, view) } : {}),
  });
  return box;
}

/** Splits the hint off an observation as the run joined it (run contract §5). */
function withoutHint(text: CutText, hint: string | null): CutText {
  const tail = hint === null ? '' : `\n\nHINT: ${hint}`;
  if (tail === '' || !text.text.endsWith(tail)) return text;
  const rest = text.text.slice(0, -tail.length);
  return { text: rest, length: text.length - [...tail].length, lines: rest.split('\n').length };
}

/** What the agent sees before a step; the hint is marked inside the first observation. */
export function sees(context: StepContext, step: number, observation: CutText): HTMLElement {
  const hint = step === 1 ? context.transcript.hint : null;
  const row = line(t('sees'), said(context, step, 'observation', withoutHint(observation, hint)));
  if (hint !== null) {
    const box = el('div', { class: 'hint mono said' }, el('span', { class: 'tag', text: t('HINT') }));
    appendText(box, hint);
    row.lastElementChild?.append(box);
  }
  return row;
}

/** Thinking, folded to its first words. */
function thinks(context: StepContext, view: StepView): HTMLElement {
  const key = `${context.arm} ${view.step} thinking-open`;
  const open = context.unfolded.has(key);
  const toggle = (event: Event): void => {
    event.stopPropagation();
    if (!context.unfolded.delete(key)) context.unfolded.add(key);
    context.redraw();
  };
  const preview = el('span', { class: 'ell pv' });
  if (!open) appendText(preview, head(view.thinking.text.trimStart(), { lines: 1, chars: 200 }));
  const size = el('span', { text: t('Thought \u00b7 {n} characters', { n: count(view.thinking.length) }) });
  const fold = el('button', { class: 'fold', attrs: { 'aria-expanded': String(open), type: 'button' }, on: { click: toggle } }, icon(open ? 'down' : 'right'), size, preview);
  const row = line(t('thinks'), fold);
  if (open) {
    const body = said(context, view.step, 'thinking', view.thinking);
    body.classList.add('th');
    row.lastElementChild?.append(body);
  }
  return row;
}

function pays(context: StepContext, view: StepView): HTMLElement {
  const words = outcomeWords(view.outcome);
  const row = el('div', { class: words.strong ? 'pays strong' : 'pays' }, icon(words.icon, words.tone), el('span', { class: 'nw', text: rawWords(view.reward) }),
    el('span', { class: 'muted', text: '→', attrs: { 'aria-label': t('becomes'), role: 'img' } }), el('span', { class: 'w', text: words.words }));
  if (view.line !== null) {
    const at = view.line;
    row.append(link(t('line {n}', { n: at }), () => context.actions.open('file', at), 'small right'));
  }
  return line(t('pays'), row);
}

/** Why the episode failed in this step. */
function failure(context: StepContext, ref: StepRef): HTMLElement {
  const error = context.transcript.error ?? '';
  const [first = '', ...rest] = error.split('\n');
  const title = el('b');
  appendText(title, head(first, { lines: 1, chars: 300 }));
  const card = el('div', { class: 'fcard' }, el('div', { class: 'note' }, icon('error', 'err'), title));
  const body = head(rest.join('\n').trim(), { lines: 12, chars: 2000 });
  if (body) {
    const trace = el('div', { class: 'mono said' });
    appendText(trace, body);
    card.append(trace);
  }
  card.append(el('div', { class: 'row' }, link(t('Show log'), () => context.actions.open('log')), link(t('Copy'), () => context.actions.copyText(ref, 'transcript'))));
  return line('', card);
}

const failedKinds = new Set(['raised', 'failed-counts-zero', 'failed-dropped']);

/** One step of one arm. */
export function stepArticle(context: StepContext, view: StepView): HTMLElement {
  const ref = { ...context.source, step: view.step };
  const before = context.transcript.steps[view.step - 2];
  const size = [view.ms === null ? null : duration(view.ms), view.tokens === null ? null : t('{n} tok', { n: count(view.tokens) })].filter((part) => part !== null);
  const article = frame(context, view.step, size.join(' \u00b7 '));
  const answered = before?.calls.length && before.result;
  if (!answered) article.append(sees(context, view.step, view.observation));
  if (view.thinking.length > 0) article.append(thinks(context, view));
  if (view.reply.length > 0 || view.calls.length === 0) article.append(line(t('replies'), said(context, view.step, 'reply', view.reply, view)));
  if (view.calls.length > 0) {
    const key = `${context.arm} ${view.step} result`;
    const unfold = (): void => {
      context.unfolded.add(key);
      context.redraw();
    };
    article.append(line(t('calls'), ...toolCards(view, context.unfolded.has(key), unfold, () => context.actions.openText(ref, 'result'))));
  }
  for (const notice of view.notices) {
    article.append(line('', el('p', { class: 'note nt' }, icon('warning', 'warning'), el('span', { text: say(notice.text) }))));
  }
  if (failedKinds.has(view.outcome.kind) && context.transcript.error) article.append(failure(context, ref));
  article.append(pays(context, view));
  return article;
}

/** The frame of a step: what it is called, and how a screen reader names it. */
export function frame(context: StepContext, step: number, size: string): HTMLElement {
  const label = t('Step {n}, {arm}', { n: step, arm: context.title });
  return el('article', { class: 'step', tabindex: -1, attrs: { 'aria-label': label, 'data-step': String(step), 'data-arm': context.arm } },
    el('header', {}, el('b', { text: t('Step {n}', { n: step }) }), el('span', { class: 'muted small right', text: size })));
}
