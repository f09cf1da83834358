/** What may be set on an element made by {@link el}. There is no way to give markup: text is only ever text. */
export interface Props {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly role?: string;
  readonly hidden?: boolean;
  readonly tabindex?: number;
  readonly attrs?: Readonly<Record<string, string>>;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
}

/** What an element can hold; nothing stands for the empty ones. */
export type Child = Node | string | null | undefined | false;

/** Makes an element. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  append(element, children);
  return element;
}

/** Sets properties on an element. */
export function apply(element: HTMLElement, props: Props): void {
  if (props.class !== undefined) element.className = props.class;
  if (props.text !== undefined) element.textContent = props.text;
  if (props.title !== undefined) element.title = props.title;
  if (props.role !== undefined) element.setAttribute('role', props.role);
  if (props.hidden !== undefined) element.hidden = props.hidden;
  if (props.tabindex !== undefined) element.tabIndex = props.tabindex;
  for (const [name, value] of Object.entries(props.attrs ?? {})) element.setAttribute(name, value);
  for (const [name, listener] of Object.entries(props.on ?? {})) element.addEventListener(name, listener);
}

/** Appends children, strings as text. */
export function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child) element.append(child);
  }
}

/** Replaces all children. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Sets text only when it differs, so that selections and live regions are left alone. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute. */
export function setAttr(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Scrolls the box that an element stands in, and nothing else. `scrollIntoView` moves everything around it, too: the frame
 * that the editor puts about a panel gives way by a few pixels, and stays there.
 */
export function reveal(element: Element, block: 'start' | 'nearest'): void {
  let box = element.parentElement;
  while (box && !(/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight)) box = box.parentElement;
  const scroller = box ?? document.documentElement;
  const isPage = scroller === document.body || scroller === document.documentElement;
  const view = isPage ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  const by = block === 'start' || top < view.top || bottom - top > view.bottom - view.top ? top - view.top : Math.max(0, bottom - view.bottom);
  if (by === 0) return;
  if (isPage) window.scrollBy(0, by);
  else scroller.scrollBy(0, by);
}
