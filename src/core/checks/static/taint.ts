import { parametersOf } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import { calleeOf, constructorOf, isAttribute, methodAt, returnsOf, selfNameOf } from './reach';

/** Calls whose result holds no text of the agent, whatever they are given. */
const CLEAN_CALLS = new Set(['int', 'float', 'bool', 'len', 'ord', 'hash', 'isinstance', 'any', 'all', 'complex', 'abs', 'round', 'sum', 'id', 'type', 'range']);
const CLEAN_METHODS = new Set(['count', 'find', 'index', 'startswith', 'endswith', 'isdigit', 'isdecimal', 'isalpha', 'isalnum', 'isspace', 'isnumeric', 'start', 'end', 'span', 'bit_length']);
/** Calls that read a value without running anything of it. */
const CLEAN_READERS = /(^|\.)literal_eval$/;

/** Expression nodes whose value is a truth value or a number made here. */
const CLEAN_NODES = new Set(['comparison_operator', 'not_operator', 'lambda']);

/** Where the text of the agent goes: from `action` of `step` and the arguments of tools through names, attributes, calls and returns. */
export class Taint {
  private readonly names = new Map<SyntaxNode, Set<string>>();
  private readonly attributes = new Set<string>();
  private readonly returning = new Set<SyntaxNode>();
  private changed = false;
  /** Functions that text of the agent reaches, in source order. */
  readonly functions: readonly SyntaxNode[];

  constructor(private readonly file: PythonFile) {
    const step = file.method('step');
    for (const { name } of step?.parameters.slice(0, 1) ?? []) this.taintName(step!.node, name);
    for (const method of file.methods) {
      if (method.name.startsWith('tool_') || method.name === '_check_answer') for (const { name } of method.parameters) this.taintName(method.node, name);
      if (method.name === 'execute_tool') for (const { name } of method.parameters.slice(1)) this.taintName(method.node, name);
    }
    const definitions = [...file.root.descendants('function_definition')];
    do {
      this.changed = false;
      for (const definition of definitions) this.spread(definition);
    } while (this.changed);
    this.functions = definitions.filter((definition) => (this.names.get(definition)?.size ?? 0) > 0 || this.attributes.size > 0);
  }

  /** True when an expression of a function may hold text of the agent. */
  holds(expression: SyntaxNode | null | undefined, definition: SyntaxNode): boolean {
    if (!expression) return false;
    const self = selfNameOf(this.file, definition);
    const pending = [expression];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (CLEAN_NODES.has(node.type)) continue;
      if (node.type === 'identifier' && this.isTaintedName(node.text, definition)) return true;
      if (node.type === 'attribute') {
        if (isAttribute(node, self) && this.attributes.has(node.child('attribute')?.text ?? '')) return true;
        pending.push(...node.childrenIn('object'));
      } else if (node.type === 'call') {
        const callee = calleeOf(this.file, node, self);
        if (callee !== null) {
          if (this.returning.has(callee)) return true;
        } else if (!isClean(node)) {
          pending.push(...node.namedChildren);
        }
      } else if (node.type === 'keyword_argument') {
        pending.push(...node.childrenIn('value'));
      } else {
        pending.push(...node.namedChildren);
      }
    }
    return false;
  }

  private isTaintedName(name: string, definition: SyntaxNode): boolean {
    for (let scope: SyntaxNode | null = definition; scope !== null; scope = scope.ancestor('function_definition')) {
      if (this.names.get(scope)?.has(name)) return true;
    }
    return false;
  }

  private taintName(definition: SyntaxNode, name: string): void {
    let known = this.names.get(definition);
    if (known === undefined) this.names.set(definition, (known = new Set()));
    if (known.has(name)) return;
    known.add(name);
    this.changed = true;
  }

  /** Everything that a target stores into: names, attributes of the instance, and what holds a subscript. */
  private taintTarget(target: SyntaxNode, definition: SyntaxNode): void {
    const self = selfNameOf(this.file, definition);
    const pending = [target];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.type === 'identifier') this.taintName(definition, node.text);
      else if (node.type === 'subscript') pending.push(node.child('value') ?? node.children[0]!);
      else if (node.type === 'attribute') {
        if (isAttribute(node, self)) this.taintAttribute(node.child('attribute')?.text ?? '');
      } else if (node.type !== 'call') pending.push(...node.namedChildren);
    }
  }

  private taintAttribute(name: string): void {
    if (this.attributes.has(name)) return;
    this.attributes.add(name);
    this.changed = true;
  }

  private spread(definition: SyntaxNode): void {
    const self = selfNameOf(this.file, definition);
    for (const node of definition.child('body')?.inScope() ?? []) {
      switch (node.type) {
        case 'assignment':
        case 'augmented_assignment':
        case 'for_statement':
        case 'for_in_clause': {
          const left = node.child('left');
          if (left !== null && this.holds(node.child('right'), definition)) this.taintTarget(left, definition);
          break;
        }
        case 'named_expression': {
          const name = node.child('name');
          if (name !== null && this.holds(node.child('value'), definition)) this.taintTarget(name, definition);
          break;
        }
        case 'as_pattern': {
          const target = node.child('alias');
          if (target !== null && this.holds(node.namedChildren[0], definition)) this.taintTarget(target, definition);
          break;
        }
        case 'call':
          this.spreadCall(node, definition, self);
          break;
        default:
      }
    }
    if (!this.returning.has(definition) && returnsOf(definition).some(({ value }) => this.holds(value, definition))) {
      this.returning.add(definition);
      this.changed = true;
    }
  }

  /** Arguments become parameters; `self.log.append(text)` makes `self.log` hold the text. */
  private spreadCall(call: SyntaxNode, definition: SyntaxNode, self: string | null): void {
    const given = call.child('arguments')?.namedChildren ?? [];
    const callee = calleeOf(this.file, call, self) ?? constructorOf(this.file, call);
    if (callee === null) {
      const receiver = call.child('function')?.child('object');
      const adds = /^(append|add|extend|insert|update|setdefault|appendleft)$/.test(call.child('function')?.child('attribute')?.text ?? '');
      if (receiver && adds && given.some((argument) => this.holds(argument, definition))) this.taintTarget(receiver, definition);
      return;
    }
    const all = parametersOf(callee);
    const parameters = (methodAt(this.file, callee)?.self ?? null) === null ? all : all.slice(1);
    for (const [index, argument] of given.entries()) {
      if (!this.holds(argument, definition)) continue;
      const name = argument.type === 'keyword_argument' ? argument.child('name')?.text : (parameters[index] ?? parameters.at(-1))?.name;
      if (name !== undefined) this.taintName(callee, name);
    }
  }
}

function isClean(call: SyntaxNode): boolean {
  const target = call.child('function');
  if (target?.type === 'identifier') return CLEAN_CALLS.has(target.text) || CLEAN_READERS.test(target.text);
  return target?.type === 'attribute' && (CLEAN_METHODS.has(target.child('attribute')?.text ?? '') || CLEAN_READERS.test(target.text));
}
