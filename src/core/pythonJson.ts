/**
 * JSON as Python's `json` module reads it: `NaN`, `Infinity` and `-Infinity` are numbers, integers and floats are told
 * apart, duplicate keys are kept, and every value knows where it stands in the text, so that what is not touched can be
 * written back to the letter.
 */

/** A value with its place in the text (UTF-16 offsets, end exclusive). `integer` is Python's: no point and no exponent. */
export type JsonNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'object'; readonly members: readonly { readonly key: string; readonly value: JsonNode }[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number; readonly raw: string; readonly integer: boolean }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
);

/** The text is not JSON; `line` and `column` count from 1, in UTF-16 units. */
export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(readonly problem: string, text: string, readonly offset: number) {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    super(`${problem} at line ${line}, column ${column}`);
    this.name = 'JsonSyntaxError';
    this.line = line;
    this.column = column;
  }
}

/** Deeper nesting is refused, as Python's recursion limit would refuse it. */
const MAX_DEPTH = 900;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const WORDS: readonly [string, number | boolean | null][] = [
  ['null', null], ['true', true], ['false', false], ['NaN', Number.NaN], ['Infinity', Number.POSITIVE_INFINITY], ['-Infinity', Number.NEGATIVE_INFINITY],
];

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): JsonNode {
    this.space();
    const node = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail('text after the end of the JSON value');
    return node;
  }

  private fail(problem: string, offset = this.at): never {
    throw new JsonSyntaxError(problem, this.text, offset);
  }

  private space(): void {
    while (SPACES.has(this.text.charCodeAt(this.at))) this.at += 1;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.fail('nesting is too deep');
    const start = this.at;
    const first = this.text[start];
    if (first === '{') return this.object(start, depth);
    if (first === '[') return this.array(start, depth);
    if (first === '"') {
      const value = this.string();
      return { kind: 'string', value, start, end: this.at };
    }
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, start)) continue;
      this.at += word.length;
      const place = { start, end: this.at };
      if (value === null) return { kind: 'null', ...place };
      return typeof value === 'boolean' ? { kind: 'boolean', value, ...place } : { kind: 'number', value, raw: word, integer: false, ...place };
    }
    return this.number(start);
  }

  private number(start: number): JsonNode {
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.text)) this.fail(start >= this.text.length ? 'the text ends where a value is due' : 'no JSON value');
    this.at = NUMBER.lastIndex;
    const raw = this.text.slice(start, this.at);
    return { kind: 'number', value: Number(raw), raw, integer: !/[.eE]/.test(raw), start, end: this.at };
  }

  private object(start: number, depth: number): JsonNode {
    this.at += 1;
    const members: { key: string; value: JsonNode }[] = [];
    this.space();
    if (this.take('}')) return { kind: 'object', members, start, end: this.at };
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail('a key in double quotes is due');
      const key = this.string();
      this.space();
      if (!this.take(':')) this.fail('a colon is due');
      this.space();
      members.push({ key, value: this.value(depth + 1) });
      this.space();
      if (this.take('}')) return { kind: 'object', members, start, end: this.at };
      if (!this.take(',')) this.fail('a comma or the end of the object is due');
    }
  }

  private array(start: number, depth: number): JsonNode {
    this.at += 1;
    const items: JsonNode[] = [];
    this.space();
    if (this.take(']')) return { kind: 'array', items, start, end: this.at };
    for (;;) {
      this.space();
      items.push(this.value(depth + 1));
      this.space();
      if (this.take(']')) return { kind: 'array', items, start, end: this.at };
      if (!this.take(',')) this.fail('a comma or the end of the list is due');
    }
  }

  /** A text; where it holds escapes they are read natively, since both languages know the same ones. */
  private string(): string {
    const start = this.at;
    let escaped = false;
    for (;;) {
      this.at += 1;
      const unit = this.text.charCodeAt(this.at);
      if (unit === QUOTE) break;
      if (Number.isNaN(unit)) this.fail('a text is not closed', start);
      if (unit < FIRST_PRINTABLE) this.fail('a control character stands in a text');
      if (unit !== BACKSLASH) continue;
      escaped = true;
      this.at += 1;
    }
    this.at += 1;
    const raw = this.text.slice(start, this.at);
    if (!escaped) return raw.slice(1, -1);
    try {
      return JSON.parse(raw) as string;
    } catch {
      return this.fail('an unknown escape stands in a text', start);
    }
  }
}

/** Reads one JSON value as `json.loads` does. Throws a {@link JsonSyntaxError}. */
export function parsePythonJson(text: string): JsonNode {
  return new Reader(text).document();
}

/** A plain value. The last of duplicate keys counts, as in Python; numbers lose the difference between `1` and `1.0`. */
export type PlainJson = null | boolean | number | string | PlainJson[] | { [key: string]: PlainJson };

/** The plain value of a node. */
export function toPlain(node: JsonNode): PlainJson {
  switch (node.kind) {
    case 'object': {
      const plain: { [key: string]: PlainJson } = {};
      for (const { key, value } of node.members) Object.defineProperty(plain, key, { value: toPlain(value), enumerable: true, writable: true, configurable: true });
      return plain;
    }
    case 'array':
      return node.items.map(toPlain);
    case 'null':
      return null;
    case 'string':
    case 'number':
    case 'boolean':
      return node.value;
  }
}

/** A number that must be written as it was spelled, for example `1.0` or an integer beyond 2^53. */
export class RawNumber {
  constructor(readonly raw: string) {}
}

/** What {@link writePythonJson} can write. A plain number is written as an integer when it is one. */
export type Writable =
  | null | boolean | number | string | RawNumber | readonly Writable[] | ReadonlyMap<string, Writable> | { readonly [key: string]: Writable };

/** The writable value of a node, with every number as it was spelled and keys in their order (hence a map: objects move number-like keys). */
export function toWritable(node: JsonNode): Writable {
  if (node.kind === 'number') return new RawNumber(node.raw);
  if (node.kind === 'array') return node.items.map(toWritable);
  if (node.kind === 'object') return new Map(node.members.map(({ key, value }) => [key, toWritable(value)]));
  return node.kind === 'null' ? null : node.value;
}

/** A float as Python's `repr` and `json` spell it: `1.0`, `1e-07`, `1e+16`, `NaN`. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const plain = String(value);
  return plain.includes('.') ? plain : `${plain}.0`;
}

const SHORT: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as Python's `json` writes it: everything outside printable ASCII is escaped, in UTF-16 units. */
function pythonString(text: string): string {
  return `"${text.replace(/["\\]|[^ -~]/g, (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

/** JSON as `json.dump(value, indent=2)` writes it; `depth` is the nesting of the place where it will stand. */
export function writePythonJson(value: Writable, depth = 0): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : pythonFloat(value);
  if (value instanceof RawNumber) return value.raw;
  const inner = `\n${'  '.repeat(depth + 1)}`;
  const outer = `\n${'  '.repeat(depth)}`;
  if (isList(value)) {
    return value.length === 0 ? '[]' : `[${inner}${value.map((item) => writePythonJson(item, depth + 1)).join(`,${inner}`)}${outer}]`;
  }
  const members = entriesOf(value).map(([key, item]) => `${pythonString(key)}: ${writePythonJson(item, depth + 1)}`);
  return members.length === 0 ? '{}' : `{${inner}${members.join(`,${inner}`)}${outer}}`;
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}

function entriesOf(value: ReadonlyMap<string, Writable> | { readonly [key: string]: Writable }): [string, Writable][] {
  return value instanceof Map ? [...(value as ReadonlyMap<string, Writable>)] : Object.entries(value as { readonly [key: string]: Writable });
}
