/** Copies of environments as models make them: the same task under another look. */

const words = /\b(self\.)([a-z_]\w*)\b(?!\()/g;

/** Attributes, classes and locals under other names. */
export const renamed = (source: string): string => source.replace(words, '$1$2_x').replace(/class (\w+)Env/g, 'class Other$1Env').replace(/\brng\b/g, 'generator');

/** The texts in other words. */
export const reskinned = (source: string): string =>
  source.replace(/\b([a-z]{5,})\b(?=[^"\n]*"[^"\n]*$)/gm, (word) => (/return|match|group|random|lower|strip|split|range/.test(word) ? word : `${word}ly`));

/** Blank lines, brackets and remarks. */
export const reformatted = (source: string): string =>
  source.replace(/\n\n/g, '\n\n\n').replace(/return (.+), 0\.0, False, over, \{\}$/gm, 'return ($1, 0.0, False, over, {})').replace(/^( +)(self\.turns = 0)$/gm, '$1# a remark\n$1$2');

/** Methods of the class in the opposite order. */
export function reordered(source: string): string {
  const [head, ...methods] = source.split(/(?=^ {4}def )/m);
  return [head, ...methods.reverse().map((method) => (method.endsWith('\n') ? method : `${method}\n`))].join('');
}

/** Every kind of copy by its name, the last all of them at once. */
export const COPIES: Readonly<Record<string, (source: string) => string>> = {
  renamed, reordered, reformatted, reskinned, all: (source) => renamed(reordered(reformatted(reskinned(source)))),
};
