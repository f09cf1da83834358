/** Whether a text tells a value in one of the ways in which people and models write the same thing. */
import { indexOfToken } from '../checks/probe/tokens';

/** A text as it reads: letters and digits of other forms as plain ones, without marks that cannot be seen. */
export function plainText(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '').replace(/\p{Cc}/gu, ' ');
}

const ONES = ('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen').split(' ');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** A whole number below a million in English words, without hyphens or `and`. */
export function inWords(number: number): string {
  if (number < 20) return ONES[number]!;
  const [size, name] = number < 100 ? [10, ''] : number < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const most = Math.floor(number / size);
  const rest = number % size;
  return [name === '' ? TENS[most]! : `${inWords(most)} ${name}`, ...(rest === 0 ? [] : [inWords(rest)])].join(' ');
}

/** The numbers that a text writes in digits: with separators between thousands, as fractions, in percent. */
function numbersIn(text: string): number[] {
  const found: number[] = [];
  for (const [, sign = '', digits = '', below, percent] of text.matchAll(/(?<![\p{L}\p{N}.])(-?)(\d{1,3}(?:[,_' ]\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:\s?\/\s?(\d+))?(\s?%)?/gu)) {
    const number = Number(`${sign}${digits.replace(/[,_' ]/g, '')}`);
    found.push(number / (below === undefined ? 1 : Number(below)) / (percent === undefined ? 1 : 100));
  }
  return found;
}

/** The number that a value is; null for one that is none, or too long to be told apart. */
function numberOf(value: string): number | null {
  const fraction = /^(-?\d{1,15})\/(\d{1,15})$/.exec(value) ?? /^\\frac\{(-?\d{1,15})\}\{(\d{1,15})\}$/.exec(value);
  if (fraction !== null) return Number(fraction[1]) / Number(fraction[2]);
  return /^-?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,15})?$/.test(value) ? Number(value.replaceAll(',', '')) : null;
}

/** Values shorter than this are not looked for letter by letter: `1, 2, 3` is a list. */
const SHORTEST_IN_PIECES = 4;
const LONGEST_IN_PIECES = 40;

function inPieces(text: string, value: string): boolean {
  const letters = [...value];
  if (letters.length < SHORTEST_IN_PIECES || letters.length > LONGEST_IN_PIECES || !/^[\p{L}\p{N}]+$/u.test(value)) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('[^\\p{L}\\p{N}]{1,3}')}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** Whether a {@link plainText} holds a value: as a whole word or phrase, as the same number in another notation or in words, or letter by letter. */
export function holds(text: string, value: string): boolean {
  const wanted = plainText(value).trim();
  if (indexOfToken(text, wanted) >= 0 || inPieces(text, wanted)) return true;
  const number = numberOf(wanted);
  if (number === null || !Number.isFinite(number)) return false;
  if (numbersIn(text).some((one) => Math.abs(one - number) <= 1e-9 * Math.max(1, Math.abs(number)))) return true;
  if (!Number.isInteger(number) || number < 0 || number >= 1_000_000) return false;
  const words = text.toLowerCase().replace(/[-\s,]+/g, ' ').replace(/\b(hundred|thousand) and\b/g, '$1');
  return indexOfToken(words, inWords(number)) >= 0;
}
