import type { Range } from '../../../shared/findings';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import { allDraws } from './random';
import { isAttribute, lastAssignment, reachedFrom, returnsOf, statementOf, tupleParts } from './reach';

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
export const STEP_PARTS = ['observation', 'reward', 'terminated', 'truncated', 'info'] as const;
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
function isSet(node: SyntaxNode | null, definition: SyntaxNode, depth = 0): boolean {
  if (node === null || depth > 20) return false;
  if (node.type === 'set' || node.type === 'set_comprehension') return true;
  if (node.type === 'call') return /^(frozen)?set$/.test(node.child('function')?.text ?? '');
  if (node.type === 'binary_operator') return isSet(node.child('left'), definition, depth + 1) || isSet(node.child('right'), definition, depth + 1);
  if (node.type !== 'identifier' && node.type !== 'attribute') return false;
  for (const assignment of definition.descendants('assignment')) {
    const value = assignment.child('right');
    if (assignment.child('left')?.text === node.text && value !== null && value.type !== node.type && isSet(value, definition, depth + 1)) return true;
  }
  return false;
}

/** Where a function that `reset` (or else `step`) reaches takes the order of a set, or calls `hash`; the first such place. */
export function locateHashOrder(file: PythonFile): Range | null {
  for (const name of ['reset', '__init__', 'step'] as const) {
    for (const definition of reachedFrom(file, file.method(name))) {
      for (const node of definition.descendants('call', 'for_statement', 'for_in_clause', 'list_splat')) {
        if (node.type !== 'call') {
          if (isSet(node.child('right') ?? node.namedChildren[0] ?? null, definition)) return file.range(node.child('right') ?? node);
          continue;
        }
        const target = node.child('function');
        const called = target?.type === 'attribute' ? (target.child('attribute')?.text ?? '') : (target?.text ?? '');
        if (called === 'hash') return file.range(node);
        if (called === 'pop' && isSet(target?.child('object') ?? null, definition)) return file.range(node);
        if (ORDERED_USE.has(called) && isSet(node.child('arguments')?.namedChildren[0] ?? null, definition)) return file.range(node);
      }
    }
  }
  return null;
}

/** The assignments to an attribute of the instance, such as `_expected_answer`, in the order of the file. */
export function assignmentsTo(file: PythonFile, attribute: string): { node: SyntaxNode; value: SyntaxNode }[] {
  const found: { node: SyntaxNode; value: SyntaxNode }[] = [];
  for (const info of file.lineage?.chain ?? []) {
    for (const method of info.methods.values()) {
      for (const node of method.node.descendants('assignment')) {
        const value = node.child('right');
        if (value !== null && isAttribute(node.child('left'), method.self, attribute)) found.push({ node, value });
      }
    }
    const inBody = info.attributes.get(attribute);
    const value = inBody?.child('right');
    if (inBody && value) found.push({ node: inBody, value });
  }
  return found;
}

/** Where an attribute of the instance is set last; the method that should set it when it never is. */
export function locateAttribute(file: PythonFile, attribute: string, fallback = 'reset'): Range {
  const last = assignmentsTo(file, attribute).at(-1);
  return last ? file.range(last.node) : locateMethod(file, fallback);
}

/** The entries of `_message_criteria` as written, in order; empty when it is not a list in the text. */
export function locateCriteria(file: PythonFile): Range[] {
  const list = assignmentsTo(file, '_message_criteria').map(({ value }) => value).filter(({ type }) => type === 'list').at(-1);
  return (list?.namedChildren ?? []).map((entry) => file.range(entry));
}
