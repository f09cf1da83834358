import type { Method } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';

/** The function that a call runs, as far as the text tells: a method called on `self`, `super()` or the class, or a function of the module. */
export function calleeOf(file: PythonFile, call: SyntaxNode, self: string | null): SyntaxNode | null {
  const target = call.child('function');
  if (target === null) return null;
  if (target.type === 'identifier') return moduleFunction(file, target.text);
  if (target.type !== 'attribute') return null;
  const receiver = target.child('object')?.text;
  const name = target.child('attribute')?.text ?? '';
  if (receiver !== undefined && (receiver === self || receiver === file.env?.name || receiver.startsWith('super('))) return file.method(name)?.node ?? null;
  return null;
}

/** A function that the module defines at its top level. */
export function moduleFunction(file: PythonFile, name: string): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (const node of file.root.inScope('function_definition')) if (node.child('name')?.text === name) found = node;
  return found;
}

/** The name by which a function knows its instance: that of the method's first parameter. */
export function selfNameOf(file: PythonFile, definition: SyntaxNode): string | null {
  return file.methods.find(({ node }) => node === definition)?.self ?? null;
}

/** A method and every function of the file that it may call, directly or not, itself first. */
export function reachedFrom(file: PythonFile, method: Method | null): SyntaxNode[] {
  if (method === null) return [];
  const reached = [method.node];
  for (const definition of reached) {
    const self = selfNameOf(file, definition);
    for (const call of definition.descendants('call')) {
      const callee = calleeOf(file, call, self);
      if (callee !== null && !reached.includes(callee)) reached.push(callee);
    }
  }
  return reached;
}

/** True for `name.attribute` with exactly these names. */
export function isAttribute(node: SyntaxNode | null, object: string | null, attribute?: string): boolean {
  return node?.type === 'attribute' && object !== null && node.child('object')?.text === object
    && (attribute === undefined || node.child('attribute')?.text === attribute);
}

/** The statement (a child of a block or the module) that holds a node. */
export function statementOf(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (at.parent !== null && at.parent.type !== 'block' && at.parent.type !== 'module') at = at.parent;
  return at;
}

/** The parts of a `return a, b, c`; null when it returns one value, which is then no tuple in the text. */
export function tupleParts(value: SyntaxNode | null): SyntaxNode[] | null {
  let at = value;
  while (at?.type === 'parenthesized_expression') at = at.namedChildren[0] ?? null;
  if (at === null || (at.type !== 'expression_list' && at.type !== 'tuple')) return null;
  const parts = at.namedChildren;
  // The grammar reads `*a.b()` as a call on `*a`, so the star is told by the text.
  return parts.some(({ text }) => text.startsWith('*')) ? null : parts;
}

/** Each `return` of a function itself, not of functions inside it, with its value. */
export function returnsOf(definition: SyntaxNode): { statement: SyntaxNode; value: SyntaxNode | null }[] {
  const body = definition.child('body');
  return [...(body?.inScope('return_statement') ?? [])].map((statement) => ({ statement, value: statement.namedChildren[0] ?? null }));
}

/** The last assignment of a plain name in a function before an offset: the whole assignment and its value. */
export function lastAssignment(definition: SyntaxNode, name: string, before: number): { node: SyntaxNode; value: SyntaxNode } | null {
  let found: { node: SyntaxNode; value: SyntaxNode } | null = null;
  for (const node of definition.child('body')?.inScope('assignment') ?? []) {
    if (node.start >= before) break;
    const value = node.child('right');
    if (value !== null && node.child('left')?.text === name) found = { node, value };
  }
  return found;
}

/** Every assignment of a plain name in a function, augmented ones included as null values. */
export function assignmentsOf(definition: SyntaxNode, name: string): { node: SyntaxNode; value: SyntaxNode | null }[] {
  const found: { node: SyntaxNode; value: SyntaxNode | null }[] = [];
  for (const node of definition.child('body')?.inScope('assignment', 'augmented_assignment', 'named_expression') ?? []) {
    const target = node.child('left') ?? node.child('name');
    if (target?.text === name) found.push({ node, value: node.type === 'augmented_assignment' ? null : (node.child('right') ?? node.child('value')) });
    else if (target?.type === 'pattern_list' && target.namedChildren.some(({ text }) => text === name)) found.push({ node, value: null });
  }
  return found;
}
