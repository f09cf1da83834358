import { boxesOf } from './readingBoxed';
import { LiteralReader, type Literal } from './pythonLiteral';

/** One call of a tool-use solution. */
export interface SolutionCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Literal>>;
}

/**
 * What a `solution()` says (run contract §1). `actions` holds the ways to play it, the likeliest first: each is a list of
 * actions for `step`. `prose` is a text that only a reader can play: such a solution is not checked.
 */
export type SolutionReading =
  | { readonly kind: 'actions'; readonly ways: readonly (readonly string[])[]; readonly prose: boolean }
  | { readonly kind: 'tools'; readonly calls: readonly SolutionCall[]; readonly answer: string }
  | { readonly kind: 'prose' };

/** An answer as the run sends it: as it is when it holds a box, else in a box. */
export function boxed(answer: string): string {
  return /\\boxed\b/.test(answer) ? answer : `\\boxed{${answer}}`;
}

const FUNCTION_WORDS = /\b(the|a|an|to|then|and|is|of|with|until|each|by|you|it|that|which|from|into|when|your|for|on|at|after|first|next|finally)\b/gi;

/** True for text that reads like an explanation rather than like an answer. */
export function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
  if (words.length < 4) return false;
  const functionWords = new Set(text.toLowerCase().match(FUNCTION_WORDS) ?? []).size;
  if (functionWords >= 1 && (words.length >= 6 || /[.!;:]\s*$/.test(text.trim()))) return true;
  return words.length >= 12 && /[.!?;:]/.test(text);
}

/** A heading before an answer or a list: `Moves: L, R`, `Answer: 12`. */
const LABEL = /^[A-Za-z][A-Za-z ]{1,24}:\s+(?=\S)/;

const bare = (line: string): string => line.replace(/^\s*(?:(?:step\s*)?\d+\s*[.):]|[-*•])\s+/i, '').trim().replace(/^(['"`])(.*)\1$/, '$2');

function listOf(text: string): string[] | null {
  const reader = new LiteralReader(text.trim());
  if (!/^[[(]/.test(reader.text)) return null;
  const value = reader.literal();
  reader.skipSpace();
  if (!Array.isArray(value) || reader.at !== reader.text.length || value.length === 0) return null;
  const parts = value.filter((part): part is string | number => typeof part === 'string' || typeof part === 'number');
  return parts.length === value.length ? parts.map(String) : null;
}

/**
 * What stands between actions. The blanks around it are taken away afterwards: a file writes the text, and a pattern that asks for blanks
 * first takes quadratic time where there are many.
 */
const SEPARATORS = [/->|→|=>/, /;/, /\|/, /,/, /(?<=\s)then(?=\s)/i];
const THEN = /^then\s+/;

/** Reads the solution of a game: one answer, or a list of actions in one of the usual notations. */
export function readGameSolution(text: string): SolutionReading {
  const whole = text.trim();
  const boxes = boxesOf(whole);
  if (boxes.length === 1) return { kind: 'actions', ways: [[whole]], prose: false };
  if (boxes.length > 1) return { kind: 'actions', ways: [boxes.map(({ content }) => `\\boxed{${content}}`), [whole]], prose: false };
  const ways: string[][] = [[whole]];
  const add = (parts: readonly string[]): void => {
    const actions = parts.map(bare).filter((part) => part !== '');
    if (actions.length > 1 || (actions.length === 1 && actions[0] !== whole)) ways.push(actions);
  };
  const literal = listOf(whole);
  if (literal !== null) ways.push(literal);
  const lines = whole.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 1) add(lines);
  const labelled = LABEL.test(whole);
  const told = whole.replace(LABEL, '');
  if (labelled) ways.push([told]);
  for (const separator of SEPARATORS) {
    const parts = told.split(separator).map((part) => part.trim().replace(THEN, ''));
    if (parts.length > 1 && parts.every((part) => part.split(/\s+/).length <= 4)) add(parts);
  }
  const words = told.split(/\s+/);
  if (words.length > 1 && words.every((word) => /^[\w+-]{1,12}$/.test(word))) add(words);
  const distinct = [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
  return { kind: 'actions', ways: distinct.slice(0, 4).map((way) => way.map(boxed)), prose: isProse(whole) || labelled };
}

const [OPEN, CLOSE] = ['<answer>', '</answer>'];

/** The answer that ends a text, in its tag or after its word on the last line, and where it begins; null when there is none. */
function endingOf(text: string): { readonly index: number; readonly answer: string } | null {
  const told = text.trimEnd();
  const tag = told.endsWith(CLOSE) ? told.indexOf(OPEN) : -1;
  if (tag >= 0) return { index: tag, answer: told.slice(tag + OPEN.length, -CLOSE.length).trim() };
  const line = told.lastIndexOf('\n') + 1;
  const word = /(?:^|\s)ANSWER:/.exec(told.slice(line));
  return word && { index: line + word.index, answer: told.slice(line + word.index + word[0].length).trim() };
}

/** Reads tool steps `N. tool(key=literal, …)`, each optionally followed by `-> text`, and the answer after them; all else is prose. */
export function readToolSolution(text: string): SolutionReading {
  const ending = endingOf(text);
  if (ending === null) return { kind: 'prose' };
  const reader = new LiteralReader(text.slice(0, ending.index));
  const calls: SolutionCall[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.at >= reader.text.length) return { kind: 'tools', calls, answer: ending.answer };
    const number = /\d+[.)]\s*/y;
    number.lastIndex = reader.at;
    if (number.exec(reader.text) === null) return { kind: 'prose' };
    reader.at = number.lastIndex;
    const name = reader.name();
    if (name === null || !reader.take('(')) return { kind: 'prose' };
    const args: Record<string, Literal> = {};
    while (!reader.take(')')) {
      if (Object.keys(args).length > 0 && !reader.take(',')) return { kind: 'prose' };
      if (reader.take(')')) break;
      const key = reader.name();
      const value = key !== null && reader.take('=') ? reader.literal() : undefined;
      if (key === null || value === undefined) return { kind: 'prose' };
      args[key] = value;
    }
    calls.push({ name, arguments: args });
    const note = /[ \t]*(?:->|→)[^\n]*/y;
    note.lastIndex = reader.at;
    if (note.exec(reader.text) !== null) reader.at = note.lastIndex;
  }
}
