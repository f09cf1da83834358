const OPEN = '<think>';
const CLOSE = '</think>';

/** A stretch of a reply: what the model thought, or what it answered. */
export interface Stretch {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/**
 * Tells thinking from answer in content that opens with `<think>`, as servers without a reasoning parser send it, while
 * it streams. The tags are dropped, nothing else: `<think>` + reasoning + `</think>` + text is the reply again.
 */
export class ThinkSplitter {
  private state: 'start' | 'thinking' | 'answer' = 'start';
  private held = '';

  push(text: string): Stretch[] {
    this.held += text;
    const out: Stretch[] = [];
    if (this.state === 'start') this.start();
    if (this.state === 'thinking') this.thinking(out);
    if (this.state === 'answer') this.release('text', this.held.length, out);
    return out;
  }

  /** The content is over: gives what was held back while a tag was possible. */
  end(): Stretch[] {
    const out: Stretch[] = [];
    this.release(this.state === 'thinking' ? 'reasoning' : 'text', this.held.length, out);
    return out;
  }

  private start(): void {
    const body = this.held.trimStart();
    if (body.startsWith(OPEN)) {
      this.held = body.slice(OPEN.length);
      this.state = 'thinking';
    } else if (!OPEN.startsWith(body)) {
      this.state = 'answer';
    }
  }

  private thinking(out: Stretch[]): void {
    const end = this.held.indexOf(CLOSE);
    if (end >= 0) {
      this.release('reasoning', end, out);
      this.held = this.held.slice(CLOSE.length);
      this.state = 'answer';
      return;
    }
    this.release('reasoning', this.held.length - tagStart(this.held), out);
  }

  private release(kind: Stretch['kind'], length: number, out: Stretch[]): void {
    if (length > 0) out.push({ kind, text: this.held.slice(0, length) });
    this.held = this.held.slice(length);
  }
}

/** How many characters at the end of the text may be the beginning of the closing tag. */
function tagStart(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
