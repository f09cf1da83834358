import { boundNames, isScope, type SyntaxNode } from './syntaxTree';
import type { PythonFile } from './pythonFile';

/** Names that Python itself provides everywhere. */
const BUILTINS = new Set(
  ('abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod '
  + 'enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list '
  + 'locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum '
  + 'super tuple type vars zip Ellipsis NotImplemented ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError '
  + 'BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError '
  + 'DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning '
  + 'GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError '
  + 'MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError '
  + 'ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration '
  + 'SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError '
  + 'UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError '
  + '__name__ __file__ __doc__ __builtins__ __debug__ __package__ __spec__ __loader__ __import__ __build_class__ __annotations__ __dict__ __class__ '
  + '__module__ __qualname__').split(' '),
);

const COMPREHENSIONS = new Set(['list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression']);

function opensNames(node: SyntaxNode): boolean {
  return node.parent === null || isScope(node) || COMPREHENSIONS.has(node.type);
}

/** The scope that a name written at a node belongs to: the nearest function, lambda, class, comprehension or the module. */
function scopeAround(node: SyntaxNode): SyntaxNode {
  let at = node.parent ?? node;
  while (!opensNames(at)) at = at.parent!;
  return at;
}

function targetNames(target: SyntaxNode): string[] {
  return boundNames(target).map(({ text }) => text);
}

function parameterNames(scope: SyntaxNode): string[] {
  return (scope.child('parameters')?.namedChildren ?? []).flatMap((parameter) => {
    const named = parameter.child('name') ?? (parameter.type === 'typed_parameter' ? parameter.namedChildren[0] : parameter);
    return named ? targetNames(named) : [];
  });
}

/** What a file binds, scope by scope. */
export class Names {
  private readonly bound = new Map<SyntaxNode, Set<string>>();
  /** True when a star import may bring any name. */
  readonly open: boolean;

  constructor(private readonly file: PythonFile) {
    let open = false;
    for (const node of file.tree.nodes) {
      if (!node.named) continue;
      if (node.type === 'wildcard_import') open = true;
      this.bindingsAt(node);
    }
    this.open = open;
  }

  /** True when a use of a name at a node finds a binding in the file. Names of a class body are not seen from its methods. */
  isBound(name: string, at: SyntaxNode): boolean {
    let scope = scopeAround(at);
    for (let first = true; ; first = false) {
      if ((first || scope.type !== 'class_definition') && this.bound.get(scope)?.has(name)) return true;
      if (scope.parent === null) return false;
      scope = scopeAround(scope);
    }
  }

  /** True when Python provides the name and the file does not bind it. */
  isBuiltin(name: string, at: SyntaxNode): boolean {
    return BUILTINS.has(name) && !this.isBound(name, at);
  }

  /** Uses of names that neither the file nor Python binds, in source order. */
  *unbound(): Generator<SyntaxNode> {
    for (const node of this.file.tree.nodes) {
      if (node.type === 'identifier' && isUse(node) && !BUILTINS.has(node.text) && !this.isBound(node.text, node)) yield node;
    }
  }

  private bind(scope: SyntaxNode, names: readonly string[]): void {
    let known = this.bound.get(scope);
    if (known === undefined) this.bound.set(scope, (known = new Set()));
    for (const name of names) known.add(name);
  }

  private bindingsAt(node: SyntaxNode): void {
    const bindHere = (target: SyntaxNode | null | undefined): void => {
      if (target) this.bind(scopeAround(node), targetNames(target));
    };
    switch (node.type) {
      case 'function_definition':
        bindHere(node.child('name'));
        this.bind(node, parameterNames(node));
        break;
      case 'lambda':
        this.bind(node, parameterNames(node));
        break;
      case 'class_definition':
        bindHere(node.child('name'));
        break;
      case 'assignment':
      case 'augmented_assignment':
      case 'for_statement':
      case 'for_in_clause':
        bindHere(node.child('left'));
        break;
      case 'named_expression': {
        // A name bound in a comprehension belongs to the function around it.
        let scope = scopeAround(node);
        while (COMPREHENSIONS.has(scope.type)) scope = scopeAround(scope);
        this.bind(scope, [node.child('name')?.text ?? '']);
        break;
      }
      case 'as_pattern_target':
        bindHere(node);
        break;
      case 'case_pattern':
      case 'splat_pattern':
      case 'as_pattern':
      case 'type_parameter':
        this.bind(scopeAround(node), [...node.inScope('identifier')].map(({ text }) => text));
        break;
      case 'aliased_import':
        bindHere(node.child('alias'));
        break;
      case 'import_statement':
      case 'import_from_statement':
        this.bind(scopeAround(node), node.childrenIn('name').filter(({ type }) => type === 'dotted_name').map(({ text }) => text.split('.')[0]!.trim()));
        break;
      case 'global_statement':
        this.bind(this.file.root, node.namedChildren.map(({ text }) => text));
        break;
      case 'type_alias_statement':
        bindHere(node.child('left'));
        break;
      default:
    }
  }
}

/** True when an identifier reads or writes a name, and is no attribute, keyword, or part of an import or definition. */
function isUse(node: SyntaxNode): boolean {
  const parent = node.parent;
  if (parent === null || node.missing) return false;
  if (node.field === 'attribute' && parent.type === 'attribute') return false;
  if (node.field === 'name' && (parent.type === 'keyword_argument' || parent.type === 'function_definition' || parent.type === 'class_definition')) return false;
  if (parent.type === 'keyword_pattern' && parent.namedChildren[0] === node) return false;
  if (parent.type === 'global_statement' || parent.type === 'nonlocal_statement' || parent.type === 'ERROR') return false;
  if (parent.type === 'dotted_name') return parent.ancestor('import_statement', 'import_from_statement', 'future_import_statement', 'case_clause') === null;
  return true;
}
