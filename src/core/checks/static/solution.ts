import { message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { fix, replace } from './fixes';
import { passedOver } from './loader';
import { plainString } from './qualified';
import { isAttribute } from './reach';

function isAbsent(file: PythonFile): boolean {
  const { lineage } = file;
  if (lineage === null || lineage.foreign || file.method('solution') !== null) return false;
  return !lineage.chain.some(({ attributes, methods }) => attributes.has('solution') || methods.has('__getattr__'));
}

/** `solution-missing`: nothing says how the environment is won. */
export function solutionMissing(file: PythonFile): FindingDraft[] {
  const { env, picked } = file;
  if (env === null || picked === null || !isAbsent(file) || passedOver(file, picked) !== null) return [];
  return [{
    range: file.range(env.nameNode),
    message: file.toolUse
      ? message('{name} has no solution(). The inherited one raises at the last turn, where the run shows it, so the episode fails there. Add solution(self): the tool steps, one a line, and "ANSWER: …".', { name: env.name })
      : message('{name} has no solution(), so whether it can be won cannot be checked. Add solution(self), which returns the answer.', { name: env.name }),
  }];
}

/** Uses of an attribute of the instance in the picked class and its ancestors. */
function attributeUses(file: PythonFile, name: string): SyntaxNode[] {
  return (file.lineage?.chain ?? []).flatMap((info) => [...info.methods.values()].flatMap(
    (method) => [...method.node.descendants('attribute')].filter((node) => isAttribute(node, method.self, name)),
  ));
}

/** True for what can be called as the method was: a function, a bound method, a partial. */
function mayBeCallable(file: PythonFile, value: SyntaxNode): boolean {
  if (value.type === 'lambda') return true;
  if (value.type === 'attribute') return value.child('object')?.text === 'self' && file.method(value.child('attribute')?.text ?? '') !== null;
  return value.type === 'call' && /(^|\.)partial(method)?$/.test(value.child('function')?.text ?? '');
}

function freeAttribute(file: PythonFile): string {
  return ['_solution', '_solution_text', '_stored_solution'].find((name) => !new RegExp(`\\b${name}\\b`).test(file.text)) ?? '_solution_kept_by_reset';
}

/** `solution-shadowed`: `self.solution = data` takes the method's place. */
export function solutionShadowed(file: PythonFile): FindingDraft[] {
  const method = file.method('solution');
  if (method === null && !file.toolUse) return [];
  const uses = attributeUses(file, 'solution');
  const stored = uses.filter((use) => {
    const assignment = use.parent;
    const target = use.field === 'left' || assignment?.type === 'pattern_list';
    const value = assignment?.child('right') ?? null;
    return target && (assignment?.type === 'pattern_list' || (assignment?.type === 'assignment' && value !== null && !mayBeCallable(file, value)));
  });
  const bySetattr = setattrs(file, 'solution');
  if (stored.length + bySetattr.length === 0) return [];
  const free = freeAttribute(file);
  const isCalled = (use: SyntaxNode): boolean => use.parent?.type === 'call' && use.field === 'function';
  const renamed = uses.filter((use) => !isCalled(use)).map((use) => replace(file, use.child('attribute')!, free));
  const related = method === null ? [] : [{ ...file.range(method.nameNode), message: message('This method cannot be called any more.') }];
  const mend = fix(message('Rename the stored value to {free}', { free }), ...renamed);
  const told = (place: SyntaxNode): FindingDraft => ({
    range: file.range(place),
    message: message('self.solution holds data from here on and hides the method solution(): calling it raises, so the environment cannot be checked, nor its solution shown. Store the data under another name.'),
    related,
  });
  return [...stored.map((use) => (bySetattr.length > 0 ? told(use) : { ...told(use), fix: mend })), ...bySetattr.map(told)];
}

/** `setattr(self, "name", data)` in the picked class and its ancestors. */
function setattrs(file: PythonFile, name: string): SyntaxNode[] {
  return (file.lineage?.chain ?? []).flatMap((info) => [...info.methods.values()].flatMap((method) => [...method.node.descendants('call')].filter((call) => {
    const [object, attribute, value] = call.child('arguments')?.namedChildren ?? [];
    return call.child('function')?.text === 'setattr' && object?.text === method.self && plainString(attribute) === name && value !== undefined && !mayBeCallable(file, value);
  })));
}
