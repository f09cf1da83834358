/** A word of a shell text, without its quotes. Variables and substitutions stand in it as they are written. */
export interface ShellWord {
  readonly text: string;
  readonly variable: boolean;
  /** Inside of an `if`, a loop or a `case`. */
  readonly conditional: boolean;
  /** Words of one command, or of one array, have the same number. */
  readonly command: number;
}

const OPENING: ReadonlySet<string> = new Set(['if', 'for', 'while', 'until', 'case', 'select']);
const CLOSING: ReadonlySet<string> = new Set(['fi', 'done', 'esac']);
/** Words behind which another command begins. */
const LEADING: ReadonlySet<string> = new Set(['then', 'else', 'elif', 'do', '{', '!']);
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/**
 * The words of a shell text: quotes, escapes, continued lines, comments and arrays are understood, nothing is expanded or run. For
 * finding flags in a launcher, not for judging whether the script is right.
 */
export function shellWords(text: string): ShellWord[] {
  return new ShellReader(text).words();
}

class ShellReader {
  private at = 0;
  private command = 0;
  private depth = 0;
  private inArray = false;
  private atStart = true;
  private readonly found: ShellWord[] = [];

  constructor(private readonly text: string) {}

  words(): ShellWord[] {
    while (this.at < this.text.length) this.next();
    return this.found;
  }

  private next(): void {
    const character = this.text[this.at] ?? '';
    if (character === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
    else if (character === '\\' && this.text.startsWith('\r\n', this.at + 1)) this.at += 3;
    else if (/[ \t\r]/.test(character) || (character === '\n' && this.inArray)) this.at += 1;
    else if (character === '#') this.skipComment();
    else if (/[\n;&|()<>]/.test(character)) this.separate(character);
    else this.word();
  }

  private skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private separate(character: string): void {
    if (character === '(' && this.text[this.at - 1] === '=') this.inArray = true;
    if (character === ')') this.inArray = false;
    this.at += 1;
    this.command += 1;
    this.atStart = true;
  }

  private word(): void {
    let [word, variable, quoted] = ['', false, false];
    while (this.at < this.text.length && !/[\s;&|()<>]/.test(this.text[this.at] ?? '')) {
      const character = this.text[this.at] ?? '';
      if (character === "'") {
        const end = this.closing("'");
        word += this.text.slice(this.at + 1, end);
        [this.at, quoted] = [end + 1, true];
      } else if (character === '"') {
        const [inside, has] = this.doubleQuoted();
        word += inside;
        [variable, quoted] = [variable || has, true];
      } else if (character === '$' || character === '`') {
        word += this.expansion();
        variable = true;
      } else if (character === '\\') {
        if (this.text[this.at + 1] !== '\n') word += this.text[this.at + 1] ?? '';
        this.at += 2;
      } else {
        word += character;
        this.at += 1;
      }
    }
    this.add(word, variable, quoted);
  }

  private add(text: string, variable: boolean, quoted: boolean): void {
    const isKeyword = this.atStart && !quoted && !this.inArray;
    if (isKeyword && OPENING.has(text)) this.depth += 1;
    if (isKeyword && CLOSING.has(text)) this.depth = Math.max(0, this.depth - 1);
    this.atStart = isKeyword && (LEADING.has(text) || OPENING.has(text));
    this.found.push({ text, variable, conditional: this.depth > 0, command: this.command });
  }

  private closing(quote: string): number {
    const end = this.text.indexOf(quote, this.at + 1);
    return end < 0 ? this.text.length : end;
  }

  private doubleQuoted(): [text: string, variable: boolean] {
    let [text, variable] = ['', false];
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      const character = this.text[this.at] ?? '';
      if (character === '\\') {
        const escaped = this.text[this.at + 1] ?? '';
        text += escaped === '\n' ? '' : /["\\$`]/.test(escaped) ? escaped : `\\${escaped}`;
        this.at += 2;
      } else if (character === '$' || character === '`') {
        text += this.expansion();
        variable = true;
      } else {
        text += character;
        this.at += 1;
      }
    }
    this.at += 1;
    return [text, variable];
  }

  /** `$X`, `${…}`, `$(…)` or a command in backticks, as it is written. */
  private expansion(): string {
    const start = this.at;
    const open = this.text[this.at + 1] ?? '';
    if (this.text[this.at] === '`') {
      this.at = this.closing('`') + 1;
    } else if (open in PAIRS) {
      this.at += 2;
      for (let level = 1; level > 0 && this.at < this.text.length; this.at += 1) {
        if (this.text[this.at] === open) level += 1;
        if (this.text[this.at] === PAIRS[open]) level -= 1;
      }
    } else {
      this.at += 1 + (/^(\w+|.)?/.exec(this.text.slice(this.at + 1))?.[0].length ?? 0);
    }
    return this.text.slice(start, this.at);
  }
}
