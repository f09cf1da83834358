import { spelledText, UNSEEN_RUNS } from '../../shared/unseen';

/** Text of an environment, a model or a file as a terminal may see it: what would steer the terminal is spelled out. Line ends and tabs stay. */
export function terminalSafe(text: string): string {
  return text.replace(UNSEEN_RUNS, (run) => run.split('').map((unit) => (unit < '\u0100' ? `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}` : spelledText(unit))).join(''));
}

/** As {@link terminalSafe}, for what is one line of an answer: a line end in it begins no line that looks like another answer. */
export function terminalLine(text: string): string {
  return terminalSafe(text.replace(/\r\n|[\r\n]/g, '⏎').replaceAll('\t', ' '));
}

/** A JSON document in which those characters stand as escapes, so that it can be printed as it is and parsed to the same. */
export function safeJson(document: unknown): string {
  return spelledText(JSON.stringify(document, null, 1));
}

/** Marks that are drawn over the character before them. */
const MARKS = /\p{Mn}|\p{Me}/gu;
/** Characters that take two columns: East Asian wide and full-width ones, and pictures. */
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/gu;

/** How many columns of a terminal a line takes. */
export function columnsOf(line: string): number {
  const shown = line.replace(MARKS, '');
  return [...shown].length + (shown.match(WIDE)?.length ?? 0);
}
