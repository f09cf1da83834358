/** Python's rules for text, where they differ from JavaScript's and a value depends on them. */

/** Characters that `str.strip`, `str.split` and `\s` of Python treat as white space, as the inside of a character class. */
export const PYTHON_SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** What `\w` of Python matches, as the inside of a character class under the `u` flag. */
export const PYTHON_WORD = '\\p{L}\\p{N}_';

const LEADING = new RegExp(`^[${PYTHON_SPACE}]+`);
const SPACE = new RegExp(`[${PYTHON_SPACE}]`);
const RUNS = new RegExp(`[${PYTHON_SPACE}]+`);

/** `text.strip()`. */
export function strip(text: string): string {
  const start = LEADING.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** `text.split()`: the words between runs of white space. */
export function words(text: string): string[] {
  const inner = strip(text);
  return inner === '' ? [] : inner.split(RUNS);
}

/** `text[:count]`: the first code points; never splits a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** `len(text)`: code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** The text as Python's text mode reads a file: every line end is `\n`. */
export function universalNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
