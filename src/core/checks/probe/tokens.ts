/** When a text holds an answer: shared by the leak checks of observations, feedback and hints. */

const COMMON = new Set(('the and for you are not yes none true false left right north south east west with this that from have has one two three four five six seven '
  + 'eight nine ten red blue green black white answer code solution word number letter open close move start stop done next last first').split(' '));

/** Words after which an answer stands when a text gives it away. */
const GIVING = '(?:answer|solution|code|secret|password|passcode|target|key|result|hidden|correct)';

/** True for a value that says nothing when it is met in a text: short, or a common word. */
export function isCommon(value: string): boolean {
  const text = value.trim().toLowerCase();
  return text.length < 3 || COMMON.has(text);
}

/** Quick: most texts do not hold the value at all, and a pattern for each pair is dear. */
const mayHold = (text: string, value: string): boolean => text.toLowerCase().includes(value.trim().toLowerCase());

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Where a value stands as a whole token or phrase in a text, case ignored; -1 when it does not. */
export function indexOfToken(text: string, value: string): number {
  if (!mayHold(text, value)) return -1;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(value.trim())}(?![\\p{L}\\p{N}_]|[.,]\\d)`, 'iu');
  return pattern.exec(text)?.index ?? -1;
}

/** True when a value follows a word that announces it: `the code is 4711`. */
export function isGivenAway(text: string, value: string): boolean {
  if (!mayHold(text, value)) return false;
  return new RegExp(`\\b${GIVING}\\b\\s*(?:is|was|=|:|->)\\s*["'\`(]?${escaped(value.trim())}(?![\\p{L}\\p{N}_]|[.,]\\d)`, 'iu').test(text);
}

const WORD = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** The words of a text with their places. */
function wordsOf(text: string): { word: string; at: number }[] {
  return [...text.matchAll(WORD)].map((match) => ({ word: match[0], at: match.index }));
}

/** A variable slot of a template: shared words before it, and the place in it, counted from its beginning and from its end. */
export interface Slot {
  readonly shared: number;
  readonly fromStart: number;
  readonly fromEnd: number;
}

/**
 * The variable slot of a text in which a place lies, told by the words before it that all the texts of a template share. Null when
 * the place lies in what all texts share.
 */
export function slotOf(text: string, at: number, shared: ReadonlySet<string>): Slot | null {
  const words = wordsOf(text);
  const isShared = words.map(({ word }) => shared.has(word));
  const here = words.findIndex(({ at: place }) => place >= at);
  if (here < 0 || isShared[here]) return null;
  const start = isShared.lastIndexOf(true, here);
  const end = isShared.indexOf(true, here);
  return { shared: isShared.slice(0, here).filter(Boolean).length, fromStart: here - start, fromEnd: (end < 0 ? words.length : end) - here };
}

/** Whether places lie in the same variable slot over all texts: one of many variable words is the same only when it is always the nth of them. */
export function sameSlot(slots: readonly (Slot | null)[]): boolean {
  const [first] = slots;
  if (!first) return false;
  return slots.every((slot) => slot?.shared === first.shared)
    && (slots.every((slot) => slot?.fromStart === first.fromStart) || slots.every((slot) => slot?.fromEnd === first.fromEnd));
}

/** The words that every text holds, as often as in the text that holds them least: what a template keeps over seeds. */
export function sharedWords(texts: readonly string[]): ReadonlySet<string> {
  const [first = '', ...rest] = texts;
  const sets = rest.map((text) => new Set(wordsOf(text).map(({ word }) => word)));
  return new Set(wordsOf(first).map(({ word }) => word).filter((word) => sets.every((set) => set.has(word))));
}
