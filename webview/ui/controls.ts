/** Every control of every panel. The only file that knows the toolkit, so that the toolkit can be exchanged. */
import {
  provideVSCodeDesignSystem, vsCodeButton, vsCodeCheckbox, vsCodeDropdown, vsCodeOption, vsCodeTextArea, vsCodeTextField,
  type Checkbox, type Dropdown, type TextArea, type TextField,
} from '@vscode/webview-ui-toolkit';
import { append, apply, el, setAttr, type Child, type Props } from './dom';
import { icon, type IconName } from './icons';

provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeCheckbox(), vsCodeDropdown(), vsCodeOption(), vsCodeTextArea(), vsCodeTextField());

/** A pause in typing, in milliseconds. */
const PAUSE_MS = 300;

function make(tag: string, props: Props, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  apply(element, props);
  append(element, children);
  return element;
}

/** A button with a word, and an icon where that helps. One primary button a view. */
export function button(label: string, onPress: () => void, options: { icon?: IconName; primary?: boolean; small?: boolean; class?: string } = {}): HTMLElement {
  return make('vscode-button', {
    class: `btn${options.small ? ' sm' : ''} ${options.class ?? ''}`.trim(),
    attrs: { appearance: options.primary ? 'primary' : 'secondary' },
    on: { click: onPress },
  }, options.icon && atStart(icon(options.icon)), label);
}

/** Puts an icon where the toolkit wants what comes before a label. */
function atStart(shape: SVGSVGElement): SVGSVGElement {
  shape.setAttribute('slot', 'start');
  return shape;
}

/** A 22 px button with an icon; the tooltip says what it does and names its key. */
export function iconButton(name: IconName, tooltip: string, onPress: () => void, options: { pressed?: boolean } = {}): HTMLButtonElement {
  const pressed = options.pressed === undefined ? {} : { 'aria-pressed': String(options.pressed) };
  return el('button', { class: 'ib', title: tooltip, attrs: { type: 'button', 'aria-label': tooltip, ...pressed }, on: { click: onPress } }, icon(name));
}

/** A word that does something. */
export function link(label: string, onPress: () => void, className = ''): HTMLButtonElement {
  const press = (event: Event): void => {
    event.stopPropagation();
    onPress();
  };
  return el('button', { class: `lnk ${className}`.trim(), text: label, attrs: { type: 'button' }, on: { click: press } });
}

/** Names a control for a screen reader. The toolkit calls its fields "Text field" when they enter the page; this gives them their name back. */
export function nameControl(control: HTMLElement, label: string): void {
  const name = (): void => setAttr(control, 'aria-label', label);
  name();
  new MutationObserver(name).observe(control, { attributes: true, attributeFilter: ['aria-label'] });
}

/** A label before its control. */
export function field(label: string, control: HTMLElement): HTMLElement {
  nameControl(control, label);
  return el('div', { class: 'field' }, el('span', { class: 'muted', text: label, attrs: { 'aria-hidden': 'true' } }), control);
}

/** One choice of a {@link Select}. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly title?: string;
  readonly disabled?: boolean;
}

/** A drop-down. */
export class Select {
  readonly element: Dropdown;
  private shown = '';

  constructor(onChange: (value: string) => void) {
    this.element = document.createElement('vscode-dropdown') as Dropdown;
    this.element.addEventListener('change', () => onChange(this.element.value));
  }

  update(choices: readonly Choice[], value: string): void {
    const key = JSON.stringify(choices);
    if (key !== this.shown) {
      this.shown = key;
      this.element.replaceChildren(...choices.map(({ value: id, label, title, disabled }) =>
        make('vscode-option', { text: label, title: title ?? '', attrs: { value: id, ...(disabled ? { disabled: '' } : {}) } })));
    }
    setAttr(this.element, 'current-value', value);
    if (this.element.value !== value) {
      this.element.value = value;
      this.element.selectedIndex = Math.max(0, choices.findIndex((choice) => choice.value === value));
    }
    const chosen = choices.find((choice) => choice.value === value);
    this.element.title = chosen?.title ?? '';
  }

