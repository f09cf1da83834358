import { message, type Message } from '../../../shared/message';
import type { Method, Parameter } from '../../environment/classes';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { declaredTools, type DeclaredTool } from './declaredTools';
import { fix, replace } from './fixes';

const PREFIX = 'tool_';

/** True when the class sends calls to its tools in its own way, so that names say nothing. */
function dispatchesItself(file: PythonFile): boolean {
  return !file.toolUse || file.method('execute_tool') !== null || file.method('step') !== null;
}

function isBoundElsewhere(file: PythonFile, name: string): boolean {
  const { lineage } = file;
  return lineage === null || lineage.foreign || lineage.chain.some(({ attributes, methods }) => attributes.has(name) || methods.has('__getattr__'))
    || new RegExp(`\\bsetattr\\(|\\.${name}\\s*=[^=]`).test(file.text);
}

/** `tool-not-implemented`: a declared tool that no call can reach. */
export function toolNotImplemented(file: PythonFile): FindingDraft[] {
  if (dispatchesItself(file)) return [];
  return declaredTools(file).tools
    .filter(({ name }) => file.method(PREFIX + name) === null && !isBoundElsewhere(file, PREFIX + name))
    .map(({ key, name }) => ({
      range: file.range(key),
      message: message('The tool {name} is declared to the agent, but there is no method {method}: every call of it is answered with an error. Add the method, or take the tool out.', { name, method: PREFIX + name }),
    }));
}

/** `undeclared-tool-callable`: a tool method that the agent is not told of, yet can call. */
export function undeclaredToolCallable(file: PythonFile): FindingDraft[] {
  if (dispatchesItself(file)) return [];
  const { tools, complete } = declaredTools(file);
  if (!complete) return [];
  const declared = new Set(tools.map(({ name }) => name));
  return file.methods
    .filter(({ name }) => name.startsWith(PREFIX) && name !== PREFIX && !declared.has(name.slice(PREFIX.length)))
    .map(({ name, nameNode }) => ({
      range: file.range(nameNode),
      message: message('{method} is not declared in _tools, yet a call of {name} reaches it: every method named tool_… is callable. Declare it, or rename it with a leading underscore.', { method: name, name: name.slice(PREFIX.length) }),
    }));
}

const TYPES: Readonly<Record<string, string>> = {
  str: 'string', int: 'integer', float: 'number', bool: 'boolean', list: 'array', List: 'array', tuple: 'array', dict: 'object', Dict: 'object',
};
const LITERAL_TYPES: Readonly<Record<string, string>> = {
  string: 'string', integer: 'integer', float: 'number', true: 'boolean', false: 'boolean', list: 'array', dictionary: 'object',
};

/** JSON type of a parameter, from its annotation or else its default. */
function jsonType({ annotation, default: value }: Parameter): string {
  const named = annotation === null ? '' : annotation.text.replace(/^(typing\.)?Optional\[|\s*\|\s*None.*$/g, '').split(/[[\],| ]/)[0]!;
  return TYPES[named] ?? (value === null ? undefined : LITERAL_TYPES[value.type]) ?? 'string';
}

/** The schema that the method's signature asks for; schemas of parameters that stay are kept as written. */
function schemaFrom(tool: DeclaredTool, parameters: readonly Parameter[]): string {
  const properties = parameters.map((parameter) => `"${parameter.name}": ${tool.properties?.get(parameter.name)?.text ?? `{"type": "${jsonType(parameter)}"}`}`);
  const required = parameters.filter((parameter) => parameter.default === null).map(({ name }) => `"${name}"`);
  return `{"type": "object", "properties": {${properties.join(', ')}}${required.length > 0 ? `, "required": [${required.join(', ')}]` : ''}}`;
}

/** What differs between a declaration and the method; null when calls by the schema fit. */
function mismatch(tool: DeclaredTool, method: Method): { what: Message; minor: boolean } | null {
  const named = method.parameters.filter(({ kind }) => kind === 'positional' || kind === 'keyword-only');
  const takesAny = method.parameters.some(({ kind }) => kind === 'var-keyword');
  const names = new Set(named.map(({ name }) => name));
  const declared = tool.properties!;
  const told = { tool: tool.name, method: method.name };
  for (const name of new Set([...declared.keys(), ...(tool.required ?? [])])) {
    if (!names.has(name) && !takesAny) {
      return { minor: false, what: message('{tool} declares the parameter {name}, which {method} does not take: a call that gives it fails with a TypeError. Declare the parameters as the method takes them.', { ...told, name }) };
    }
  }
  for (const { name, default: value } of named) {
    if (value !== null) continue;
    if (!declared.has(name)) return { minor: false, what: message('{method} needs {name}, which {tool} does not declare: the agent cannot know it, and every call fails with a TypeError. Declare the parameters as the method takes them.', { ...told, name }) };
    if (tool.required !== null && !tool.required.includes(name)) {
      return { minor: true, what: message('{method} needs {name}, which {tool} declares as optional: a call that leaves it out fails with a TypeError. Declare it as required, or give it a default.', { ...told, name }) };
    }
  }
  return null;
}

/** `tool-schema-mismatch`: the declared parameters and those of the method differ. */
export function toolSchemaMismatch(file: PythonFile): FindingDraft[] {
  if (dispatchesItself(file)) return [];
  return declaredTools(file).tools.flatMap((tool): FindingDraft[] => {
    const method = file.method(PREFIX + tool.name);
    if (method === null || tool.properties === null) return [];
    const found = mismatch(tool, method);
    if (found === null) return [];
    const named = method.parameters.filter(({ kind }) => kind === 'positional' || kind === 'keyword-only');
    const schema: SyntaxNode = tool.schema!;
    return [{
      range: file.range(tool.key),
      ...(found.minor ? { severity: 'warning' as const } : {}),
      message: found.what,
      related: [{ ...file.range(method.nameNode), message: message('The method that is called.') }],
      fix: fix(message('Declare the parameters of {method}', { method: method.name }), replace(file, schema, schemaFrom(tool, named))),
    }];
  });
}
