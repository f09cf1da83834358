/**
 * Text from an environment, a model or a run, made fit for one line of the editor's own surfaces: control characters and
 * direction marks are spelled out, line ends become a sign, and what is longer than `limit` characters is cut visibly.
 */
export function plainLine(text: string, limit: number): string {
  const spelled = text
    .slice(0, limit + 1)
    .replace(/\r\n|\r|\n/g, '⏎')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return text.length > limit ? `${spelled.slice(0, limit)}…` : spelled;
}