  set disabled(value: boolean) {
    this.element.disabled = value;
  }
}

/** A field for a short text. `width` is a class. `live`: every change is told, not only the finished text. */
export class TextBox {
  readonly element: TextField;

  constructor(onChange: (value: string) => void, className: string, options: { live?: boolean; placeholder?: string } = {}) {
    this.element = document.createElement('vscode-text-field') as TextField;
    this.element.className = className;
    if (options.placeholder !== undefined) {
      this.element.placeholder = options.placeholder;
      nameControl(this.element, options.placeholder);
    }
    this.element.addEventListener(options.live ? 'input' : 'change', () => onChange(this.element.value));
  }

  /** Shows a value, unless the user is typing. */
  update(value: string, disabled: boolean, problem = ''): void {
    if (document.activeElement !== this.element && this.element.value !== value) this.element.value = value;
    this.element.disabled = disabled;
    this.element.classList.toggle('bad', problem !== '');
    this.element.title = problem;
  }
}

/** A field for several lines. */
export class TextBlock {
  readonly element: TextArea;

  /** @param live a pause in typing is a change as well, not only that the field is left. */
  constructor(label: string, onChange: (value: string) => void, rows: number, live = false) {
    this.element = document.createElement('vscode-text-area') as TextArea;
    this.element.rows = rows;
    nameControl(this.element, label);
    this.element.className = 'textblock';
    let pause = 0;
    this.element.addEventListener('change', () => {
      clearTimeout(pause);
      onChange(this.element.value);
    });
    if (live) this.element.addEventListener('input', () => {
      clearTimeout(pause);
      pause = window.setTimeout(() => onChange(this.element.value), PAUSE_MS);
    });
  }

  update(value: string, disabled: boolean): void {
    if (document.activeElement !== this.element && this.element.value !== value) this.element.value = value;
    this.element.disabled = disabled;
  }
}

/** A box to tick, with its words. */
export class CheckBox {
  readonly element: Checkbox;
  private readonly words = el('span');
  private shown = false;

  constructor(onChange: (checked: boolean) => void) {
    this.element = document.createElement('vscode-checkbox') as Checkbox;
    this.element.append(this.words);
    // The toolkit tells of a change that the page makes as well: only the user's is passed on.
    this.element.addEventListener('change', () => {
      if (this.element.checked === this.shown) return;
      this.shown = this.element.checked;
      onChange(this.shown);
    });
  }

  update(label: string, checked: boolean, disabled = false): void {
    if (this.words.textContent !== label) this.words.textContent = label;
    this.shown = checked;
    if (this.element.checked !== checked) this.element.checked = checked;
    this.element.disabled = disabled;
  }
}

/** Two or three choices side by side, one of them in force. */
export class Segments<T extends string> {
  readonly element: HTMLElement;
  private readonly buttons = new Map<T, HTMLButtonElement>();

  constructor(label: string, choices: readonly { value: T; label: string; title?: string }[], onChange: (value: T) => void, small = false) {
    this.element = el('div', { class: small ? 'seg sm' : 'seg', role: 'group', attrs: { 'aria-label': label } });
    for (const { value, label: text, title } of choices) {
      const choice = el('button', { text, title: title ?? '', attrs: { type: 'button' }, on: { click: () => onChange(value) } });
      this.buttons.set(value, choice);
      this.element.append(choice);
    }
  }

  update(value: T, disabled = false): void {
    for (const [id, choice] of this.buttons) {
      setAttr(choice, 'aria-pressed', String(id === value));
      choice.disabled = disabled;
    }
  }
}

/** Changes the word on a button and leaves the button in place: one that is exchanged between press and release loses its click. */
export function setLabel(control: HTMLElement, label: string): void {
  const last = control.lastChild;
  if (last?.nodeType === Node.TEXT_NODE && last.nodeValue !== label) last.nodeValue = label;
}

/** Enables or disables a button made here. */
export function setDisabled(control: HTMLElement, disabled: boolean): void {
  if ('disabled' in control) (control as HTMLElement & { disabled: boolean }).disabled = disabled;
}
