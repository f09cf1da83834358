import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { EnvwrightError } from '../../../../src/core/errors';
import { readMemory } from '../../../../src/core/memory/readMemory';
import { added, memoryText, recordText } from '../../../../src/core/memory/writeMemory';
import { formatMessage } from '../../../../src/shared/message';

const record = (overrides: Record<string, unknown> = {}): string =>
  JSON.stringify({ game_file: 'g.py', skill: 'Optimization', code_snippet: 'x', actor_win_rate: 0.5, regret: 0.1, rollout_id: 3, metadata: {}, ...overrides });
const problemsOf = (text: string): string[] => readMemory(text).problems.map(({ id }) => id);
const codeOf = (text: string): string => {
  try {
    readMemory(text);
    return 'read';
  } catch (error) {
    return error instanceof EnvwrightError ? error.code : 'defect';
  }
};

describe('reading a memory', () => {
  it('a torn file is refused, with the line', () => {
    const torn = `[\n${record()},\n${record().slice(0, 40)}`;
    expect(codeOf(torn)).toBe('memory/torn');
    expect(() => readMemory(torn)).toThrow(/Line 3 is torn/);
    expect(codeOf('')).toBe('memory/torn');
  });

  it('a prefix of a memory is never taken for one', () => {
    const whole = memoryText([record(), record({ skill: 'Causal Inference' })]);
    fc.assert(fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => { expect(codeOf(whole.slice(0, length))).toBe('memory/torn'); }));
  });

  it('JSON that is no list is no memory', () => {
    expect(codeOf('{}')).toBe('memory/not-a-memory');
    expect(codeOf('NaN')).toBe('memory/not-a-memory');
  });

  it('NaN, null and other faults are found, one by one, and the record stays', () => {
    expect(problemsOf('[]')).toEqual([]);
    expect(problemsOf(`[${record()}]`)).toEqual([]);
    expect(problemsOf(`[${record().replace('0.5', 'NaN')}]`)).toEqual(['non-finite-number']);
    expect(problemsOf(`[${record({ regret: null })}]`)).toEqual(['null-number']);
    expect(problemsOf(`[${record({ actor_win_rate: '0.5' })}]`)).toEqual(['not-a-number']);
    expect(problemsOf(`[${record({ extra: 1 })}]`)).toEqual(['extra-key']);
    expect(problemsOf(`[${record({ skill: undefined })}]`)).toEqual(['missing-key']);
    expect(problemsOf(`[${record({ metadata: undefined, regret: undefined })}]`)).toEqual(['default-key-missing', 'default-key-missing']);
    expect(problemsOf('[7]')).toEqual(['not-an-object']);
    expect(readMemory(`[${record({ metadata: undefined, regret: undefined })}]`).entries[0]).toMatchObject({ regret: 0, metadata: {} });
  });

  it('says which line a problem is on', () => {
    expect(readMemory(`[\n${record()},\n\n${record({ regret: null })}]`).problems[0]).toMatchObject({ index: 1, line: 4 });
    expect(formatMessage(readMemory('[7]').problems[0]!.message)).toContain('refuses');
  });
});

describe('writing a memory', () => {
  const mine = recordText({ game_file: 'mine.py', skill: 'Optimization', code: 'y', actor_win_rate: 0.4 });

  it('leaves what it did not write to the letter: NaN, null, spellings, layout, unknown keys', () => {
    const foreign = ['{"game_file":"a","actor_win_rate":NaN , "regret":1.50e+0, "rollout_id":12345678901234567890}', record({ regret: null, odd: '\u2028' }), 'null'];
    const text = memoryText(added(readMemory(`[ ${foreign.join(' ,\n\t')} ]`).entries.map(({ source }) => source), mine));
    for (const source of foreign) expect(text).toContain(source);
    expect(readMemory(text).entries.map(({ source }) => source)).toEqual([...foreign, mine]);
  });

  it('a file in the layout of the run is rewritten to the letter', () => {
    const text = memoryText([mine, mine]);
    expect(memoryText(readMemory(text).entries.map(({ source }) => source))).toBe(text);
  });

  it('adding keeps the order, never exceeds the capacity and drops the oldest', () => {
    fc.assert(fc.property(fc.array(fc.string(), { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (records, capacity) => {
      const after = added(records, 'new', capacity);
      expect(after).toEqual([...records, 'new'].slice(-capacity));
    }));
  });

  it('cuts at code points, not at halves of a character', () => {
    const text = recordText({ game_file: 'g', skill: 's', code: '😀😀😀', actor_win_rate: 0.5 }, 2);
    expect(readMemory(`[${text}]`).entries[0]?.snippet).toBe('😀😀');
    expect(text).toContain('\\ud83d\\ude00\\ud83d\\ude00"');
  });
});
