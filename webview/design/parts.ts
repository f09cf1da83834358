import type { PromptPartView, PromptSource, PromptState } from '../../src/shared/webviewDesign';
import { iconButton, link } from '../ui/controls';
import { el, fill, reveal } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { count } from '../ui/format';
import { icon } from '../ui/icons';
import { say, t } from '../ui/strings';
import { restOf } from '../ui/rest';
import { appendText } from '../ui/text';
import { FOLDED, head, UNFOLDED } from '../ui/visible';
import { sourceWord, type Actions, type View } from './model';

/** How long the part that changed is outlined, in milliseconds. */
const MARKED_MS = 2_000;

/** The messages of the prompt, part by part: where each comes from, what it costs, and its text to the letter. */
export class Parts implements View {
  readonly element = el('div', { class: 'parts scroll', role: 'region', tabindex: -1, attrs: { 'data-region': '' } });
  private readonly changed = changeOf();
  private texts = new Map<string, string>();
  private readonly unfolded = new Set<string>();
  private state: PromptState | null = null;

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Messages of the prompt'));
  }

  update(state: PromptState): void {
    this.state = state;
    if (!this.changed([state.parts, state.problem, [...this.unfolded]])) return;
    const focused = document.activeElement?.closest<HTMLElement>('.part')?.dataset['key'];
    const top = this.element.scrollTop;
    fill(this.element, ...this.messages(state));
    this.element.scrollTop = top;
    if (focused !== undefined) this.part(focused)?.focus({ preventScroll: true });
    this.markChange(state.parts);
  }

  jump(source: PromptSource): void {
    const key = this.state?.parts.find((part) => part.source === source)?.key;
    const part = key === undefined ? undefined : this.part(key);
    if (part) reveal(part, 'start');
    part?.focus({ preventScroll: true });
  }

  private part(key: string): HTMLElement | undefined {
    return [...this.element.querySelectorAll<HTMLElement>('.part')].find((element) => element.dataset['key'] === key);
  }

  private messages({ parts, problem }: PromptState): HTMLElement[] {
    if (parts.length === 0) return [el('p', { class: 'nothing muted', text: problem ? `${say(problem.what)} ${say(problem.next)}` : t('The prompt is being put together.') })];
    const groups: { role: PromptPartView['role']; after: boolean; parts: PromptPartView[] }[] = [];
    let answered = false;
    for (const part of parts) {
      const last = groups.at(-1);
      if (last?.role === part.role) last.parts.push(part);
      else groups.push({ role: part.role, after: answered, parts: [part] });
      if (part.role === 'assistant') answered = true;
    }
    const words = { system: t('System'), user: t('User'), assistant: t('Assistant, the last draft') };
    return groups.map(({ role, after, parts: own }) => el('section', {}, el('h2', {},
      el('span', { text: role === 'user' && after ? t('User, after the draft') : words[role] }), el('span', { class: 'muted small', text: t('{n} tok', { n: count(own.reduce((sum, { tokens }) => sum + tokens, 0)) }) })),
    ...own.map((part) => this.onePart(part))));
  }

  private onePart(part: PromptPartView): HTMLElement {
    const { key, source, title, template, origin, text, tokens, flags, exchange } = part;
    const where = [title, ...(template ? [t('template {name} v{version}', { name: template.name, version: template.version })] : []), ...(template?.overridden ? [t('from the workspace')] : [])].join(', ');
    const from = el('span', { class: 'muted small ell', title: origin ?? where });
    appendText(from, where);
    const open = () => this.actions.openPart(key, 'source');
    const element = el('article', {
      class: `part from-${source}`, tabindex: 0, attrs: { 'data-key': key, 'aria-label': `${sourceWord(source)}: ${where}` },
      on: { keydown: (event) => event.target === element && (event as KeyboardEvent).key === 'Enter' && open() },
    }, el('div', { class: 'cap' }, el('i', { class: `sw sw-${source}` }), link(sourceWord(source), open), from, el('span', { class: 'right muted small nw', text: t('{n} tok', { n: count(tokens) }) }),
      exchange && iconButton('refresh', exchange === 'memory' ? t('Draw other examples') : t('Draw another document'), () => this.actions.act(exchange === 'memory' ? 'drawMemory' : 'drawDocument'))));
    if (flags.length > 0) element.append(el('p', { class: 'note small flagged' }, icon('warning', 'warning'), el('span', { text: flags.length === 1 ? t('1 place of this material addresses the model. It is marked, and sent as it is.') : t('{n} places of this material address the model. They are marked, and sent as they are.', { n: flags.length }) })));
    element.append(this.text(key, text, flags));
    return element;
  }

  private text(key: string, text: string, flags: PromptPartView['flags']): HTMLElement {
    const isOpen = this.unfolded.has(key);
    const shown = head(text, isOpen ? UNFOLDED : FOLDED);
    const body = el('pre', { class: 'mono' });
    let at = 0;
    for (const { start, end } of flags) {
      if (start >= shown.length) break;
      appendText(body, shown.slice(at, start));
      const mark = el('mark', { title: t('addresses the model') });
      appendText(mark, shown.slice(start, end));
      body.append(mark);
      at = end;
    }
    appendText(body, shown.slice(at));
    const box = el('div', {}, body);
    if (shown.length === text.length) return box;
    const cut = { text, lines: text.split('\n').length, length: [...text].length };
    box.append(isOpen
      ? link(t('{rest}: open as document', { rest: restOf(cut, shown) }), () => this.actions.openPart(key, 'text'), 'small')
      : link(restOf(cut, shown), () => this.unfold(key), 'small'));
    return box;
  }

  private unfold(key: string): void {
    this.unfolded.add(key);
    if (this.state) this.update(this.state);
    this.part(key)?.focus({ preventScroll: true });
  }

  /** Scrolls to the part that a change touched and outlines it once. */
  private markChange(parts: readonly PromptPartView[]): void {
    const before = new Set(this.texts.values());
    const isFirst = this.texts.size === 0;
    const touched = isFirst ? undefined : parts.find(({ text }) => !before.has(text));
    if (this.texts.size > 0 && touched) {
      for (const key of this.unfolded) if (this.texts.get(key) !== parts.find((part) => part.key === key)?.text) this.unfolded.delete(key);
    }
    this.texts = new Map(parts.map(({ key, text }) => [key, text]));
    const element = touched && this.part(touched.key);
    if (!element) return;
    reveal(element, 'nearest');
    element.classList.add('touched');
    setTimeout(() => element.classList.remove('touched'), MARKED_MS);
  }
}
