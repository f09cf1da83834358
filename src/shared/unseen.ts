/** Characters that would act instead of show: C0 and C1 controls, direction marks, zero widths, tags, lone surrogates. Line ends and tabs are shown as they are. */
export const UNSEEN_RUNS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]+/gu;

/** How an unseen character is shown: its picture where Unicode has one, else its number. */
export function picture(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u27e8${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** A text in which every unseen character is shown. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN_RUNS, (run) => [...run].map(picture).join(''));
}

/** A text in which every unseen character is spelled out as an escape of JSON. */
export function spelledText(text: string): string {
  return text.replace(UNSEEN_RUNS, (run) => run.split('').map(escaped).join(''));
}

/** One UTF-16 unit as an escape of JSON. */
export function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
