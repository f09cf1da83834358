import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import { assignmentsOf, isAttribute, statementOf } from './reach';

/** What a value is, where the text tells it for certain. `maybe-none` is None on some way through the code. */
export type ValueType = 'bool' | 'int' | 'float' | 'str' | 'None' | 'list' | 'tuple' | 'dict' | 'set' | 'numpy.bool_' | 'maybe-none' | 'unknown';

/** A type with the expression that has it. */
export interface Typed {
  readonly type: ValueType;
  readonly node: SyntaxNode;
}

const LITERALS: Readonly<Record<string, ValueType>> = {
  true: 'bool', false: 'bool', none: 'None', integer: 'int', float: 'float', string: 'str', concatenated_string: 'str', list: 'list', list_comprehension: 'list',
  tuple: 'tuple', expression_list: 'tuple', dictionary: 'dict', dictionary_comprehension: 'dict', set: 'set', set_comprehension: 'set', not_operator: 'bool',
};

const BUILTIN_CALLS: Readonly<Record<string, ValueType>> = {
  bool: 'bool', int: 'int', float: 'float', str: 'str', len: 'int', isinstance: 'bool', any: 'bool', all: 'bool', callable: 'bool', hasattr: 'bool', list: 'list',
  tuple: 'tuple', dict: 'dict', set: 'set', sorted: 'list', ord: 'int', repr: 'str', issubclass: 'bool',
};

const NUMPY_BOOLS = /^(np|numpy)\.(any|all|isclose|logical_(and|or|not|xor)|bool_|equal|not_equal|less|less_equal|greater|greater_equal|isnan|isfinite)$/;
const MATCHES = /^(re|regex)\.(search|match|fullmatch)$/;
const BOOL_METHODS = new Set(['startswith', 'endswith', 'isdigit', 'isdecimal', 'isalpha', 'isalnum', 'isnumeric', 'isspace', 'isupper', 'islower', 'issubset', 'issuperset', 'isdisjoint']);

/** What has been followed on the way to an expression. */
interface Trail {
  /** Names already followed: what they may be is told once. */
  readonly names: Set<string>;
  readonly depth: number;
}

/** Deepest expression that is followed. */
const DEPTH = 12;

function callType(call: SyntaxNode, usesNumpy: boolean): ValueType {
  const target = call.child('function');
  const name = target?.text ?? '';
  if (target?.type === 'identifier') return BUILTIN_CALLS[name] ?? 'unknown';
  if (NUMPY_BOOLS.test(name)) return 'numpy.bool_';
  if (MATCHES.test(name)) return 'maybe-none';
  const method = target?.child('attribute')?.text ?? '';
  if (BOOL_METHODS.has(method)) return 'bool';
  if ((method === 'any' || method === 'all') && usesNumpy && (call.child('arguments')?.namedChildren.length ?? 0) === 0) return 'numpy.bool_';
  return 'unknown';
}

/**
 * What an expression may be: every type that some way through it has, each with the innermost expression that has it.
 * Names are followed to all their assignments in the same function, attributes of the instance are not.
 */
export function typesOf(file: PythonFile, expression: SyntaxNode, definition: SyntaxNode, trail: Trail = { names: new Set(), depth: 0 }): Typed[] {
  const known = LITERALS[expression.type];
  if (known !== undefined) return [{ type: known, node: expression }];
  if (trail.depth > DEPTH) return [{ type: 'unknown', node: expression }];
  const deeper: Trail = { names: trail.names, depth: trail.depth + 1 };
  const follow = (node: SyntaxNode | null | undefined): Typed[] => (node ? typesOf(file, node, definition, deeper) : []);
  switch (expression.type) {
    case 'parenthesized_expression':
      return follow(expression.namedChildren[0]);
    case 'conditional_expression':
      return [...follow(expression.namedChildren[0]), ...follow(expression.namedChildren[2])];
    case 'comparison_operator': {
      const plain = expression.namedChildren.every((side) => follow(side).every(({ type }) => type !== 'unknown'));
      const membership = expression.children.some(({ field, type }) => field === 'operators' && /\b(in|is)\b/.test(type));
      return [{ type: plain || membership || !/\b(np|numpy)\b/.test(file.text) ? 'bool' : 'unknown', node: expression }];
    }
    case 'boolean_operator':
      return booleanTypes(expression, follow);
    case 'binary_operator':
      return [{ type: binaryType(expression, follow), node: expression }];
    case 'unary_operator': {
      const [operand] = follow(expression.child('argument'));
      return [{ type: operand?.type === 'bool' || operand?.type === 'int' ? 'int' : operand?.type === 'float' ? 'float' : 'unknown', node: expression }];
    }
    case 'call':
      return [{ type: callType(expression, /\b(np|numpy)\b/.test(file.text)), node: expression }];
    case 'identifier':
      return nameTypes(file, expression, definition, deeper);
    default:
      return [{ type: 'unknown', node: expression }];
  }
}

