/** Comments in a row from which on the grammar's reading of them anew at each one is felt. */
const MANY = 100;
const COMMENT = /^[ \t\f]*#/;
/** A comment that ends nothing where it stands inside of a text instead: it has neither quotes, braces nor backslashes. */
const HARMLESS = /^[^"'\\{}]*$/;
const TRIPLE = /"""|'''/g;

/**
 * A text for the parser, as long as the source and with the same lines, in which long runs of comment lines are blank: at each comment
 * after a block the grammar looks ahead past all that follow. No rule reads comments from the tree, and what the nodes of the tree stand
 * for is cut out of the source. A line that may belong to a text of several lines, and would matter to it, is left as it is.
 */
export function withoutLongComments(source: string): string {
  const triples = source.includes('#') ? [...source.matchAll(TRIPLE)].map(({ index }) => index) : [];
  const [first = source.length, last = -1] = [triples[0], triples.at(-1)];
  const parts: string[] = [];
  let [kept, runStart, run, continued] = [0, 0, 0, false];
  for (let start = 0; start <= source.length;) {
    const next = source.indexOf('\n', start);
    const end = next < 0 ? source.length : next;
    const line = source.slice(start, end).replace(/\r$/, '');
    const outside = (start <= first || start > last) && !continued;
    const isComment = COMMENT.test(line) && (outside || HARMLESS.test(line));
    if (isComment && run === 0) runStart = start;
    if (isComment) run += 1;
    if (run >= MANY && (!isComment || next < 0)) {
      const stop = isComment ? end : start;
      parts.push(source.slice(kept, runStart), source.slice(runStart, stop).replace(/[^\r\n]/g, ' '));
      kept = stop;
    }
    if (!isComment) run = 0;
    continued = !isComment && line.endsWith('\\');
    start = end + 1;
  }
  return kept === 0 ? source : parts.join('') + source.slice(kept);
}
