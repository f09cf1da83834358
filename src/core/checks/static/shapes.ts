import { message } from '../../../shared/message';
import type { Method } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { fix, insert, replace, wrapIn } from './fixes';
import { calleeOf, isAttribute, isOwn, lastAssignment, returnsOf, selfNameOf, tupleParts } from './reach';
import { attributeValues, typesOf, type Typed, type ValueType } from './types';

/** A value that `reset` or `step` hands back, with the function whose `return` it is. */
interface Outcome {
  readonly value: SyntaxNode | null;
  readonly statement: SyntaxNode;
  readonly definition: SyntaxNode;
  /** The parts of the tuple; null when the value is no tuple in the text. */
  readonly parts: readonly SyntaxNode[] | null;
}

/** Every `return` of a method, following `return self._other(…)` and `return name` to where the value is made. */
function outcomesOf(file: PythonFile, method: Method): Outcome[] {
  const outcomes: Outcome[] = [];
  // Functions whose value is handed on, each with whether all who do so look first whether there is one.
  const followed = new Map<SyntaxNode, boolean>([[method.node, false]]);
  for (const [definition] of followed) {
    const self = selfNameOf(file, definition);
    for (const { statement, value: returned } of returnsOf(definition)) {
      const value = returned?.type === 'identifier' ? (lastAssignment(definition, returned.text, statement.start)?.value ?? returned) : returned;
      const callee = value?.type === 'call' ? calleeOf(file, value, self) : null;
      if (callee === null) outcomes.push({ value, statement, definition, parts: tupleParts(value) });
      else followed.set(callee, (followed.get(callee) ?? true) && returned?.type === 'identifier' && isTested(definition, returned.text));
    }
  }
  const handedOn = ({ value, definition }: Outcome): boolean => !(followed.get(definition) && (value === null || value.type === 'none'));
  return outcomes.filter(handedOn).sort((a, b) => a.statement.start - b.statement.start);
}

/** True when some condition of a function asks whether a name holds anything: `if early:`, `if early is not None:`. */
function isTested(definition: SyntaxNode, name: string): boolean {
  for (const branch of definition.child('body')?.inScope('if_statement', 'elif_clause', 'while_statement') ?? []) {
    const condition = branch.child('condition');
    if (condition !== null && [condition, ...condition.descendants('identifier')].some(({ type, text }) => type === 'identifier' && text === name)) return true;
  }
  return false;
}

/** True when a function is a generator or a coroutine, whose call gives neither observation nor tuple. */
function deferred(method: Method): 'a coroutine' | 'a generator' | null {
  if (method.isAsync) return 'a coroutine';
  return method.node.child('body')?.inScope('yield').next().done === false ? 'a generator' : null;
}

const SHAPES = {
  reset: '(observation, info)',
  step: '(observation, reward, terminated, truncated, info)',
} as const;
const LENGTHS = { reset: 2, step: 5 } as const;
type Called = keyof typeof SHAPES;

/** The one type that an expression certainly has; `unknown` when it depends. */
function certainType(file: PythonFile, node: SyntaxNode, definition: SyntaxNode): ValueType {
  const types = new Set(typesOf(file, node, definition).map(({ type }) => type));
  return types.size === 1 ? [...types][0]! : 'unknown';
}

/** `return obs, reward, done, info` is the older interface: `done` ended the episode either way. */
function fourValues(file: PythonFile, parts: readonly SyntaxNode[]): FindingDraft['fix'] {
  const info = parts[3]!;
  return fix(message('Return terminated and truncated apart'), insert(file, info.start, 'False, '));
}

function judgeShape(file: PythonFile, called: Called, { value, statement, definition, parts }: Outcome): FindingDraft[] {
  const shape = SHAPES[called];
  const at = file.range(value ?? statement);
  const told = (what: string): FindingDraft => ({
    range: at,
    message: message('{called} returns {what} here, where the run needs {shape}: the file is refused. Return all of them.', { called, what, shape }),
  });
  if (value === null) return [told('nothing')];
  if (parts !== null) {
    if (parts.length === LENGTHS[called]) return judgeObservation(file, called, parts[0]!, definition);
    const draft = told(`${parts.length} values`);
    return [called === 'step' && parts.length === 4 ? { ...draft, fix: fourValues(file, parts)! } : draft];
  }
  const type = certainType(file, value, definition);
  if (type === 'unknown' || type === 'tuple' || type === 'maybe-none' || (called === 'reset' && type === 'str')) return [];
  return [told(type === 'None' ? 'None' : `a single ${type}`)];
}

function judgeObservation(file: PythonFile, called: Called, observation: SyntaxNode, definition: SyntaxNode): FindingDraft[] {
  const type = certainType(file, observation, definition);
  if (['unknown', 'maybe-none', 'str'].includes(type)) return [];
  return [{
    range: file.range(observation),
    message: message('The observation that {called} returns is {type}, not str: the run refuses the file. Return text.', { called, type }),
  }];
}

