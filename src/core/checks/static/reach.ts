import { findMethod, type ClassInfo, type Method } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';

/** What a file says of its functions and attributes, worked out once. */
interface Known {
  /** The methods of every class of the module, by their definitions. */
  readonly methods: ReadonlyMap<SyntaxNode, Method>;
  /** Functions by name, for each body they stand in: the module's, or a function's. */
  readonly functions: Map<SyntaxNode, ReadonlyMap<string, SyntaxNode>>;
  assignments: ReadonlyMap<string, readonly { node: SyntaxNode; value: SyntaxNode }[]> | null;
}

const known = new WeakMap<PythonFile, Known>();

function knownOf(file: PythonFile): Known {
  let found = known.get(file);
  if (found === undefined) {
    const classes = new Set([...file.classes.values(), ...(file.lineage?.chain ?? [])]);
    const methods = new Map([...classes].flatMap((info) => [...info.methods.values()].map((method) => [method.node, method] as const)));
    known.set(file, (found = { methods, functions: new Map(), assignments: null }));
  }
  return found;
}

/** How far a receiver is followed through names and attributes. */
const RECEIVER_DEPTH = 4;

/** The function that a call runs, as far as the text tells: a method of the instance, of `super()`, of a helper class, or a function of the module or around the call. */
export function calleeOf(file: PythonFile, call: SyntaxNode, self: string | null): SyntaxNode | null {
  const target = call.child('function');
  if (target === null) return null;
  if (target.type === 'identifier') return functionNamed(file, target);
  if (target.type !== 'attribute') return null;
  const receiver = target.child('object');
  const name = target.child('attribute')?.text ?? '';
  if (receiver?.text.startsWith('super(')) return methodAbove(file, call, name);
  return memberOf(file, receiver, self, name)?.node ?? null;
}

/** What a class of the file runs when it is called: its `__init__`; null for anything else. */
export function constructorOf(file: PythonFile, call: SyntaxNode): SyntaxNode | null {
  const target = call.child('function');
  const made = target?.type === 'identifier' ? file.classes.get(target.text) : undefined;
  return made === undefined ? null : (findMethod(file.lineageOf(made), '__init__')?.node ?? null);
}

/** A method of what an expression stands for: the instance itself, or an object of a helper class. */
function memberOf(file: PythonFile, receiver: SyntaxNode | null, self: string | null, name: string): Method | null {
  if (receiver === null) return null;
  const info = classOf(file, receiver, self);
  if (info === null) return null;
  return file.lineage?.chain.includes(info) ? file.method(name) : findMethod(file.lineageOf(info), name);
}

/** The class of the file that an expression is, or is an object of, as far as assignments tell. */
function classOf(file: PythonFile, expression: SyntaxNode, self: string | null, depth = 0): ClassInfo | null {
  if (depth > RECEIVER_DEPTH) return null;
  if (expression.type === 'call') return file.classes.get(expression.child('function')?.text ?? '') ?? null;
  const definition = expression.ancestor('function_definition');
  if (expression.type === 'identifier') {
    if (expression.text === self) return ownerOf(file, definition) ?? file.env;
    const value = definition === null ? undefined : lastAssignment(definition, expression.text, expression.start)?.value;
    return value === undefined ? (file.classes.get(expression.text) ?? null) : classOf(file, value, self, depth + 1);
  }
  // An attribute of a helper's own is not one of the environment, whatever its name.
  if (!isAttribute(expression, self) || (definition !== null && !isOwn(file, definition))) return null;
  for (const { value } of assignmentsTo(file, expression.child('attribute')?.text ?? '')) {
    const info = value.type === 'call' ? classOf(file, value, self, depth + 1) : null;
    if (info !== null) return info;
  }
  return null;
}

/** The class whose method a function is or stands in. */
function ownerOf(file: PythonFile, definition: SyntaxNode | null): ClassInfo | null {
  for (let at = definition; at !== null; at = at.ancestor('function_definition')) {
    const method = methodAt(file, at);
    if (method !== null) return method.owner;
  }
  return null;
}

/** The method that a definition is; null for functions of the module and those inside others. */
export function methodAt(file: PythonFile, definition: SyntaxNode): Method | null {
  return knownOf(file).methods.get(definition) ?? null;
}

