import { message } from '../../../shared/message';
import { parametersOf } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { liveNodes } from './live';
import { qualifiedName } from './qualified';
import { lastAssignment, statementOf } from './reach';
import { Taint } from './taint';

const EVALUATORS = /^(builtins\.)?(eval|exec|compile)$|^(pickle|cPickle|_pickle|dill|cloudpickle|marshal|shelve|joblib)\.(loads?|Unpickler)$/;

/** Calls that run the function they are given. */
const HANDS_ON = /^(builtins\.)?(map|filter)$|^(functools\.)?(partial|reduce)$/;

/** A pattern whose characters are a closed list: no dot, no negated class. */
const CLOSED_PATTERN = /^(?![\s\S]*(\[\^|\\[SWD]|(?<!\\)\.(?![^[]*\])))/;

function patternText(node: SyntaxNode | undefined): string {
  return node?.type === 'string' ? node.text.replace(/^[A-Za-z]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '') : '';
}

/** True for a call or comparison that lets only known characters or words pass. */
function isGuard(node: SyntaxNode): boolean {
  if (node.type === 'call') {
    const target = node.child('function')?.text ?? '';
    const [first, second] = node.child('arguments')?.namedChildren ?? [];
    const pattern = patternText(first);
    if (/(^|\.)fullmatch$/.test(target)) return true;
    if (/(^|\.)match$/.test(target)) return /(\$|\\Z)$/.test(pattern) && CLOSED_PATTERN.test(pattern);
    if (/(^|\.)(search|findall)$/.test(target)) return /^\[\^[^\]]+\][+*]?$/.test(pattern) || onlyClosedGroup(pattern) || (/^(\^|\\A).*(\$|\\Z)$/s.test(pattern) && CLOSED_PATTERN.test(pattern));
    if (/(^|\.)sub$/.test(target)) return /^\[\^[^\]]+\][+*]?$/.test(pattern) && second !== undefined;
    if (/\.(isdigit|isdecimal|isnumeric|isalnum|isidentifier|issubset)$/.test(target)) return true;
    if (/(^|\.)ast\.walk$|^walk$/.test(target)) return true;
    return target === 'all' && first?.type === 'generator_expression' && [...first.descendants('comparison_operator')].some(isMembership);
  }
  return node.type === 'comparison_operator' && ((/^set\(/.test(node.text) && node.children.some(({ type }) => type === '<=' || type === '<')) || isMembership(node));
}

/** The captured part of a pattern can hold known characters only, such as `([0-9+*]+)`. */
function onlyClosedGroup(pattern: string): boolean {
  const group = /(?<!\\)\((?!\?[:=!])(?:\?P<\w+>)?((?:\\.|\[(?:\\.|[^\]])*\]|[^()])*)\)/.exec(pattern)?.[1];
  return group !== undefined && group !== '' && !/\[\^|\\[SWD]|(?<!\\)\./.test(group.replace(/\[(?!\^)(?:\\.|[^\]])*\]/g, '[]'));
}

/** `x in ALLOWED`: the right side is a collection or a text, not the agent's own. */
function isMembership(node: SyntaxNode): boolean {
  return node.children.some(({ field, type }) => field === 'operators' && (type === 'in' || type === 'not in'));
}

/** A guard in the same function, before the evaluation or in a condition around it, that looks at text of the agent. */
function isGuarded(sink: SyntaxNode, argument: SyntaxNode, definition: SyntaxNode, taint: Taint): boolean {
  const end = statementOf(sink).end;
  for (const node of definition.descendants('call', 'comparison_operator')) {
    if (node.start >= end || node.contains(sink)) continue;
    // `text in ALLOWED` lets known texts pass; `"import" in text` only refuses one.
    const judged = node.type === 'comparison_operator' ? node.namedChildren.slice(0, 1) : node.namedChildren;
    if (isGuard(node) && judged.some((part) => looksAtAgent(part, definition, taint))) return true;
  }
  return isGuard(argument);
}

function looksAtAgent(part: SyntaxNode, definition: SyntaxNode, taint: Taint): boolean {
  return taint.holds(part, definition) || [...part.descendants('identifier', 'attribute')].some((name) => taint.holds(name, definition));
}

/** What a call evaluates with, also where it hands the evaluator on: `map(eval, parts)`; null when it does not evaluate. */
function evaluatorOf(file: PythonFile, call: SyntaxNode): string | null {
  const name = qualifiedName(file, call.child('function'));
  if (name === null) return null;
  const [first] = call.child('arguments')?.namedChildren ?? [];
  const used = HANDS_ON.test(name) && first !== undefined ? qualifiedName(file, first) : name;
  return used !== null && EVALUATORS.test(used) ? used : null;
}

