import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';

/** What the imports of a file bind: local name to dotted origin, for example `sp` to `subprocess`. */
export type Imports = ReadonlyMap<string, string>;

const known = new WeakMap<PythonFile, Imports>();

/** Names bound by import anywhere in the file. */
function importsOf(file: PythonFile): Imports {
  let imports = known.get(file) as Map<string, string> | undefined;
  if (imports !== undefined) return imports;
  imports = new Map();
  for (const statement of file.root.descendants('import_statement', 'import_from_statement')) {
    const from = statement.child('module_name')?.text.replace(/\s/g, '');
    for (const part of statement.childrenIn('name')) {
      const name = (part.child('name') ?? part).text.replace(/\s/g, '');
      const alias = part.child('alias')?.text;
      if (from !== undefined) imports.set(alias ?? name, `${from}.${name}`);
      else if (alias !== undefined) imports.set(alias, name);
      else imports.set(name.split('.')[0]!, name.split('.')[0]!);
    }
  }
  known.set(file, imports);
  return imports;
}

/** The text of a plain string without prefix, interpolation or escapes; null for anything else. */
export function plainString(node: SyntaxNode | null | undefined): string | null {
  if (node?.type !== 'string') return null;
  const [start, ...rest] = node.namedChildren;
  if (start?.type !== 'string_start' || /[bfrt]/i.test(start.text)) return null;
  const content = rest.filter(({ type }) => type === 'string_content');
  if (rest.some(({ type }) => type === 'interpolation') || content.some((part) => part.text.includes('\\'))) return null;
  return content.map(({ text }) => text).join('');
}

/**
 * The dotted origin of a name or attribute through the imports of the file: `sp.run` is `subprocess.run`,
 * `__import__("os").system` is `os.system`, a builtin is its own name,
 * and so is what the module calls by another name once, as in `run = eval`. Null when the file binds the name otherwise.
 */
export function qualifiedName(file: PythonFile, expression: SyntaxNode | null, aliasesFollowed = 0): string | null {
  const parts: string[] = [];
  let node = expression;
  while (node?.type === 'attribute') {
    parts.unshift(node.child('attribute')?.text ?? '');
    node = node.child('object');
  }
  if (node === null) return null;
  if (node.type === 'call' && parts.length > 0) {
    const called = qualifiedName(file, node.child('function'));
    const module = plainString(node.child('arguments')?.namedChildren[0]);
    return (called === '__import__' || called === 'importlib.import_module') && module !== null ? [module, ...parts].join('.') : null;
  }
  if (node.type !== 'identifier') return null;
  const origin = importsOf(file).get(node.text);
  if (origin !== undefined) return [origin, ...parts].join('.');
  if (file.names.isBuiltin(node.text, node)) return [node.text, ...parts].join('.');
  const meant = aliasesOf(file).get(node.text) ?? null;
  const name = meant === null || aliasesFollowed >= 4 ? null : qualifiedName(file, meant, aliasesFollowed + 1);
  return name === null ? null : [name, ...parts].join('.');
}

const aliases = new WeakMap<PythonFile, ReadonlyMap<string, SyntaxNode>>();

/** Names that the module binds once, to another name: `run = eval`, `call = os.system`. */
function aliasesOf(file: PythonFile): ReadonlyMap<string, SyntaxNode> {
  const known = aliases.get(file);
  if (known !== undefined) return known;
  const bound = new Map<string, SyntaxNode | null>();
  for (const assignment of file.root.inScope('assignment')) {
    const [left, right] = [assignment.child('left'), assignment.child('right')];
    if (left?.type !== 'identifier' || right === null) continue;
    bound.set(left.text, bound.has(left.text) || (right.type !== 'identifier' && right.type !== 'attribute') || right.text.split('.')[0] === left.text ? null : right);
  }
  const found = new Map([...bound].flatMap(([name, value]) => (value === null || boundInFunction(file, name) ? [] : [[name, value] as const])));
  aliases.set(file, found);
  return found;
}

/** True when some function binds the name for itself, so that it may mean another thing there. */
function boundInFunction(file: PythonFile, name: string): boolean {
  for (const definition of file.root.descendants('function_definition', 'lambda')) {
    if ([...(definition.child('parameters')?.descendants('identifier') ?? [])].some(({ text }) => text === name)) return true;
    if ([...(definition.child('body')?.inScope('assignment') ?? [])].some((assignment) => assignment.child('left')?.text === name)) return true;
  }
  return false;
}
