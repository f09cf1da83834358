import { z } from 'zod';
import type { ToolField, ToolForm } from '../../shared/webviewProtocol';

const Parameter = z.looseObject({ type: z.union([z.string(), z.array(z.string())]).optional(), enum: z.array(z.json()).optional(), description: z.string().optional() }).catch({});
const Declared = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional().catch(''),
    parameters: z.looseObject({
      properties: z.record(z.string(), Parameter).optional().catch({}),
      required: z.array(z.string()).optional().catch([]),
    }).optional().catch({}),
  }),
});

const TYPES: Readonly<Record<string, ToolField['type']>> = { string: 'text', integer: 'integer', number: 'number', boolean: 'boolean' };

/** The declared tools as forms. What a schema does not say well becomes a field for JSON; what is no tool is left out. */
export function toolForms(tools: readonly unknown[]): ToolForm[] {
  return tools.flatMap((tool): ToolForm[] => {
    const parsed = Declared.safeParse(tool);
    if (!parsed.success) return [];
    const { name, description = '', parameters } = parsed.data.function;
    const required = new Set(parameters?.required ?? []);
    const fields = Object.entries(parameters?.properties ?? {}).map(([field, parameter]): ToolField => {
      const kinds = typeof parameter.type === 'string' ? [parameter.type] : (parameter.type ?? []);
      const only = kinds.filter((kind) => kind !== 'null');
      return {
        name: field, required: required.has(field), description: parameter.description ?? '', choices: (parameter.enum ?? []).map((value) => JSON.stringify(value)),
        type: parameter.enum ? 'choice' : (only.length === 1 ? TYPES[only[0] ?? ''] : undefined) ?? 'json',
      };
    });
    return [{ name, description, fields }];
  });
}
