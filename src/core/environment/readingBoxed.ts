import { strip } from '../pythonText';

/** A `\boxed{…}` of a reply. `end` is exclusive, and the end of the reply when the box is not closed. */
export interface Box {
  readonly start: number;
  readonly end: number;
  readonly content: string;
  readonly closed: boolean;
}

/** The forms whose first appearance the run plays before it looks at anything else: no braces inside, and one or two pairs around. */
const SIMPLE = [/\\boxed\{([^{}]+)\}/, /\\boxed\{\{([^{}]+)\}\}/, /\\boxed\{\{\{([^{}]+)\}\}\}/] as const;

/** The end of the group that opens at `open`, exclusive; undefined when it is not closed. */
function closing(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === '{') depth += 1;
    else if (unit === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/**
 * Which box the run plays, and the answer it takes from it (run contract §4): the first simple box, else the last box by
 * its braces. Null when there is none; the text is never trimmed of more than outer white space and two pairs of braces.
 */
export function playedBox(text: string): { readonly answer: string; readonly start: number } | null {
  for (const pattern of SIMPLE) {
    const found = pattern.exec(text);
    if (found) return { answer: strip(found[1] ?? ''), start: found.index };
  }
  const last = text.lastIndexOf('\\boxed');
  const open = last < 0 ? -1 : text.indexOf('{', last);
  const end = open < 0 ? undefined : closing(text, open);
  if (end === undefined) return null;
  let answer = strip(text.slice(open + 1, end - 1));
  for (let pair = 0; pair < 2 && answer.startsWith('{') && answer.endsWith('}'); pair += 1) answer = strip(answer.slice(1, -1));
  return { answer, start: last };
}

/** The answer the run reads in a reply; null when it reads none, which is not the same as an empty one. */
export function extractBoxedAnswer(text: string): string | null {
  return playedBox(text)?.answer ?? null;
}

/** The action the run sends to `step`: the answer in a box of its own, or the whole reply when there is no answer, or an empty one. */
export function parseActionBoxed(reply: string): string {
  const answer = extractBoxedAnswer(reply);
  return answer === null || answer === '' ? strip(reply) : `\\boxed{${answer}}`;
}

/** Every outermost box of a text, also those the run does not read. A box inside a box is part of it. */
export function boxesOf(text: string): Box[] {
  const boxes: Box[] = [];
  const opening = /\\boxed\s*\{/g;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const open = opening.lastIndex - 1;
    const end = closing(text, open);
    boxes.push({ start: found.index, end: end ?? text.length, content: text.slice(open + 1, end === undefined ? text.length : end - 1), closed: end !== undefined });
    if (end === undefined) break;
    opening.lastIndex = end;
  }
  return boxes;
}
