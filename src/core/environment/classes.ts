import type { SyntaxNode } from './syntaxTree';

/** A parameter of a function. `kind` follows Python's names. */
export interface Parameter {
  readonly name: string;
  readonly kind: 'positional' | 'keyword-only' | 'var-positional' | 'var-keyword';
  readonly default: SyntaxNode | null;
  readonly annotation: SyntaxNode | null;
  readonly node: SyntaxNode;
}

/** A function of a class body. `self` is the name of its first parameter, null for a static method. */
export interface Method {
  readonly name: string;
  readonly owner: ClassInfo;
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly self: string | null;
  /** Parameters after `self`. */
  readonly parameters: readonly Parameter[];
  readonly decorators: readonly string[];
  readonly isAsync: boolean;
}

/** A class statement of the file. */
export interface ClassInfo {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  /** Base expressions as written, keyword arguments left out. */
  readonly bases: readonly SyntaxNode[];
  /** Methods of the class body itself; a later definition replaces an earlier one, as in Python. */
  readonly methods: ReadonlyMap<string, Method>;
  /** Names that the class body binds otherwise, with the binding. */
  readonly attributes: ReadonlyMap<string, SyntaxNode>;
}

/** Parameters of a function definition or lambda, `self` included. */
export function parametersOf(definition: SyntaxNode): Parameter[] {
  const parameters: Parameter[] = [];
  let keywordOnly = false;
  for (const node of definition.child('parameters')?.namedChildren ?? []) {
    const inner = node.type === 'typed_parameter' ? (node.namedChildren[0] ?? node) : node;
    if (node.type === 'keyword_separator') keywordOnly = true;
    if (node.type.endsWith('_separator')) continue;
    const splat = inner.type === 'list_splat_pattern' || inner.type === 'dictionary_splat_pattern';
    const named = splat ? inner.namedChildren[0] : (node.child('name') ?? inner);
    parameters.push({
      name: named?.text ?? '',
      kind: inner.type === 'list_splat_pattern' ? 'var-positional'
        : inner.type === 'dictionary_splat_pattern' ? 'var-keyword'
          : keywordOnly ? 'keyword-only' : 'positional',
      default: node.child('value'),
      annotation: node.child('type'),
      node,
    });
    if (inner.type === 'list_splat_pattern') keywordOnly = true;
  }
  return parameters;
}

/** The statement below decorators, and the decorators' names with their leading dots cut (`a.b(c)` is `b`). */
export function undecorated(statement: SyntaxNode): { definition: SyntaxNode; decorators: string[] } {
  if (statement.type !== 'decorated_definition') return { definition: statement, decorators: [] };
  const decorators = statement.children
    .filter((child) => child.type === 'decorator')
    .map((child) => child.text.replace(/^@\s*/, '').replace(/\(.*$/s, '').split('.').at(-1)!.trim());
  return { definition: statement.child('definition') ?? statement, decorators };
}

function readMethod(owner: ClassInfo, definition: SyntaxNode, decorators: readonly string[]): Method | null {
  const nameNode = definition.child('name');
  if (nameNode === null) return null;
  const all = parametersOf(definition);
  const isStatic = decorators.includes('staticmethod');
  const takesSelf = !isStatic && all[0]?.kind === 'positional';
  return {
    name: nameNode.text,
    owner,
    node: definition,
    nameNode,
    self: takesSelf ? all[0]!.name : null,
    parameters: takesSelf ? all.slice(1) : all,
    decorators,
    isAsync: definition.children[0]?.type === 'async',
  };
}

/** Reads one class statement; null when it has no name yet (while typing). */
export function readClass(node: SyntaxNode): ClassInfo | null {
  const nameNode = node.child('name');
  if (nameNode === null || nameNode.missing) return null;
  const methods = new Map<string, Method>();
  const attributes = new Map<string, SyntaxNode>();
  const info: ClassInfo = {
    name: nameNode.text,
    node,
    nameNode,
    bases: (node.child('superclasses')?.namedChildren ?? []).filter((base) => base.type !== 'keyword_argument' && base.type !== 'dictionary_splat'),
    methods,
    attributes,
  };
  for (const statement of node.child('body')?.inScope('function_definition', 'assignment', 'import_from_statement') ?? []) {
    if (statement.type === 'function_definition') {
      const decorators = statement.parent?.type === 'decorated_definition' ? undecorated(statement.parent).decorators : [];
      const method = readMethod(info, statement, decorators);
      if (method !== null) {
        methods.set(method.name, method);
        attributes.delete(method.name);
      }
    } else {
      const target = statement.child('left');
      if (target?.type === 'identifier' && statement.child('right') !== null) attributes.set(target.text, statement);
    }
  }
  return info;
}

/** The class or function name at the end of a dotted expression: `gym.Env[int]` is `Env`. */
export function lastName(expression: SyntaxNode): string {
  let node = expression;
  while (node.type === 'subscript') node = node.child('value') ?? node.children[0]!;
  return node.type === 'attribute' ? (node.child('attribute')?.text ?? '') : node.text;
}

/** Bases that bring no method of an environment. */
const EMPTY_BASES = new Set(['object', 'ABC', 'Generic', 'Protocol', 'NamedTuple']);

/** A class with its ancestors: those in the file, nearest first, and whether one of them is unknown. */
export interface Lineage {
  /** The class itself, then its ancestors in the order Python looks names up. */
  readonly chain: readonly ClassInfo[];
  readonly toolUse: boolean;
  /** True when a base comes from elsewhere, so that a member that is not seen may still exist. */
  readonly foreign: boolean;
}

/**
 * Follows the bases through the file's own classes. Depth first, a shared ancestor after its last descendant, as Python's order for ordinary
 * hierarchies. `isToolBase` tells the names that stand for the run's `ToolUseBaseEnv`.
 */
export function lineageOf(start: ClassInfo, classNamed: (name: string) => ClassInfo | null, isToolBase: (name: string) => boolean): Lineage {
  const order: ClassInfo[] = [];
  let toolUse = false;
  let foreign = false;
  const pending = [start];
  while (pending.length > 0 && order.length < 1000) {
    const info = pending.shift()!;
    const before = order.indexOf(info);
    if (before === 0) continue;
    if (before > 0) order.splice(before, 1);
    order.push(info);
    const bases: ClassInfo[] = [];
    for (const base of info.bases) {
      const name = lastName(base);
      const own = base.type === 'attribute' ? null : classNamed(name);
      if (own !== null && own.node.start < info.node.start) bases.push(own);
      else if (isToolBase(name)) toolUse = true;
      else if (!EMPTY_BASES.has(name)) foreign = true;
    }
    pending.unshift(...bases);
  }
  return { chain: order, toolUse, foreign };
}

/** Looks a method up along a lineage. */
export function findMethod(lineage: Lineage, name: string): Method | null {
  for (const info of lineage.chain) {
    const method = info.methods.get(name);
    if (method !== undefined) return method;
    if (info.attributes.has(name)) return null;
  }
  return null;
}
