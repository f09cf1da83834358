import type { Range } from '../../../shared/findings';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import { allDraws } from './random';
import { assignmentsTo, isAttribute, lastAssignment, reachedFrom, returnsOf, selfNameOf, statementOf, tupleParts } from './reach';

/*
 * Where a probe's finding sits when it is more than a line: places that the text of the file tells. A plain line of a
 * traceback is `file.lines.rangeOfLine`.
 */

/** The name of the picked class, or the first line of the file. */
export function locateClass(file: PythonFile): Range {
  const picked = file.env?.nameNode ?? file.picked?.nameNode;
  return picked ? file.range(picked) : file.lines.rangeOfLine(1);
}

/** The name of a method in its `def` line; the class when the file has no such method. */
export function locateMethod(file: PythonFile, name: string): Range {
  const method = file.method(name);
  return method ? file.range(method.nameNode) : locateClass(file);
}

/** The node of the statement at a line: the last one that begins at it or the innermost that spans it. */
function statementAt(file: PythonFile, line: number): SyntaxNode | null {
  const { column } = file.lines.rangeOfLine(line);
  const offset = file.lines.offsetAt(line, column);
  if (offset >= file.text.length) return null;
  return statementOf(file.tree.at(offset));
}

/** The condition of the nearest `if` or `elif` whose branch holds the line; the line itself when there is none in its function. */
export function locateCondition(file: PythonFile, line: number): Range {
  let node = statementAt(file, line);
  while (node !== null && node.type !== 'function_definition' && node.type !== 'class_definition') {
    const branch = node.parent;
    if (branch !== null && (branch.type === 'if_statement' || branch.type === 'elif_clause') && node.field === 'consequence') {
      const condition = branch.child('condition');
      if (condition !== null) return file.range(condition);
    }
    node = branch;
  }
  return file.lines.rangeOfLine(line);
}

/** Which part of the 5-tuple of `step`. */
const STEP_PARTS = ['observation', 'reward', 'terminated', 'truncated', 'info'] as const;
export type StepPart = (typeof STEP_PARTS)[number];

function functionAround(node: SyntaxNode): SyntaxNode | null {
  return node.ancestor('function_definition');
}

/** A part of the tuple that the `return` at a line gives; null when the line holds no such `return`. */
export function stepPartAt(file: PythonFile, line: number, part: StepPart): SyntaxNode | null {
  const statement = statementAt(file, line);
  if (statement?.type !== 'return_statement') return null;
  return tupleParts(statement.namedChildren[0] ?? null)?.[STEP_PARTS.indexOf(part)] ?? null;
}

/**
 * Where the value of a part was computed: for a plain name the last assignment before the `return`, else the part
 * itself; the line when it is no tuple.
 */
export function locateStepPart(file: PythonFile, returnLine: number, part: StepPart): Range {
  const node = stepPartAt(file, returnLine, part);
  if (node === null) return file.lines.rangeOfLine(returnLine);
  const around = functionAround(node);
  const assigned = node.type === 'identifier' && around !== null ? lastAssignment(around, node.text, node.start) : null;
  return file.range(assigned?.node ?? node);
}

/** The observation that `reset` returns: the last `return` with one, else the `def` line. */
export function locateObservation(file: PythonFile): Range {
  const reset = file.method('reset');
  if (reset === null) return locateClass(file);
  const last = returnsOf(reset.node).filter(({ value }) => value !== null).at(-1);
  if (!last?.value) return file.range(reset.nameNode);
  const first = tupleParts(last.value)?.[0] ?? last.value;
  const assigned = first.type === 'identifier' ? lastAssignment(reset.node, first.text, first.start) : null;
  return file.range(assigned?.node ?? first);
}

/** The first place where `reset` or a function it calls draws at random; the `def` line when none is seen. */
export function locateResetDraw(file: PythonFile): Range {
  for (const definition of reachedFrom(file, file.method('reset'))) {
    const [draw] = allDraws(definition);
    if (draw !== undefined) return file.range(draw);
  }
  return locateMethod(file, 'reset');
}

const ORDERED_USE = new Set(['list', 'tuple', 'enumerate', 'choice', 'choices', 'sample', 'shuffle', 'join', 'next', 'iter', 'pop']);

/** True when a value is a set as the text tells: a literal, a comprehension, `set(…)`, or a name assigned one in this function. */
function isSet(file: PythonFile, node: SyntaxNode | null, definition: SyntaxNode, depth = 0): boolean {
  if (node === null || depth > 20) return false;
  const follow = (part: SyntaxNode | null): boolean => isSet(file, part, definition, depth + 1);
  if (node.type === 'set' || node.type === 'set_comprehension') return true;
  if (node.type === 'call') return /^(frozen)?set$/.test(node.child('function')?.text ?? '');
  if (node.type === 'binary_operator' || node.type === 'boolean_operator') return follow(node.child('left')) || follow(node.child('right'));
  if (node.type === 'parenthesized_expression') return follow(node.namedChildren[0] ?? null);
  if (node.type === 'conditional_expression') return follow(node.namedChildren[0] ?? null) || follow(node.namedChildren[2] ?? null);
  if (node.type !== 'identifier' && node.type !== 'attribute') return false;
  for (const assignment of definition.descendants('assignment')) {
    const value = assignment.child('right');
    if (assignment.child('left')?.text === node.text && value !== null && value.type !== node.type && follow(value)) return true;
  }
  return isAttribute(node, selfNameOf(file, definition)) && assignmentsTo(file, node.child('attribute')?.text ?? '').some(({ value }) => value.type !== node.type && follow(value));
}

