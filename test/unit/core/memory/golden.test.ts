import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readMemory } from '../../../../src/core/memory/readMemory';
import { negativePool, seedPool } from '../../../../src/core/memory/sampling';
import { added, memoryText, recordText, type NewRecord } from '../../../../src/core/memory/writeMemory';
import { parsePythonJson, pythonFloat, toWritable, writePythonJson } from '../../../../src/core/pythonJson';
import { fixture } from '../../../helpers/fixtures';

interface Add { game_file: string; skill: string; game_code: string; actor_win_rate: number; regret: number; rollout_id: number; metadata: Record<string, string> | null }
interface Sequence {
  max_size: number; code_snippet_max_chars: number; adds: Add[]; expected_file: string;
  expected_seed_pool: Record<string, string[]>; expected_negative_pool: Record<string, string[]>;
}

/** The buffer after the adds, read from the file after each of them as separate pushes would. */
function fileAfter({ adds, max_size, code_snippet_max_chars }: Sequence): string {
  return adds.reduce((text, { game_code, ...add }) => {
    const record: NewRecord = { ...add, code: game_code };
    return memoryText(added(readMemory(text).entries.map(({ source }) => source), recordText(record, code_snippet_max_chars), max_size));
  }, '[]');
}

describe('golden memory', () => {
  const sequences = fixture<Sequence[]>('golden/memory.json');

  it.each(sequences.map((sequence, index) => ({ index, sequence })))('sequence $index: file and pools to the letter', ({ sequence }) => {
    const text = fileAfter(sequence);
    expect(text).toBe(sequence.expected_file);
    const { entries, problems } = readMemory(text);
    expect(problems).toEqual([]);
    for (const [skill, files] of Object.entries(sequence.expected_seed_pool)) {
      expect(seedPool(entries, skill === 'any' ? undefined : skill).map(({ gameFile }) => gameFile)).toEqual(files);
    }
    for (const [skill, files] of Object.entries(sequence.expected_negative_pool)) {
      expect(negativePool(entries, skill === 'any' ? undefined : skill).map(({ gameFile }) => gameFile)).toEqual(files);
    }
  });
});

/** What Python's json makes of texts. */
function python(script: string, input: unknown): unknown {
  return JSON.parse(execFileSync('python3', ['-c', `import json,sys\ndata=json.load(sys.stdin)\n${script}\njson.dump(out,sys.stdout)`], { input: JSON.stringify(input) }).toString());
}

describe('JSON as Python writes it', () => {
  const numbers = [0, 1, -1, 0.1, 1e-7, 1e-5, 0.0001, 123456789012345680, 1e16, 9999999999999998, 1.5e300, 5e-324, 0.30000000000000004, 2 / 3, 100, 1e22, -2.5e-9];

  it('spells floats as Python does', () => {
    const random = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 500);
    const all = [...numbers, ...random.filter((value) => !Object.is(value, -0))];
    expect(all.map(pythonFloat)).toEqual(python('out=[repr(float(x)) for x in data]', all));
    expect(pythonFloat(-0)).toBe('-0.0');
    expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(pythonFloat)).toEqual(['NaN', 'Infinity', '-Infinity']);
  });

  it('what Python dumped is written back to the letter, and Python reads what is written', () => {
    const values = fc.sample(fc.jsonValue({ stringUnit: 'binary' }), 200);
    const dumped = python('out=[json.dumps(x,indent=2) for x in data]', values) as string[];
    const written = dumped.map((text) => writePythonJson(toWritable(parsePythonJson(text))));
    expect(written).toEqual(dumped);
  });

  it('keeps keys that look like numbers in their order, and integers of any size', () => {
    const text = '{\n  "10": 12345678901234567890,\n  "2": 1.0,\n  "1": NaN\n}';
    expect(writePythonJson(toWritable(parsePythonJson(text)))).toBe(text);
  });

  it('refuses what Python refuses', () => {
    const texts = ['', ' ', '{', '[1,]', '{"a":1,}', '01', '1.', '.5', '+1', "{'a':1}", '"\t"', '"\\x"', 'nan', '[1 2]', '{"a" 1}', '[]]', '\ufeff[]', '"\\ud83', '-', 'tru'];
    expect(texts.map((text) => { try { parsePythonJson(text); return true; } catch { return false; } })).toEqual(python(
      'def ok(t):\n  try:\n    json.loads(t); return True\n  except ValueError:\n    return False\nout=[ok(t) for t in data]', texts));
  });
});
