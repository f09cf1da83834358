import { message } from '../../../shared/message';
import { findMethod, lastName, parametersOf, type ClassInfo, type Lineage, type Parameter } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { Candidate } from '../../environment/recognise';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { fix, replace } from './fixes';

/** The methods that the run calls on every environment. */
const REQUIRED = ['reset', 'step'] as const;

/** True for a body that only says that somebody else must write it. */
function isAbstract(definition: SyntaxNode, decorators: readonly string[]): boolean {
  if (decorators.includes('abstractmethod')) return true;
  const statements = (definition.child('body')?.namedChildren ?? []).filter(
    ({ type, namedChildren: [first] }) => !(type === 'expression_statement' && (first?.type === 'string' || first?.type === 'ellipsis')),
  );
  return statements.every(({ type, text }) => type === 'pass_statement' || (type === 'raise_statement' && text.includes('NotImplemented')));
}

/** True when a class gets a method in a way that its body does not show: an attribute, a base from elsewhere, `self.step = …`, `Class.step = …`. */
function mayHave(file: PythonFile, lineage: Lineage, name: string): boolean {
  if (lineage.foreign || lineage.chain.some(({ attributes, methods }) => attributes.has(name) || methods.has('__getattr__') || methods.has('__getattribute__'))) return true;
  if (new RegExp(`\\bsetattr\\([^)\\n]*["']${name}["']`).test(file.text)) return true;
  const owners = new Set(lineage.chain.map((info) => info.name));
  for (const node of file.root.descendants('assignment')) {
    const left = node.child('left');
    if (left?.type !== 'attribute' || left.child('attribute')?.text !== name) continue;
    const object = left.child('object')?.text ?? '';
    if (owners.has(object) || object === 'self' || object === 'cls') return true;
  }
  return false;
}

/** How a class has a method: written out, left to a subclass, perhaps (not told by the text), or not at all. */
function hasMethod(file: PythonFile, info: ClassInfo, name: string): 'yes' | 'abstract' | 'perhaps' | 'no' {
  const lineage = file.lineageOf(info);
  const method = findMethod(lineage, name);
  if (method !== null) return isAbstract(method.node, method.decorators) ? 'abstract' : 'yes';
  if (lineage.toolUse && name === 'step') return 'yes';
  return mayHave(file, lineage, name) ? 'perhaps' : 'no';
}

function isComplete(file: PythonFile, info: ClassInfo): boolean {
  return REQUIRED.every((name) => hasMethod(file, info, name) === 'yes');
}

/** `no-env-class`: nothing for the loader to pick. */
export function noEnvClass(file: PythonFile): FindingDraft[] {
  if (file.candidates.length > 0 || file.names.open) return [];
  const nearest = [...file.classes.values()].find((info) => isComplete(file, info));
  return [
    nearest
      ? {
        range: file.range(nearest.nameNode),
        message: message('No class ends in "Env", so the run finds no environment in this file. {name} has reset and step: call it {name}Env.', { name: nearest.name }),
      }
      : {
        range: file.lines.rangeOfLine(1),
        message: message('The run takes the first class whose name ends in "Env", and this file has none. Name the environment\'s class so, with the methods reset and step.'),
      },
  ];
}

/** A later complete class that the run passes over for the one it picks. */
export function passedOver(file: PythonFile, picked: Candidate): { candidate: Candidate; info: ClassInfo } | null {
  const pickedClass = file.classOf(picked);
  const unfit = pickedClass === null
    ? picked.kind !== 'assignment' || picked.aliasOf !== null || isNoEnvironment(picked)
    : REQUIRED.some((name) => ['no', 'abstract'].includes(hasMethod(file, pickedClass, name)));
  for (const candidate of file.candidates.slice(1).reverse()) {
    const info = file.classOf(candidate);
    if (info === null || info === pickedClass || !isComplete(file, info)) continue;
    if (unfit || (pickedClass !== null && usesClass(info, pickedClass.name))) return { candidate, info };
  }
  return null;
}

