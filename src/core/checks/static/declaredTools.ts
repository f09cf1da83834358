import type { Method } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import { assignmentsTo, isAttribute } from './reach';
import { plainString } from './qualified';

/** A tool as `_tools` declares it. */
export interface DeclaredTool {
  readonly name: string;
  readonly key: SyntaxNode;
  /** The value of `parameters`; null when it is not written out. */
  readonly schema: SyntaxNode | null;
  /** Declared parameters with their schemas; null when they are not written out. */
  readonly properties: ReadonlyMap<string, SyntaxNode> | null;
  /** Names under `required`; null when there is no such list in the text. */
  readonly required: readonly string[] | null;
}

/** Every tool that the text declares; `complete` is false when there may be more. */
export interface Declarations {
  readonly tools: readonly DeclaredTool[];
  readonly complete: boolean;
}

/** Entries of a dict literal with plain text keys; null when some key or part is not. */
function dictEntries(node: SyntaxNode | null | undefined): { key: SyntaxNode; name: string; value: SyntaxNode }[] | null {
  if (node?.type !== 'dictionary') return null;
  const entries: { key: SyntaxNode; name: string; value: SyntaxNode }[] = [];
  for (const pair of node.namedChildren) {
    const key = pair.child('key');
    const value = pair.child('value');
    const name = plainString(key);
    if (pair.type !== 'pair' || key === null || value === null || name === null) return null;
    entries.push({ key, name, value });
  }
  return entries;
}

function entry(node: SyntaxNode | null | undefined, name: string): SyntaxNode | null {
  return dictEntries(node)?.find((pair) => pair.name === name)?.value ?? null;
}

function readTool(key: SyntaxNode, name: string, value: SyntaxNode): DeclaredTool {
  const schema = entry(value, 'parameters');
  const properties = dictEntries(entry(schema, 'properties'));
  const required = entry(schema, 'required');
  const names = required?.type === 'list' ? required.namedChildren.map(plainString) : null;
  return {
    name,
    key,
    schema,
    properties: properties && new Map(properties.map((property) => [property.name, property.value])),
    required: names?.every((given) => given !== null) ? names : null,
  };
}

/** The dict that a value stands for: itself, a copy of it, or a constant of the module or the class. */
function resolveDict(file: PythonFile, value: SyntaxNode, depth = 0): SyntaxNode {
  if (depth > 4) return value;
  if (value.type === 'call' && /(^|\.)(dict|deepcopy|copy)$/.test(value.child('function')?.text ?? '')) {
    const target = value.child('function')!;
    const from = value.child('arguments')?.namedChildren[0] ?? (target.child('attribute')?.text === 'copy' ? target.child('object') : null);
    return from ? resolveDict(file, from, depth + 1) : value;
  }
  const name = value.type === 'identifier' ? value.text : value.type === 'attribute' ? (value.child('attribute')?.text ?? '') : null;
  if (name === null) return value;
  if (value.type === 'identifier') {
    const around = value.ancestor('function_definition');
    const places = [...(around?.descendants('assignment') ?? []), ...file.root.inScope('assignment')];
    const made = places.find((assignment) => assignment.child('left')?.text === name)?.child('right');
    return made ? resolveDict(file, made, depth + 1) : value;
  }
  const held = file.lineage?.chain.map(({ attributes }) => attributes.get(name)).find((found) => found !== undefined)?.child('right');
  return held ? resolveDict(file, held, depth + 1) : value;
}

/** Adds what one method stores in `_tools`, entry by entry or by `update`; false when something is stored that the text does not show. */
function readStores(file: PythonFile, method: Method, tools: Map<string, DeclaredTool>): boolean {
  let complete = true;
  const isTools = (node: SyntaxNode | null): boolean => isAttribute(node, method.self, '_tools');
  for (const node of method.node.descendants('assignment', 'call')) {
    if (node.type === 'assignment') {
      const left = node.child('left');
      const right = node.child('right');
      if (left?.type !== 'subscript' || !isTools(left.child('value')) || right === null) continue;
      const key = left.child('subscript');
      const name = plainString(key);
      if (key === null || name === null) complete = false;
      else tools.set(name, readTool(key, name, right));
    } else if (isTools(node.child('function')?.child('object') ?? null) && node.child('function')?.child('attribute')?.text === 'update') {
      const entries = dictEntries(node.child('arguments')?.namedChildren[0]);
      if (entries === null) complete = false;
      for (const { key, name, value } of entries ?? []) tools.set(name, readTool(key, name, value));
    }
  }
  return complete;
}

/** The tools of the picked class, as far as `_tools` is written out. */
export function declaredTools(file: PythonFile): Declarations {
  const tools = new Map<string, DeclaredTool>();
  const chain = file.lineage?.chain ?? [];
  const assigned = assignmentsTo(file, '_tools');
  let complete = assigned.length > 0 && file.method('get_tools') === null && !(file.lineage?.foreign ?? false);
  for (const { value } of assigned) {
    const entries = dictEntries(resolveDict(file, value));
    if (entries === null) complete = false;
    for (const { key, name, value: tool } of entries ?? []) tools.set(name, readTool(key, name, tool));
  }
  for (const info of chain) for (const method of info.methods.values()) complete = readStores(file, method, tools) && complete;
  return { tools: [...tools.values()], complete };
}
