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
  if (receiver?.startsWith('super(')) return methodAbove(file, call, name);
  if (receiver !== undefined && (receiver === self || receiver === file.env?.name)) return file.method(name)?.node ?? null;
  return null;
}

/** What `super().name` means in the class that a call stands in: the method of the next ancestor that has one. */
function methodAbove(file: PythonFile, call: SyntaxNode, name: string): SyntaxNode | null {
  const chain = file.lineage?.chain ?? [];
  const own = chain.findIndex(({ node }) => node === call.ancestor('class_definition'));
  if (own < 0) return null;
  return chain.slice(own + 1).find(({ methods }) => methods.has(name))?.methods.get(name)?.node ?? null;
}

/** A function that the module defines at its top level. */
export function moduleFunction(file: PythonFile, name: string): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (const node of file.root.inScope('function_definition')) if (node.child('name')?.text === name) found = node;
  return found;
}

/** The name by which a function knows its instance: that of the method's first parameter. */
export function selfNameOf(file: PythonFile, definition: SyntaxNode): string | null {
  for (const { methods } of file.lineage?.chain ?? []) for (const method of methods.values()) if (method.node === definition) return method.self;
  return null;
}

/** The function that runs when an attribute of the instance is read: a property of the class. */
function propertyOf(file: PythonFile, attribute: SyntaxNode, self: string | null): SyntaxNode | null {
  if (!isAttribute(attribute, self)) return null;
  const method = file.method(attribute.child('attribute')?.text ?? '');
  return method !== null && method.decorators.some((name) => name === 'property' || name === 'cached_property') ? method.node : null;
}

/** A method and every function of the file that it may call, directly or not, itself first. */
export function reachedFrom(file: PythonFile, method: Method | null): SyntaxNode[] {
  if (method === null) return [];
  const reached = [method.node];
  for (const definition of reached) {
    const self = selfNameOf(file, definition);
    for (const use of definition.descendants('call', 'attribute')) {
      const callee = use.type === 'call' ? calleeOf(file, use, self) : propertyOf(file, use, self);
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