/** `bad-return-shape`: a `return` of `reset` or `step` that cannot be what the run needs. */
export function badReturnShape(file: PythonFile): FindingDraft[] {
  return (['reset', 'step'] as const).flatMap((called): FindingDraft[] => {
    const method = file.method(called);
    if (method === null) return [];
    const later = deferred(method);
    const outcomes = outcomesOf(file, method);
    const raises = method.node.child('body')?.inScope('raise_statement').next().done === false;
    const what = later ?? (outcomes.length === 0 && !raises ? 'nothing' : null);
    if (what !== null) {
      return [{
        range: file.range(method.nameNode),
        message: message('{called} returns {what}, where the run needs {shape}: the file is refused. Make it an ordinary method that returns all of them.', { called, what, shape: SHAPES[called] }),
      }];
    }
    return outcomes.flatMap((outcome) => judgeShape(file, called, outcome));
  });
}

const FLAGS = [[2, 'terminated'], [3, 'truncated']] as const;
const NO_FLAG: ReadonlySet<ValueType> = new Set(['int', 'float', 'str', 'None', 'list', 'tuple', 'dict', 'set', 'numpy.bool_', 'maybe-none']);

/** Types of a flag; an attribute of the instance is followed to what `step` and `reset` store in it. */
function flagTypes(file: PythonFile, flag: SyntaxNode, definition: SyntaxNode): Typed[] {
  const self = selfNameOf(file, definition);
  if (!isAttribute(flag, self) || !isOwn(file, definition)) return typesOf(file, flag, definition);
  const attribute = flag.child('attribute')?.text ?? '';
  return ['step', 'reset'].flatMap((name) => {
    const method = file.method(name);
    return method === null ? [] : attributeValues(method.node, method.self, attribute).flatMap((value) => typesOf(file, value, method.node)).filter(({ type }) => type !== 'None');
  });
}

const LITERAL_FLAGS: Readonly<Record<string, string>> = { None: 'False', 0: 'False', 1: 'True' };

/** Writes the literals as flags, or converts the whole flag where it is more than that. */
function flagFix(file: PythonFile, flag: SyntaxNode, faults: readonly Typed[]): FindingDraft['fix'] {
  const literal = faults.every(({ node }) => flag.contains(node) && node.text in LITERAL_FLAGS && node.parent?.type !== 'boolean_operator');
  if (!literal) return wrapIn(file, flag, 'bool');
  return fix(message('Write True and False'), ...faults.map(({ node }) => replace(file, node, LITERAL_FLAGS[node.text]!)));
}

/** `terminated-not-bool`: an end flag that is certainly something else on some way through `step`. */
export function terminatedNotBool(file: PythonFile): FindingDraft[] {
  const step = file.method('step');
  if (step === null) return [];
  const drafts = new Map<SyntaxNode, FindingDraft>();
  for (const { parts, definition } of outcomesOf(file, step)) {
    if (parts?.length !== LENGTHS.step) continue;
    for (const [index, name] of FLAGS) {
      const flag = parts[index]!;
      const faults = flagTypes(file, flag, definition).filter(({ type }) => NO_FLAG.has(type));
      for (const { type, node } of faults) {
        drafts.set(node, {
          range: file.range(node),
          message: message('{name} is {type} here, and the run accepts only bool: it refuses the file. Write bool(…) around it.', {
            name, type: type === 'maybe-none' ? 'a match object or None' : type,
          }),
          fix: flagFix(file, flag, faults)!,
          ...(flag.contains(node) ? {} : { related: [{ ...file.range(flag), message: message('Returned here as {name}.', { name }) }] }),
        });
      }
    }
  }
  return [...drafts.values()];
}

/** `info-not-dict`: an `info` that is certainly no dict. */
export function infoNotDict(file: PythonFile): FindingDraft[] {
  return (['reset', 'step'] as const).flatMap((called) => {
    const method = file.method(called);
    return (method === null ? [] : outcomesOf(file, method)).flatMap(({ parts, definition }): FindingDraft[] => {
      if (parts?.length !== LENGTHS[called]) return [];
      const info = parts.at(-1)!;
      const type = certainType(file, info, definition);
      if (['unknown', 'maybe-none', 'dict'].includes(type)) return [];
      const empty = /^(None|\[\]|\(\)|""|''|set\(\)|list\(\))$/.test(info.text);
      return [{
        range: file.range(info),
        message: message('info is {type} here, and the run accepts only a dict: it refuses the file. Return {} when there is nothing to say.', { type }),
        ...(empty ? { fix: fix(message('Return an empty dict'), replace(file, info, '{}')) } : {}),
      }];
    });
  });
}