/** True for a name that holds a tuple type, an enumeration or a type hint: callable, and no environment. */
function isNoEnvironment({ node }: Candidate): boolean {
  const value = node.child('right');
  if (value?.type === 'subscript') return true;
  return value?.type === 'call' && /(^|\.)(namedtuple|NamedTuple|TypedDict|NewType|Enum|IntEnum|StrEnum|make_dataclass)$/.test(value.child('function')?.text ?? '');
}

/** True when a class is built on another, or builds one: the other is then its helper. */
function usesClass(info: ClassInfo, helper: string): boolean {
  if (info.bases.some((base) => lastName(base) === helper)) return true;
  for (const call of info.node.descendants('call')) if (call.child('function')?.text === helper) return true;
  return false;
}

/** A free name for the helper that does not end in `Env`. */
function freeName(file: PythonFile, name: string): string {
  const stem = `${name.slice(0, -'Env'.length)}Base`;
  let free = stem;
  for (let count = 2; file.text.includes(free); count += 1) free = `${stem}${count}`;
  return free;
}

/** `loader-picks-first-env-class`: a helper, factory or import stands before the real environment. */
export function loaderPicksFirst(file: PythonFile): FindingDraft[] {
  const { picked } = file;
  if (picked === null) return [];
  const real = passedOver(file, picked);
  if (real === null) return [];
  const free = freeName(file, picked.name);
  const uses = [...file.root.descendants('identifier')].filter(({ text }) => text === picked.name);
  const local = picked.kind !== 'import' || picked.nameNode.field === 'alias';
  return [{
    range: file.range(picked.nameNode),
    message: message(
      'The run takes the first callable whose name ends in "Env": {picked}, and never sees {real}. Rename {picked} so that its name does not end in "Env", or move it below.',
      { picked: picked.name, real: real.candidate.name },
    ),
    related: [{ ...file.range(real.info.nameNode), message: message('{real} looks like the environment that is meant.', { real: real.candidate.name }) }],
    ...(local ? { fix: fix(message('Rename {picked} to {free}', { picked: picked.name, free }), ...uses.map((use) => replace(file, use, free))) } : {}),
  }];
}

/** `missing-method`: the picked class has no `reset` or no `step`. */
export function missingMethod(file: PythonFile): FindingDraft[] {
  const { env, picked } = file;
  if (env === null || picked === null || passedOver(file, picked) !== null) return [];
  return REQUIRED.filter((name) => hasMethod(file, env, name) === 'no').map((name) => ({
    range: file.range(env.nameNode),
    message: message('{name} has no method {method}, not even inherited, so the run refuses the file. Add {signature}.', {
      name: env.name, method: name, signature: name === 'reset' ? 'reset(self, seed=None), which returns (observation, info)' : 'step(self, action), which returns (observation, reward, terminated, truncated, info)',
    }),
  }));
}

function required(parameters: readonly Parameter[]): Parameter[] {
  return parameters.filter(({ kind, default: value }) => value === null && (kind === 'positional' || kind === 'keyword-only'));
}

/** `bad-constructor`: arguments that the run never gives. It builds with `max_turns`, or with nothing. */
export function badConstructor(file: PythonFile): FindingDraft[] {
  const { env, picked, lineage } = file;
  const init = file.method('__init__');
  if (picked?.kind === 'function' && env === null) return judgeParameters(file, parametersOf(picked.node), picked.nameNode, picked.name);
  if (env === null || init === null || lineage?.chain.some(({ methods }) => methods.has('__new__'))) return [];
  return judgeParameters(file, init.parameters, init.nameNode, env.name);
}

function judgeParameters(file: PythonFile, parameters: readonly Parameter[], nameNode: SyntaxNode, name: string): FindingDraft[] {
  const needed = required(parameters);
  const takesMaxTurns = parameters.some((parameter) => parameter.name === 'max_turns' || parameter.kind === 'var-keyword');
  const [other] = needed.filter((parameter) => parameter.name !== 'max_turns');
  if (needed.length === 0 || (other === undefined && takesMaxTurns)) return [];
  return [{
    range: file.range(other?.node ?? nameNode),
    message: message('The run builds {name} with max_turns alone, or with nothing: the argument {argument} is then missing and every load fails. Give it a default value.', {
      name, argument: other?.name ?? 'max_turns',
    }),
  }];
}