/** A text that may hold an evaluator that is not called where it stands. */
const KEPT = /\b(?:eval|exec|compile|loads?|Unpickler)\b(?!\s*\()/;

/** The evaluator that a callee has from where the file keeps it: a name of the function, `read = eval`; an attribute, `self.read = eval`; a table, `READERS["number"]`. */
function keptEvaluator(file: PythonFile, callee: SyntaxNode | null, call: SyntaxNode): string | null {
  const definition = call.ancestor('function_definition');
  const local = callee?.type === 'identifier' && definition !== null ? lastAssignment(definition, callee.text, call.start)?.value : undefined;
  const meant = local ?? callee;
  if (meant === null || meant === undefined) return null;
  const direct = local === undefined ? null : qualifiedName(file, local);
  if (direct !== null) return EVALUATORS.test(direct) ? direct : null;
  if (meant.type === 'attribute') return keptUnder(file, meant, (value) => value.type === 'identifier' || value.type === 'attribute');
  const got = meant.type === 'call' ? meant.child('function') : null;
  const table = meant.type === 'subscript' ? meant.child('value') : got?.child('attribute')?.text === 'get' ? got.child('object') : null;
  return table === null ? null : keptUnder(file, table, ({ type }) => /^(dictionary|list|tuple)$/.test(type));
}

/** The evaluator in a value of this kind that the file assigns to a name; to an attribute on an instance or in the body of a class. */
function keptUnder(file: PythonFile, name: SyntaxNode, isKind: (value: SyntaxNode) => boolean): string | null {
  const last = (node: SyntaxNode | null): string | undefined => (node?.type === 'attribute' ? node.child('attribute') : node)?.text;
  for (const assignment of file.root.descendants('assignment')) {
    const [left, value] = [assignment.child('left'), assignment.child('right')];
    if (value === null || last(left) !== last(name) || !isKind(value)) continue;
    const isAttribute = left?.type === 'attribute' || assignment.ancestor('function_definition', 'class_definition')?.type === 'class_definition';
    if (isAttribute !== (name.type === 'attribute')) continue;
    for (const node of [value, ...value.descendants('identifier', 'attribute')]) {
      const held = node.parent?.type === 'call' ? null : qualifiedName(file, node);
      if (held !== null && EVALUATORS.test(held)) return held;
    }
  }
  return null;
}

/** The text that is evaluated: the first argument, or what follows the evaluator. */
function sinkArguments(call: SyntaxNode): SyntaxNode[] {
  const given = call.child('arguments')?.namedChildren ?? [];
  return HANDS_ON.test(call.child('function')?.text ?? '') ? given.slice(1) : given.slice(0, 1);
}

/** Text of the agent that a lambda around an evaluation is given where it is called by name, or handed on: `map(lambda part: eval(part), parts)`. */
function fedToLambda(sink: SyntaxNode, taint: Taint): SyntaxNode | undefined {
  const lambda = sink.ancestor('lambda', 'function_definition');
  if (lambda?.type !== 'lambda') return undefined;
  const names = parametersOf(lambda).map(({ name }) => name);
  const argument = sinkArguments(sink).find((candidate) => [candidate, ...candidate.descendants('identifier')].some(({ text }) => names.includes(text)));
  if (argument === undefined) return undefined;
  const given = lambda.parent?.type === 'argument_list' ? lambda.parent.namedChildren : callsOf(lambda).flatMap((call) => call.child('arguments')?.namedChildren ?? []);
  return given.some((node) => node !== lambda && taint.holds(node, node.ancestor('function_definition') ?? node)) ? argument : undefined;
}

/** The calls of a lambda by the name it is assigned to. */
function callsOf(lambda: SyntaxNode): SyntaxNode[] {
  const name = lambda.parent?.type === 'assignment' ? lambda.parent.child('left')?.text : undefined;
  let root = lambda;
  while (root.parent !== null) root = root.parent;
  return name === undefined ? [] : [...root.descendants('call')].filter((call) => call.child('function')?.text === name);
}

/** `action-is-evaluated`: text of the agent becomes code. */
export function actionIsEvaluated(file: PythonFile): FindingDraft[] {
  const mayBeKept = KEPT.test(file.text);
  const sinks = [...liveNodes(file, 'call')].flatMap((call) => {
    const name = evaluatorOf(file, call) ?? (mayBeKept ? keptEvaluator(file, call.child('function'), call) : null);
    return name === null ? [] : [{ call, name }];
  });
  if (sinks.length === 0) return [];
  const taint = new Taint(file);
  return sinks.flatMap(({ call, name }): FindingDraft[] => {
    const definition = call.ancestor('function_definition');
    const argument = definition && (sinkArguments(call).find((candidate) => taint.holds(candidate, definition)) ?? fedToLambda(call, taint));
    if (!definition || !argument) return [];
    const guarded = isGuarded(call, argument, definition, taint) || taint.functions.some((other) => other !== definition && callsBeforehand(other, definition, taint));
    return [{
      range: file.range(call),
      ...(guarded ? { severity: 'warning' as const } : {}),
      message: guarded
        ? message('Text of the agent reaches {name}() after a filter. The agent is trained against every gap in that filter, in the trainer\'s process. Read the answer with int(), float() or ast.literal_eval().', { name })
        : message('Text of the agent reaches {name}() unchecked: a policy that writes code runs it in the trainer\'s process, and can set its own reward. Read the answer with int(), float() or ast.literal_eval().', { name }),
    }];
  });
}

/** True when a caller filters the agent's text before it hands it to the function that evaluates. */
function callsBeforehand(caller: SyntaxNode, evaluating: SyntaxNode, taint: Taint): boolean {
  const name = evaluating.child('name')?.text ?? '';
  for (const call of caller.descendants('call')) {
    const target = call.child('function');
    const called = target?.type === 'attribute' ? target.child('attribute')?.text : target?.text;
    const [argument] = sinkArguments(call);
    if (called === name && argument !== undefined && isGuarded(call, argument, caller, taint)) return true;
  }
  return false;
}
