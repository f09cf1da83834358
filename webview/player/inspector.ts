import type { Inspection, StepRef, StepView, Transcript } from '../../src/shared/webviewProtocol';
import { button, iconButton, link } from '../ui/controls';
import { el, fill, type Child } from '../ui/dom';
import { raw } from '../ui/format';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { appendFolded, appendText } from '../ui/text';
import { head } from '../ui/visible';
import { armWordInside } from './cells';
import { selectedStep, type Actions, type Model, type View } from './model';
import { outcomeSentence, outcomeWords } from './outcome';

/** How the inspector gets what it shows: asks for the replay of a step. */
export type Inspect = (step: StepRef) => Promise<Inspection>;

type Found = { readonly state: 'none' | 'asking' } | { readonly state: 'found'; readonly inspection: Inspection } | { readonly state: 'failed'; readonly why: string };

/** Milliseconds that the selection must rest before a step is played again. */
const REST_MS = 150;

/** One step in full: what is paid and what becomes of it, the lines that ran, the state, the reply and how it was read. */
export class Inspector implements View {
  readonly element = el('aside', { class: 'insp', attrs: { 'data-region': '' } });
  private readonly title = el('b', { class: 'nw' });
  private readonly where = el('span', { class: 'muted ell' });
  private readonly body = el('div', { class: 'scroll body' });
  private readonly foot = el('footer');
  private readonly folded = new Set<string>();
  private readonly changed = changeOf();
  private found: Found = { state: 'none' };
  private asked = '';
  private timer = 0;
  private model: Model | null = null;

  constructor(private readonly actions: Actions, private readonly inspect: Inspect) {
    this.element.setAttribute('aria-label', t('Step inspector'));
    this.element.append(el('header', { class: 'trh' }, this.title, this.where, el('div', { class: 'row right' },
      iconButton('left', t('Step back (Alt+Up)'), () => actions.moveStep(-1)), iconButton('right', t('Step forward (Alt+Down)'), () => actions.moveStep(1)))), this.body, this.foot);
  }

  update(model: Model): void {
    this.model = model;
    const ref = selectedStep(model);
    const column = model.ui.step?.arm ?? 'hint';
    const transcript = ref && model.pair?.slots[column] === ref.slot ? model.pair[column] : null;
    const step = transcript?.steps[(ref?.step ?? 0) - 1] ?? null;
    const over = transcript !== null && transcript.status !== 'running' && transcript.status !== 'queued';
    this.ask(over ? ref : null, step, model);
    if (!this.changed([ref, step, transcript?.status, transcript?.steps.length, this.found, [...this.folded], model.state.can, model.state.phase])) return;
    const seed = transcript?.seed ?? null;
    this.title.textContent = step ? t('Step {n}', { n: step.step }) : t('Step');
    const title = model.pair?.titles ? say(model.pair.titles[column]) : ref ? armWordInside(ref.arm) : '';
    this.where.textContent = ref ? (seed === null || model.pair?.titles ? title : t('{arm}, seed {seed}', { arm: title, seed })) : '';
    if (!ref || !step || !transcript) {
      fill(this.body, el('p', { class: 'muted none', text: t('Select a step to see what it paid, which lines ran and what changed.') }));
      fill(this.foot);
      this.foot.hidden = true;
      return;
    }
    const scroll = this.body.scrollTop;
    fill(this.body, this.reward(step, transcript), ...this.replayed(model), this.reading(ref, step));
    this.body.scrollTop = scroll;
    this.footer(model, ref, over);
  }

  /** Asks for the replay of the step once the selection rests; keeps the last answer for the same step. */
  private ask(ref: StepRef | null, step: StepView | null, { state }: Model): void {
    const key = ref && step && state.can.includes('inspect') ? JSON.stringify(ref) : '';
    if (key === this.asked) return;
    this.asked = key;
    clearTimeout(this.timer);
    this.found = { state: key === '' ? 'none' : 'asking' };
    if (key === '' || !ref) return;
    this.timer = window.setTimeout(() => {
      this.inspect(ref).then(
        (inspection) => this.arrive(key, { state: 'found', inspection }),
        (error: unknown) => this.arrive(key, { state: 'failed', why: error instanceof Error && 'what' in error ? say(error.what as Parameters<typeof say>[0]) : String(error) }),
      );
    }, REST_MS);
  }

  private arrive(key: string, found: Found): void {
    if (key !== this.asked) return;
    this.found = found;
    if (this.model) this.update(this.model);
  }

  private pane(id: string, title: string, note: string, right: Child, ...content: Child[]): HTMLElement {
    const open = !this.folded.has(id);
    const toggle = (): void => {
      if (!this.folded.delete(id)) this.folded.add(id);
      if (this.model) this.update(this.model);
      this.body.querySelector<HTMLElement>(`[data-pane=${id}]`)?.focus();
    };
    const heading = el('h3', {}, el('button', { class: 'toggle', attrs: { type: 'button', 'aria-expanded': String(open), 'data-pane': id }, on: { click: toggle } }, icon(open ? 'down' : 'right'), title),
      el('span', { class: 'n muted', text: note }), right && el('span', { class: 'right' }, right));
    return el('section', { class: 'pane' }, heading, open && el('div', { class: 'in' }, ...content));
  }

  private reward(step: StepView, transcript: Transcript): HTMLElement {
    const words = outcomeWords(step.outcome);
    const value = step.reward === null ? t('none') : raw(step.reward);
    const pay = el('div', { class: 'pay' }, el('span', { class: 'big', text: value }), el('span', { class: 'muted', text: t('raw') }), el('span', { class: 'muted', text: '→' }),
      icon(words.icon, words.tone), el('span', { text: words.brief }));
    return this.pane('reward', t('Reward'), '', null, pay, el('p', { class: 'muted', text: outcomeSentence(step, transcript) }));
  }