/** `a and b` gives `a` only where `a` is falsy: a match object then is None, a bool is False. */
function booleanTypes(expression: SyntaxNode, follow: (node: SyntaxNode | null) => Typed[]): Typed[] {
  const left = follow(expression.child('left'));
  const right = follow(expression.child('right'));
  const and = expression.child('operator')?.type === 'and';
  const kept = left.flatMap(({ type, node }): Typed[] => {
    if (type === 'maybe-none') return [{ type: and ? 'None' : 'unknown', node: expression.child('left') ?? node }];
    if (type === 'None') return and ? [{ type, node }] : [];
    return [{ type, node }];
  });
  return [...kept, ...right];
}

/** With a bool on both sides `&` stays a bool; with a number on one side it is a number. */
function binaryType(expression: SyntaxNode, follow: (node: SyntaxNode | null) => Typed[]): ValueType {
  const sides = [...follow(expression.child('left')), ...follow(expression.child('right'))].map(({ type }) => type);
  const operator = expression.child('operator')?.type ?? '';
  if (['&', '|', '^'].includes(operator)) {
    if (sides.includes('int')) return 'int';
    return sides.every((type) => type === 'bool') ? 'bool' : 'unknown';
  }
  if (!sides.every((type) => type === 'int' || type === 'bool' || type === 'float')) return 'unknown';
  return operator === '/' || sides.includes('float') ? 'float' : 'int';
}

function nameTypes(file: PythonFile, name: SyntaxNode, definition: SyntaxNode, trail: Trail): Typed[] {
  if (trail.names.has(name.text)) return [];
  trail.names.add(name.text);
  const assignments = reaching(assignmentsOf(definition, name.text), name, definition);
  if (assignments.length === 0) return [{ type: 'unknown', node: name }];
  return assignments.flatMap(({ value }): Typed[] => (value === null || value.contains(name) ? [{ type: 'unknown', node: name }] : typesOf(file, value, definition, trail)))
    .map(({ type, node }) => ({ type, node: type === 'maybe-none' ? name : node }));
}

/** The assignments whose value a use of the name may still see: none that a later one on the way to it, in the use's own block or one around it, replaces. */
function reaching(assignments: ReturnType<typeof assignmentsOf>, use: SyntaxNode, definition: SyntaxNode): ReturnType<typeof assignmentsOf> {
  const replacing = assignments.findLast(({ node }) => {
    const statement = node.type === 'assignment' && node.end <= use.start ? statementOf(node) : null;
    return statement !== null && statement.parent!.contains(use);
  });
  const first = replacing === undefined || loopAround(replacing.node, definition) !== loopAround(use, definition) ? null : replacing.node.start;
  return first === null ? assignments : assignments.filter(({ node }) => node.start >= first);
}

/** The innermost loop around a node in its function; null when there is none. */
function loopAround(node: SyntaxNode, definition: SyntaxNode): SyntaxNode | null {
  const loop = node.ancestor('for_statement', 'while_statement');
  return loop !== null && definition.contains(loop) ? loop : null;
}

/** Values given to an attribute of the instance in one function. */
export function attributeValues(definition: SyntaxNode, self: string | null, attribute: string): SyntaxNode[] {
  return [...definition.descendants('assignment')]
    .filter((node) => isAttribute(node.child('left'), self, attribute))
    .flatMap((node) => node.child('right') ?? []);
}
