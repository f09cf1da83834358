import { boxesOf } from '../../environment/readingBoxed';

/** Longest list of options that is taken for one. */
const MAX_OPTIONS = 200;

const clean = (option: string): string => option.trim().replace(/^(?:or|and)\s+/i, '').replace(/^["'`“(]+|["'`”).:;]+$/g, '').trim();

function usable(options: readonly string[]): string[] | null {
  const distinct = [...new Set(options.filter((option) => option.length <= 200).map(clean).filter((option) => option !== '' && option.length <= 40 && option.split(/\s+/).length <= 5))];
  return distinct.length >= 2 && distinct.length <= MAX_OPTIONS && distinct.length >= options.length * 0.8 ? distinct : null;
}

function ranges(text: string): string[][] {
  const found: string[][] = [];
  for (const [, low = '', high = ''] of text.matchAll(/(?<![\d.-])(\d{1,4})\s*(?:-|–|to|\.\.|through)\s*(\d{1,4})(?![\d.])/g)) {
    const from = Number(low);
    const count = Number(high) - from + 1;
    if (count >= 2 && count <= MAX_OPTIONS) found.push(Array.from({ length: count }, (_, at) => String(from + at)));
  }
  return found;
}

/**
 * A text with its runs of blanks made short. An environment writes the text: patterns that meet a long run, or a word or list
 * without end, take quadratic time, so runs are cut here and the patterns begin at words and count what they take.
 */
const shortBlanks = (text: string): string => text.replace(/\s{3,}/g, (run) => (run.includes('\n') ? '\n\n' : '  '));

/** A word, and lists of one or two of them. */
const WORD = "[\\w'-]{1,40}";
const ALTERNATIVES = new RegExp(`(?<![\\w'-])${WORD}(?:\\s${WORD})?(?:,\\s*${WORD}(?:\\s${WORD})?){0,${MAX_OPTIONS}},?\\s+or\\s+${WORD}`, 'g');
const AMONG = new RegExp(`\\bof\\s+((?:${WORD},\\s*){2,${MAX_OPTIONS}}(?:(?:and|or)\\s+)?${WORD})`, 'gi');

/**
 * The lists of options that a text offers, each a group to choose one from: several boxes, words after a colon, `A, B or C`,
 * lettered or numbered lines, number ranges. Never empty groups; the same group once.
 */
export function optionGroups(text: string): string[][] {
  const groups: string[][] = [];
  const add = (options: readonly string[]): void => {
    const list = usable(options);
    if (list !== null) groups.push(list);
  };
  const contents = boxesOf(text).filter(({ closed }) => closed).map(({ content }) => content);
  const boxes = [...new Set(contents.filter((content) => content !== '' && content !== '...'))];
  if (boxes.length >= 2) {
    add(boxes);
    if (boxes.length === 2) groups.push(...ranges(`${boxes[0]} to ${boxes[1]}`));
  }
  const plain = shortBlanks(text).replace(/\\boxed\s*\{([^{}]*)\}/g, '$1');
  for (const [, list = ''] of plain.matchAll(/[:=]\s*\[?((?:[^,:.\n;\]]{1,40},\s*){2,}[^,.\n;\]]{1,40})/g)) add(list.split(/,\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+/));
  for (const [list] of plain.matchAll(ALTERNATIVES)) {
    const parts = list.split(/,\s*(?:or\s+)?|\s+or\s+/);
    const short = [parts[0]!.split(/\s+/).at(-1)!, ...parts.slice(1)];
    // Of "Go with \boxed{down} or \boxed{up}" the boxes say where an option begins.
    if (!short.every((part) => boxes.includes(part))) add(parts);
    add(short);
  }
  for (const [, list = ''] of plain.matchAll(AMONG)) add(list.split(/,\s*/));
  const lettered = [...plain.matchAll(/(?:^|[\n;,]|\s\(?)\(?([A-Ha-h]|\d{1,2})[).:]\s+([^\n;]{1,60}?)(?=$|[\n;]|\s+\(?[A-Ha-h1-9][).:]\s)/g)];
  if (lettered.length >= 2) {
    add(lettered.map(([, label = '']) => label));
    add(lettered.map(([, , label = '']) => label));
  }
  groups.push(...ranges(plain));
  return [...new Map(groups.map((group) => [JSON.stringify(group), group])).values()];
}

/** Every option of every group, the groups with boxes first, without doubles. */
export function allOptions(text: string, limit: number): string[] {
  return [...new Set(optionGroups(text).flat())].slice(0, limit);
}
