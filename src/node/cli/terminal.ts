/** Control characters, and the marks that turn the direction of text around. Line ends and tabs stay. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const escape = (character: string): string => {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Text of an environment, a model or a file as a terminal may see it: what would steer the terminal is spelled out. */
export function terminalSafe(text: string): string {
  return text.replace(UNSAFE, escape);
}

/** A JSON document in which those characters stand as escapes, so that it can be printed as it is and parsed to the same. */
export function safeJson(document: unknown): string {
  return JSON.stringify(document, null, 1).replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
