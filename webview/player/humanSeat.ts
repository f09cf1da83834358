import type { HumanTurn, ToolField, ToolForm } from '../../src/shared/webviewProtocol';
import { button, field, Select, setDisabled, TextBlock, TextBox } from '../ui/controls';
import { el, fill, setText } from '../ui/dom';
import { changeOf } from '../ui/frame';
import { icon } from '../ui/icons';
import { t } from '../ui/strings';
import { appendText } from '../ui/text';
import { head } from '../ui/visible';
import { armWordInside } from './cells';
import type { Actions, Model, View } from './model';

/** How long a tool's description may be before it is cut. */
const DESCRIPTION = { lines: 3, chars: 300 };

/** Where a person plays: a box for a reply, and for tool use a form for every tool. */
export class HumanSeat implements View {
  readonly element = el('section', { class: 'seat', attrs: { 'data-region': '' } });
  private readonly where = el('b');
  private readonly reply: TextBlock;
  private readonly tools = el('div', { class: 'tools' });
  private readonly tool: Select;
  private readonly form = el('div', { class: 'form' });
  private readonly problem = el('p', { class: 'small err', role: 'alert' });
  private readonly changed = changeOf();
  private readonly send: HTMLElement;
  private readonly call: HTMLElement;
  private forms: readonly ToolForm[] = [];
  private chosen = '';
  private inputs: { readonly field: ToolField; readonly value: () => string; readonly element: HTMLElement }[] = [];

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('aria-label', t('Your turn'));
    this.reply = new TextBlock(t('Your reply'), () => undefined, 3);
    this.reply.element.placeholder = t('Write what an agent would reply, with the action in \\boxed{}. Ctrl+Enter sends it.');
    this.reply.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.sendReply();
    });
    this.send = button(t('Send'), () => this.sendReply(), { icon: 'play', small: true });
    this.tool = new Select((name) => this.choose(name));
    this.call = button(t('Call tool'), () => this.callTool(), { icon: 'tool', small: true });
    this.tools.append(el('div', { class: 'row' }, field(t('Tool'), this.tool.element), this.call), this.form);
    this.element.append(el('header', { class: 'row' }, icon('hand', 'info'), this.where, button(t('End this episode'), () => this.move({ kind: 'end' }), { small: true, class: 'right' })),
      el('div', { class: 'row reply' }, this.reply.element, this.send), this.tools, this.problem);
  }

  update({ state: { human, slots } }: Model): void {
    this.element.hidden = human === null;
    if (!human || !this.changed(human)) return;
    const seed = slots[human.slot]?.seed ?? null;
    setText(this.where, seed === null ? t('Your turn: step {step}, {arm}', { step: human.step, arm: armWordInside(human.arm) }) : t('Your turn: step {step}, seed {seed}, {arm}', { step: human.step, seed, arm: armWordInside(human.arm) }));
    this.begin(human);
  }

  private begin(human: HumanTurn): void {
    this.disable(false);
    setText(this.problem, '');
    this.reply.element.value = '';
    this.forms = human.tools;
    this.tools.hidden = human.tools.length === 0;
    this.reply.element.placeholder = human.toolUse
      ? t('Write what an agent would reply, for example <answer>done</answer>. Ctrl+Enter sends it.')
      : t('Write what an agent would reply, with the action in \\boxed{}. Ctrl+Enter sends it.');
    if (human.tools.length > 0) this.choose(human.tools.some(({ name }) => name === this.chosen) ? this.chosen : human.tools[0]!.name);
    this.reply.element.focus();
  }

  private choose(name: string): void {
    this.chosen = name;
    this.tool.update(this.forms.map((form) => ({ value: form.name, label: form.name, title: form.description })), name);
    const form = this.forms.find((candidate) => candidate.name === name);
    const about = el('p', { class: 'muted small said' });
    appendText(about, head(form?.description ?? '', DESCRIPTION));
    this.inputs = (form?.fields ?? []).map(input);
    fill(this.form, about, ...this.inputs.map(({ field: { name: label, required, description }, element }) => {
      element.title = description;
      const row = field(required ? t('{name} (required)', { name: label }) : label, element);
      row.classList.add('wide');
      return row;
    }));
  }

  private sendReply(): void {
    this.move({ kind: 'reply', text: this.reply.element.value });
  }

  private callTool(): void {
    const values: Record<string, unknown> = {};
    for (const { field: asked, value } of this.inputs) {
      const parsed = valueOf(asked, value());
      if (parsed === null) continue;
      if ('problem' in parsed) {
        setText(this.problem, parsed.problem);
        return;
      }
      values[asked.name] = parsed.value;
    }
    this.move({ kind: 'call', name: this.chosen, arguments: values as Parameters<Actions['humanMove']>[0] extends { arguments: infer A } ? A : never });
  }

  private move(move: Parameters<Actions['humanMove']>[0]): void {
    this.disable(true);
    void this.actions.humanMove(move).then((taken) => {
      if (!taken) this.disable(false);
    });
  }

  private disable(disabled: boolean): void {
    setDisabled(this.send, disabled);
    setDisabled(this.call, disabled);
    this.reply.element.disabled = disabled;
  }
}

function input(asked: ToolField): HumanSeat['inputs'][number] {
  if (asked.type === 'boolean' || asked.type === 'choice') {
    const choices = asked.type === 'boolean' ? ['true', 'false'] : asked.choices;
    let chosen = asked.required ? (choices[0] ?? '') : '';
    const all = [...(asked.required ? [] : [{ value: '', label: t('not given') }]), ...choices.map((choice) => ({ value: choice, label: choice }))];
    const select: Select = new Select((value) => {
      chosen = value;
      select.update(all, value);
    });
    select.update(all, chosen);
    return { field: asked, value: () => chosen, element: select.element };
  }
  const box = new TextBox(() => undefined, 'grow');
  if (asked.type === 'json') box.element.placeholder = t('JSON');
  return { field: asked, value: () => box.element.value, element: box.element };
}

/** The value of a field; null when it is left out, else the value or what is wrong with the text. */
export function valueOf({ name, type, required }: Pick<ToolField, 'name' | 'type' | 'required'>, text: string): { readonly value: unknown } | { readonly problem: string } | null {
  if (type === 'text') return text === '' && !required ? null : { value: text };
  if (text.trim() === '') return required ? { problem: t('{name} is required.', { name }) } : null;
  if (type === 'integer' || type === 'number') {
    const number = Number(text);
    const fits = Number.isFinite(number) && (type === 'number' || Number.isInteger(number));
    return fits ? { value: number } : { problem: type === 'integer' ? t('{name} takes a whole number.', { name }) : t('{name} takes a number.', { name }) };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: t('{name} takes JSON, for example ["a", 1].', { name }) };
  }
}
