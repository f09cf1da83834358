import { lastName, undecorated } from './classes';
import { boundNames, type SyntaxNode } from './syntaxTree';

/** A name of the module that the run's loader may take for the environment. */
export interface Candidate {
  readonly name: string;
  readonly kind: 'class' | 'function' | 'import' | 'assignment';
  /** The statement that bound the name last. */
  readonly node: SyntaxNode;
  /** Where the name stands in it. */
  readonly nameNode: SyntaxNode;
  /** For an assignment from a plain name: that name. */
  readonly aliasOf: string | null;
}

/** A binding of a name in the module's namespace, as far as the text tells. */
interface Binding extends Candidate {
  readonly callable: boolean;
}

const NEVER_CALLABLE = new Set([
  'string', 'concatenated_string', 'integer', 'float', 'true', 'false', 'none', 'list', 'dictionary', 'set', 'tuple', 'list_comprehension',
  'dictionary_comprehension', 'set_comprehension', 'comparison_operator', 'binary_operator', 'boolean_operator', 'not_operator', 'unary_operator',
]);

/** True for `if __name__ == "__main__":` and `if TYPE_CHECKING:`, whose first branch does not run in the run's module. */
export function neverRuns(condition: SyntaxNode | null): boolean {
  if (condition === null) return false;
  if (lastName(condition) === 'TYPE_CHECKING') return true;
  const text = condition.text.replace(/\s/g, '');
  return /^(__name__==(['"])__main__\2|(['"])__main__\3==__name__|False|0)$/.test(text);
}

/** Calls whose result nobody can call. */
const MAKES_NO_CALLABLE = /(^|\.)(TypeVar|ParamSpec|TypeVarTuple|len|str|int|float|bool|list|dict|set|tuple|frozenset|sorted|range|getLogger)$/;

function neverCallable(value: SyntaxNode): boolean {
  return NEVER_CALLABLE.has(value.type) || (value.type === 'call' && MAKES_NO_CALLABLE.test(value.child('function')?.text ?? ''));
}

/** Names of an assignment's target; only a plain name is known to hold the value itself. */
function* fromTarget(target: SyntaxNode, statement: SyntaxNode, value: SyntaxNode | null): Generator<Binding> {
  for (const nameNode of boundNames(target)) {
    const own = nameNode === target ? value : null;
    yield {
      name: nameNode.text, kind: 'assignment', node: statement, nameNode,
      aliasOf: own?.type === 'identifier' ? own.text : null,
      callable: own === null || !neverCallable(own),
    };
  }
}

function* fromImport(statement: SyntaxNode): Generator<Binding> {
  for (const part of statement.childrenIn('name')) {
    const alias = part.child('alias');
    const dotted = part.type === 'aliased_import' ? part.child('name') : part;
    const nameNode = alias ?? (statement.type === 'import_statement' ? dotted?.namedChildren[0] : dotted) ?? part;
    yield { name: nameNode.text, kind: 'import', node: statement, nameNode, aliasOf: null, callable: statement.type === 'import_from_statement' };
  }
}

function* bindingsOf(statement: SyntaxNode): Generator<Binding> {
  switch (statement.type) {
    case 'class_definition':
    case 'function_definition': {
      const nameNode = statement.child('name');
      if (nameNode === null || nameNode.missing) return;
      yield { name: nameNode.text, kind: statement.type === 'class_definition' ? 'class' : 'function', node: statement, nameNode, aliasOf: null, callable: true };
      return;
    }
    case 'import_statement':
    case 'import_from_statement':
      yield* fromImport(statement);
      return;
    case 'assignment': {
      const left = statement.child('left');
      const right = statement.child('right');
      if (left !== null && right !== null) yield* fromTarget(left, statement, right);
      return;
    }
    case 'named_expression': {
      const name = statement.child('name');
      if (name !== null) yield* fromTarget(name, statement, statement.child('value'));
      return;
    }
    case 'for_statement': {
      const left = statement.child('left');
      if (left !== null) yield* fromTarget(left, statement, null);
      return;
    }
    case 'as_pattern_target':
      for (const part of statement.namedChildren) yield* fromTarget(part, statement, null);
      return;
    default:
  }
}

/** Module-level bindings in the order they happen; a chained `A = B = value` binds from the left, as Python does. */
function* moduleBindings(root: SyntaxNode): Generator<Binding | { readonly deleted: string }> {
  let skipUntil = 0;
  for (const node of root.inScope()) {
    if (node.index < skipUntil) continue;
    if (node.type === 'if_statement' && neverRuns(node.child('condition'))) {
      const body = node.child('consequence');
      if (body !== null) skipUntil = body.next;
    } else if (node.type === 'delete_statement') {
      for (const name of node.inScope('identifier')) yield { deleted: name.text };
    } else {
      yield* bindingsOf(node);
    }
  }
}

/**
 * The names that end in `Env` and hold something callable when the module has run, in the order of the module's
 * namespace: that of the first binding. The run takes the first (run contract §2.2). `Env` and `ToolUseBaseEnv` never
 * count. A name whose value the text does not tell, such as the result of a call, is taken for callable.
 */
export function envCandidates(root: SyntaxNode): Candidate[] {
  const bound = new Map<string, Binding>();
  for (const binding of moduleBindings(root)) {
    if ('deleted' in binding) bound.delete(binding.deleted);
    else if (binding.name.endsWith('Env') && binding.name !== 'Env' && binding.name !== 'ToolUseBaseEnv') bound.set(binding.name, binding);
  }
  return [...bound.values()].filter(({ callable }) => callable);
}

/** The names that the module gives `ToolUseBaseEnv`, its own included: the run injects that one, and any file may import it by another. */
export function toolBaseNames(root: SyntaxNode): ReadonlySet<string> {
  const names = new Set(['ToolUseBaseEnv']);
  for (const binding of moduleBindings(root)) {
    if ('deleted' in binding) continue;
    const meant = binding.kind === 'import' ? binding.nameNode.parent?.child('name')?.text : binding.aliasOf;
    if (meant !== undefined && meant !== null && names.has(meant)) names.add(binding.name);
  }
  return names;
}

/** Class statements that run at import, decorated or not, also below `if` and `try`. */
export function moduleClasses(root: SyntaxNode): SyntaxNode[] {
  const classes: SyntaxNode[] = [];
  for (const binding of moduleBindings(root)) {
    if (!('deleted' in binding) && binding.kind === 'class') classes.push(undecorated(binding.node).definition);
  }
  return classes;
}
