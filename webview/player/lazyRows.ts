import { el } from '../ui/dom';

/** Height of a row that was never drawn, in pixels. */
const GUESS = 150;

interface Row {
  readonly element: HTMLElement;
  draw: () => readonly HTMLElement[];
  key: string;
  drawn: boolean;
}

/**
 * A long list whose rows exist only near the screen. A row that left keeps its height, so that nothing moves; rows are
 * drawn again when their key changes.
 */
export class LazyRows {
  readonly element = el('div', { role: 'list' });
  private readonly rows: Row[] = [];
  private readonly byElement = new Map<Element, Row>();
  private readonly observer: IntersectionObserver;

  constructor(private readonly rowClass: string) {
    const near = { rootMargin: '600px 0px', scrollMargin: '600px 0px' };
    this.observer = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => this.seen(target, isIntersecting)), near);
  }

  /** Sets the rows: a row with the same key stays as it is. */
  update(rows: readonly { key: string; draw: () => readonly HTMLElement[] }[]): void {
    while (this.rows.length > rows.length) this.drop();
    rows.forEach(({ key, draw }, index) => {
      const row = this.rows[index] ?? this.add();
      row.draw = draw;
      if (row.key === key) return;
      row.key = key;
      if (row.drawn) this.show(row);
    });
  }

  /** Draws a row now, for the keyboard to reach it. */
  reveal(index: number): HTMLElement | undefined {
    const row = this.rows[index];
    if (row && !row.drawn) this.show(row);
    return row?.element;
  }

  /** Draws one row again, whatever its key. */
  redraw(index: number): void {
    const row = this.rows[index];
    if (row?.drawn) this.show(row);
  }

  private add(): Row {
    const row: Row = { element: el('div', { class: this.rowClass, role: 'listitem' }), draw: () => [], key: '', drawn: false };
    row.element.style.minHeight = `${GUESS}px`;
    this.rows.push(row);
    this.byElement.set(row.element, row);
    this.element.append(row.element);
    this.observer.observe(row.element);
    return row;
  }

  private drop(): void {
    const row = this.rows.pop();
    if (!row) return;
    this.observer.unobserve(row.element);
    this.byElement.delete(row.element);
    row.element.remove();
  }

  private show(row: Row): void {
    row.element.replaceChildren(...row.draw());
    row.element.style.minHeight = '';
    row.drawn = true;
  }

  private seen(target: Element, near: boolean): void {
    const row = this.byElement.get(target);
    if (!row || near === row.drawn) return;
    if (near) return this.show(row);
    if (row.element.contains(document.activeElement)) return;
    row.element.style.minHeight = `${row.element.offsetHeight}px`;
    row.element.replaceChildren();
    row.drawn = false;
  }
}