/** Where a function that `reset` (or else `step`) reaches takes the order of a set, or calls `hash`; the first such place. */
export function locateHashOrder(file: PythonFile): Range | null {
  for (const name of ['reset', '__init__', 'step'] as const) {
    for (const definition of reachedFrom(file, file.method(name))) {
      for (const node of definition.descendants('call', 'for_statement', 'for_in_clause', 'list_splat')) {
        if (node.type !== 'call') {
          if (isSet(file, node.child('right') ?? node.namedChildren[0] ?? null, definition)) return file.range(node.child('right') ?? node);
          continue;
        }
        const target = node.child('function');
        const called = target?.type === 'attribute' ? (target.child('attribute')?.text ?? '') : (target?.text ?? '');
        if (called === 'hash') return file.range(node);
        if (called === 'pop' && isSet(file, target?.child('object') ?? null, definition)) return file.range(node);
        if (ORDERED_USE.has(called) && isSet(file, node.child('arguments')?.namedChildren[0] ?? null, definition)) return file.range(node);
      }
    }
  }
  return null;
}

/** Where an attribute of the instance is set last; the method that should set it when it never is. */
export function locateAttribute(file: PythonFile, attribute: string, fallback = 'reset'): Range {
  const last = assignmentsTo(file, attribute).at(-1);
  return last ? file.range(last.node) : locateMethod(file, fallback);
}

const MUTABLE = /^(list|dictionary|set|list_comprehension|dictionary_comprehension|set_comprehension)$/;
const MUTABLE_CALLS = /^(collections\.)?(list|dict|set|bytearray|defaultdict|deque|Counter|OrderedDict)$/;
const MUTATORS = new Set(['append', 'appendleft', 'add', 'extend', 'insert', 'update', 'setdefault', 'pop', 'popleft', 'popitem', 'remove', 'discard', 'clear', 'sort', 'reverse']);

/** Names and attributes that a function changes in place or binds anew beyond itself, as written: `self.log`, `Tab.entries`, `LOG`. */
function* changedIn(definition: SyntaxNode): Generator<SyntaxNode> {
  for (const node of definition.descendants('call', 'assignment', 'augmented_assignment', 'delete_statement')) {
    if (node.type === 'call') {
      const target = node.child('function');
      const changed = target?.type === 'attribute' && MUTATORS.has(target.child('attribute')?.text ?? '') ? target.child('object') : null;
      if (changed !== null) yield changed;
      continue;
    }
    let target = node.child('left') ?? node.namedChildren[0] ?? null;
    const held = target?.type === 'subscript';
    while (target?.type === 'subscript') target = target.child('value');
    if (target !== null && (held || target.type === 'attribute' || node.type === 'augmented_assignment')) yield target;
  }
}

/**
 * What instances share as the text tells, where it is made: a list, dict or set of a class body or of the module that some function
 * changes, or a value of a class that is bound anew through its name. Null when none is seen.
 */
export function locateShared(file: PythonFile): Range | null {
  const changed = new Set<string>();
  for (const definition of file.root.descendants('function_definition')) {
    for (const target of changedIn(definition)) {
      const object = target.type === 'attribute' ? (target.child('object')?.text ?? '') : '';
      changed.add(object === selfNameOf(file, definition) ? `.${target.child('attribute')?.text ?? ''}` : target.text);
    }
  }
  const shared = (value: SyntaxNode | null): boolean => value !== null && (MUTABLE.test(value.type) || (value.type === 'call' && MUTABLE_CALLS.test(value.child('function')?.text ?? '')));
  for (const { name: owner, attributes } of file.classes.values()) {
    for (const [name, node] of attributes) {
      const byName = changed.has(`${owner}.${name}`) || changed.has(`cls.${name}`) || changed.has(`type(self).${name}`) || changed.has(`self.__class__.${name}`);
      if (byName || (shared(node.child('right')) && changed.has(`.${name}`))) return file.range(node);
    }
  }
  const global = new Set([...file.root.descendants('global_statement')].flatMap(({ namedChildren }) => namedChildren.map(({ text }) => text)));
  for (const node of file.root.inScope('assignment')) {
    if (node.parent?.parent?.type !== 'module') continue;
    const name = node.child('left')?.text ?? '';
    if (changed.has(name) && (shared(node.child('right')) || global.has(name))) return file.range(node);
  }
  return null;
}

/** The entries of `_message_criteria` as written, in order; empty when it is not a list in the text. */
export function locateCriteria(file: PythonFile): Range[] {
  const list = assignmentsTo(file, '_message_criteria').map(({ value }) => value).filter(({ type }) => type === 'list').at(-1);
  return (list?.namedChildren ?? []).map((entry) => file.range(entry));
}
