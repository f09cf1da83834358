/** A Python literal as plain data: tuples and sets become lists, keys texts. */
export type Literal = string | number | boolean | null | Literal[] | { [key: string]: Literal };

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\', '\'': '\'', '"': '"', a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '',
};
const NUMBER = /[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /True|False|None/y;
const NAME = /[A-Za-z_]\w*/y;
const SPACE = /\s*/y;
const MAX_DEPTH = 50;

/** The text at a place is no literal. */
class NoLiteral extends Error {}

/** Reads Python literals out of a text, from left to right. */
export class LiteralReader {
  constructor(readonly text: string, public at = 0) {}

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  skipSpace(): void {
    this.match(SPACE);
  }

  /** Takes a character when it comes next, blanks before it skipped. */
  take(character: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(character, this.at)) return false;
    this.at += character.length;
    return true;
  }

  /** Takes an identifier, null when none comes next. */
  name(): string | null {
    this.skipSpace();
    return this.match(NAME);
  }

  /** The literal that comes next; undefined, without moving, when there is none. */
  literal(): Literal | undefined {
    const start = this.at;
    try {
      return this.value(0);
    } catch (error) {
      if (!(error instanceof NoLiteral)) throw error;
      this.at = start;
      return undefined;
    }
  }

  private value(depth: number): Literal {
    if (depth > MAX_DEPTH) throw new NoLiteral();
    this.skipSpace();
    const first = this.text[this.at];
    if (first === '\'' || first === '"' || /^[rRuUbB]['"]/.test(this.text.slice(this.at, this.at + 2))) return this.strings();
    if (first === '[') return this.items(']', depth);
    if (first === '(') return this.group(depth);
    if (first === '{') return this.braces(depth);
    const word = this.match(WORD);
    if (word !== null) return word === 'None' ? null : word === 'True';
    const number = this.match(NUMBER);
    if (number === null) throw new NoLiteral();
    return Number(number.replaceAll('_', ''));
  }

  /** One text, or several side by side as Python joins them. */
  private strings(): string {
    let joined = this.string();
    for (;;) {
      const start = this.at;
      this.skipSpace();
      if (this.text[this.at] !== '\'' && this.text[this.at] !== '"') {
        this.at = start;
        return joined;
      }
      joined += this.string();
    }
  }

  private string(): string {
    const raw = /[rR]/.test(this.text[this.at] ?? '');
    if (/[a-zA-Z]/.test(this.text[this.at] ?? '')) this.at += 1;
    const quote = this.text[this.at]!;
    const close = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    this.at += close.length;
    let value = '';
    while (!this.text.startsWith(close, this.at)) {
      const character = this.text[this.at];
      if (character === undefined || (character === '\n' && close.length === 1)) throw new NoLiteral();
      this.at += 1;
      value += character === '\\' ? this.escape(raw) : character;
    }
    this.at += close.length;
    return value;
  }

  private escape(raw: boolean): string {
    const next = this.text[this.at];
    if (next === undefined) throw new NoLiteral();
    this.at += 1;
    if (raw) return `\\${next}`;
    const width = { x: 2, u: 4, U: 8 }[next];
    if (width !== undefined) {
      const digits = this.text.slice(this.at, this.at + width);
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < width) throw new NoLiteral();
      this.at += width;
      const code = Number.parseInt(digits, 16);
      return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
    }
    return ESCAPES[next] ?? `\\${next}`;
  }

  private items(close: string, depth: number): Literal[] {
    this.at += 1;
    const list: Literal[] = [];
    while (!this.take(close)) {
      if (list.length > 0 && !this.take(',')) throw new NoLiteral();
      if (this.take(close)) break;
      list.push(this.value(depth + 1));
    }
    return list;
  }

  private group(depth: number): Literal {
    const start = this.at;
    const list = this.items(')', depth);
    const inside = this.text.slice(start + 1, this.at - 1);
    return list.length === 1 && !/,\s*$/.test(inside) ? list[0]! : list;
  }

  private braces(depth: number): Literal {
    this.at += 1;
    const entries: { [key: string]: Literal } = {};
    const members: Literal[] = [];
    let keyed = false;
    while (!this.take('}')) {
      if ((keyed || members.length > 0) && !this.take(',')) throw new NoLiteral();
      if (this.take('}')) break;
      const key = this.value(depth + 1);
      if (this.take(':')) {
        keyed = true;
        entries[typeof key === 'string' ? key : JSON.stringify(key)] = this.value(depth + 1);
      } else members.push(key);
    }
    if (keyed && members.length > 0) throw new NoLiteral();
    return members.length > 0 ? members : entries;
  }
}
