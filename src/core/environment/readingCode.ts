import type { Tree } from 'web-tree-sitter';
import type { PythonParser } from '../ports';

/** How often the run tries to mend a reply before it gives the code up as it is. */
const MAX_REPAIRS = 20;

const FENCE = /```python\n([\s\S]*?)\n```/;
const GROUP = /\{([^{}]*)\}/g;

/** Zero-based line of the first syntax error, undefined when the text parses. */
function errorLine(tree: Tree): number | undefined {
  let node = tree.rootNode;
  if (!node.hasError) return undefined;
  for (;;) {
    if (node.isError || node.isMissing) return node.startPosition.row;
    const broken = node.children.find((child) => child !== null && (child.hasError || child.isMissing));
    if (!broken) return node.startPosition.row;
    node = broken;
  }
}

/** Expression statements of the grammar that Python does not take as an expression on their own. */
const STATEMENTS = new Set(['assignment', 'augmented_assignment', 'yield']);

/** Trees live outside the garbage collector, so each is let go of as soon as it is read. */
function withTree<T>(text: string, parser: PythonParser, read: (tree: Tree) => T): T {
  const tree = parser.parse(text);
  try {
    return read(tree);
  } finally {
    tree.delete();
  }
}

function isSoleExpression(tree: Tree): boolean {
  const parts = tree.rootNode.namedChildren.filter((child) => child !== null && child.type !== 'comment');
  const [only] = parts;
  const inner = only?.firstNamedChild;
  return parts.length === 1 && !tree.rootNode.hasError && only?.type === 'expression_statement' && !(inner && STATEMENTS.has(inner.type));
}

function isExpression(text: string, parser: PythonParser): boolean {
  return text !== '' && !/^\s/.test(text) && withTree(text, parser, isSoleExpression);
}

/**
 * Doubles the braces of f-strings where the code does not parse: on the line of the error every `{…}` without braces
 * inside that is no expression, again and again until the code parses or nothing changes. Code that parses is never
 * touched, whatever it does when it runs.
 */
function repairFstringBraces(code: string, parser: PythonParser): string {
  let lines = code.split('\n');
  for (let round = 0; round < MAX_REPAIRS; round += 1) {
    const at = withTree(lines.join('\n'), parser, errorLine);
    const line = at === undefined ? undefined : lines[at];
    if (at === undefined || line === undefined) break;
    const repaired = line.replace(GROUP, (group, inner: string) => (isExpression(inner, parser) ? group : `{{${inner}}}`));
    if (repaired === line) break;
    lines = lines.with(at, repaired);
  }
  return lines.join('\n');
}

/** Python code of a reply, as the run takes it: the first closed block marked `python`, else all of the reply; then mended. */
export function extractGameCode(reply: string, parser: PythonParser): string {
  return repairFstringBraces(FENCE.exec(reply)?.[1] ?? reply, parser);
}