  private replayed({ state }: Model): HTMLElement[] {
    if (!state.can.includes('inspect')) return [];
    if (this.found.state !== 'found') {
      const words = this.found.state === 'failed' ? this.found.why : this.found.state === 'none' ? t('Known when the episode has ended.') : t('Playing the actions again\u2026');
      return [this.pane('lines', t('Lines that ran'), '', null, el('p', { class: 'muted small', text: words }))];
    }
    const { lines, state: values, notes } = this.found.inspection;
    const said = notes.map((note) => el('p', { class: 'note small' }, icon('info', 'muted'), el('span', { text: say(note) })));
    const panes: HTMLElement[] = [];
    const first = lines?.code.find(({ paid }) => paid)?.line ?? lines?.from;
    panes.push(this.pane('lines', t('Lines that ran'), lines ? t('{name}, {from} to {to}', { name: lines.function, from: lines.from, to: lines.to }) : '',
      first !== undefined && link(t('Show in editor'), () => this.actions.open('lines', first), 'small'), lines ? code(lines.code) : null, ...said));
    if (values) panes.push(this.pane('state', t('State'), t('{n} changed', { n: values.changed.length }), null, ...stateDiff(values)));
    return panes;
  }

  private reading(ref: StepRef, step: StepView): HTMLElement {
    const box = el('div', { class: 'ra' });
    const row = (word: string, content: HTMLElement): void => box.append(el('span', { class: 'k', text: word }), content);
    const reply = el('div', { class: 'mono said' });
    appendFolded(reply, {
      text: step.reply, unfolded: this.folded.has('reply-open'), open: () => this.actions.openText(ref, 'reply'),
      onUnfold: () => {
        this.folded.add('reply-open');
        if (this.model) this.update(this.model);
      },
    });
    row(t('raw'), reply);
    const action = el('div', { class: 'mono said' });
    appendText(action, head(step.action, { lines: 20, chars: 2000 }));
    row(t('action'), action);
    const how = step.notices.length === 0 ? t('as written') : step.notices.map(({ text }) => say(text)).join(' ');
    row(t('read'), el('span', { text: how }));
    return this.pane('reading', t('Reply and action'), '', null, box);
  }

  /** What can be done from a step; of an episode that still runs, nothing. */
  private footer({ state }: Model, ref: StepRef, over: boolean): void {
    const offers = [
      over && state.can.includes('replay') && button(t('Replay'), () => this.actions.onStep('replay', ref), { icon: 'replay' }),
      over && state.can.includes('takeOver') && button(t('Take over'), () => this.actions.onStep('takeOver', ref), { icon: 'hand' }),
      over && state.can.includes('debug') && button(t('Debug\u2026'), () => this.actions.onStep('debug', ref), { icon: 'bug' }),
    ];
    fill(this.foot, ...offers);
    this.foot.hidden = !offers.some(Boolean);
  }
}

/** The lines of the function: those that ran marked at the edge, the paying one pointed at. */
function code(lines: NonNullable<Inspection['lines']>['code']): HTMLElement {
  const box = el('div', { class: 'code mono', role: 'list' });
  const indent = Math.min(...lines.filter(({ text }) => text.trim() !== '').map(({ text }) => text.length - text.trimStart().length));
  for (const { line, text, ran, paid } of lines) {
    const shown = el('span', { class: 'tx' });
    appendText(shown, head(text.slice(Number.isFinite(indent) ? indent : 0), { lines: 1, chars: 200 }));
    const words = paid ? t('line {n}, ran, paid', { n: line }) : ran ? t('line {n}, ran', { n: line }) : t('line {n}, did not run', { n: line });
    box.append(el('div', { class: `cl${ran ? ' ran' : ''}${paid ? ' paid' : ''}`, role: 'listitem' },
      el('span', { class: 'ln', text: String(line), attrs: { 'aria-label': words, role: 'img' } }), el('span', { class: 'gut', text: paid ? '▸' : '', attrs: { 'aria-hidden': 'true' } }), shown));
  }
  return box;
}

/** How much of two long values may be left out at their beginning, so that where they differ is seen. */
function leftOut(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return same > 60 ? same - 20 : 0;
}

/** State before and after; names that did not change are counted. */
function stateDiff({ changed, unchanged }: NonNullable<Inspection['state']>): HTMLElement[] {
  const cell = (value: string | null, className: string, from: number): HTMLElement => {
    const text = el('span', { class: value === null ? 'muted' : className, title: value ?? '' });
    appendText(text, value === null ? t('none') : `${from > 0 ? '\u2026' : ''}${head(value.slice(from), { lines: 3, chars: 120 })}`);
    return el('td', {}, text);
  };
  const rows = changed.map(({ name, before, after }) => {
    const left = el('td', { title: name });
    appendText(left, name);
    const from = leftOut(before ?? '', after ?? '');
    return el('tr', {}, left, cell(before, 'rm', from), cell(after, 'ad', from));
  });
  const head_ = el('thead', {}, el('tr', {}, ...[t('name'), t('before'), t('after')].map((text) => el('th', { text, attrs: { scope: 'col' } }))));
  const same = unchanged.length > 0 && el('p', { class: 'muted small', title: unchanged.join(', '), text: unchanged.length === 1 ? t('1 name unchanged') : t('{n} names unchanged', { n: unchanged.length }) });
  return [changed.length > 0 ? el('table', { class: 'diff mono' }, head_, el('tbody', {}, ...rows)) : el('p', { class: 'muted', text: t('Nothing changed.') }), ...(same ? [same] : [])];
}
