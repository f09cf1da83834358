import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolForms } from '../../../../src/core/play/toolForms';

describe('forms of tools', () => {
  it('have a field for every parameter, of the kind its schema says', () => {
    const parameters = {
      properties: {
        id: { type: 'string', description: 'Which one' }, n: { type: 'integer' }, x: { type: ['number', 'null'] }, deep: { type: 'object' }, list: { type: 'array' },
        flag: { type: 'boolean' }, one: { enum: ['a', 2] }, odd: {}, two: { type: ['string', 'integer'] },
      },
      required: ['id'],
    };
    const [form] = toolForms([{ type: 'function', function: { name: 'get', description: 'Gets.', parameters } }]);
    expect(form).toMatchObject({ name: 'get', description: 'Gets.' });
    expect(form?.fields.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['id', 'text', true], ['n', 'integer', false], ['x', 'number', false], ['deep', 'json', false], ['list', 'json', false], ['flag', 'boolean', false],
      ['one', 'choice', false], ['odd', 'json', false], ['two', 'json', false],
    ]);
    expect(form?.fields.find(({ name }) => name === 'one')?.choices).toEqual(['"a"', '2']);
  });

  it('are made of anything that an environment declares, without fail', () => {
    fc.assert(fc.property(fc.array(fc.anything()), (tools) => { expect(Array.isArray(toolForms(tools))).toBe(true); }));
    expect(toolForms([{ function: { name: 'odd', parameters: { properties: { a: 7 }, required: 'a' } } }])).toEqual([
      { name: 'odd', description: '', fields: [{ name: 'a', type: 'json', required: false, description: '', choices: [] }] },
    ]);
  });
});