/** False for the methods of helper classes: what they know as their instance is not the environment. */
export function isOwn(file: PythonFile, definition: SyntaxNode): boolean {
  const owner = ownerOf(file, definition);
  return owner === null || (file.lineage?.chain.includes(owner) ?? false);
}

/** What `super().name` means in the class that a call stands in: the method of the next ancestor that has one. */
function methodAbove(file: PythonFile, call: SyntaxNode, name: string): SyntaxNode | null {
  const chain = file.lineage?.chain ?? [];
  const own = chain.findIndex(({ node }) => node === call.ancestor('class_definition'));
  if (own < 0) return null;
  return chain.slice(own + 1).find(({ methods }) => methods.has(name))?.methods.get(name)?.node ?? null;
}

/** The functions that stand in a body itself, by name; a later one replaces an earlier one. */
function functionsIn(file: PythonFile, body: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const { functions } = knownOf(file);
  let found = functions.get(body);
  if (found === undefined) {
    found = new Map([...body.inScope('function_definition')].map((node) => [node.child('name')?.text ?? '', node]));
    functions.set(body, found);
  }
  return found;
}

/** The function that a name means where it stands: one defined in a function around it, else one of the module. */
function functionNamed(file: PythonFile, name: SyntaxNode): SyntaxNode | null {
  for (let around = name.ancestor('function_definition'); around !== null; around = around.ancestor('function_definition')) {
    const body = around.child('body');
    const found = body === null ? undefined : functionsIn(file, body).get(name.text);
    if (found !== undefined) return found;
  }
  return functionsIn(file, file.root).get(name.text) ?? null;
}

/** The name by which a function knows its instance: that of the method's first parameter, also in functions inside the method. */
export function selfNameOf(file: PythonFile, definition: SyntaxNode): string | null {
  for (let at: SyntaxNode | null = definition; at !== null; at = at.ancestor('function_definition')) {
    const method = methodAt(file, at);
    if (method !== null) return method.self;
  }
  return null;
}

/** The function that runs when an attribute is read: a property of the instance's class, or of a helper's. */
function propertyOf(file: PythonFile, attribute: SyntaxNode, self: string | null): SyntaxNode | null {
  const method = memberOf(file, attribute.child('object'), self, attribute.child('attribute')?.text ?? '');
  return method?.decorators.some((name) => name === 'property' || name === 'cached_property') ? method.node : null;
}

/** A method and every function of the file that it may call, directly or not, itself first. */
export function reachedFrom(file: PythonFile, method: Method | null): SyntaxNode[] {
  if (method === null) return [];
  const reached = new Set([method.node]);
  for (const definition of reached) {
    const self = selfNameOf(file, definition);
    for (const use of definition.descendants('call', 'attribute')) {
      const callee = use.type === 'call' ? (calleeOf(file, use, self) ?? constructorOf(file, use)) : propertyOf(file, use, self);
      if (callee !== null) reached.add(callee);
    }
  }
  return [...reached];
}

/** The assignments to an attribute of the instance, such as `_expected_answer`, in the order of the file. */
export function assignmentsTo(file: PythonFile, attribute: string): readonly { node: SyntaxNode; value: SyntaxNode }[] {
  const cache = knownOf(file);
  cache.assignments ??= attributeAssignments(file);
  return cache.assignments.get(attribute) ?? [];
}

function attributeAssignments(file: PythonFile): ReadonlyMap<string, readonly { node: SyntaxNode; value: SyntaxNode }[]> {
  const found = new Map<string, { node: SyntaxNode; value: SyntaxNode }[]>();
  const add = (attribute: string, node: SyntaxNode, value: SyntaxNode | null): void => {
    if (value === null) return;
    const list = found.get(attribute);
    if (list === undefined) found.set(attribute, [{ node, value }]);
    else list.push({ node, value });
  };
  for (const info of file.lineage?.chain ?? []) {
    for (const method of info.methods.values()) {
      for (const node of method.node.descendants('assignment')) {
        const target = node.child('left');
        if (isAttribute(target, method.self)) add(target?.child('attribute')?.text ?? '', node, node.child('right'));
      }
    }
    for (const [name, node] of info.attributes) add(name, node, node.child('right'));
  }
  return found;
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
