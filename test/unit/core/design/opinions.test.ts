import { describe, expect, it } from 'vitest';
import { findHintLeak, leakOf } from '../../../../src/core/design/hintLeak';
import { hintFindings, screenFindings } from '../../../../src/core/design/opinions';
import { scriptedSandbox, type FakeStep } from '../../../fakes/scriptedSandbox';

const signal = new AbortController().signal;
const range = { line: 4, column: 7, endLine: 4, endColumn: 12 };
const answers = (...values: string[][]) => values.map((list, seed) => ({ seed, values: list }));

describe('a leak in a hint', () => {
  it('is a value of some instance’s answer, as a whole word', () => {
    expect(leakOf('Try Zurich first.', answers(['Zurich'], ['Bern'], ['Basel']))).toEqual({ values: ['Zurich'], seeds: [0], tested: 3 });
    expect(leakOf('Zurichsee', answers(['Zurich'], ['Bern'], ['Basel'])).values).toEqual([]);
  });

  it('is not the game’s vocabulary, nor a short or common word', () => {
    expect(leakOf('Go north, lift the crate, answer 7.', answers(['lift', 'north'], ['lift', '7'], ['lift', 'x'])).values).toEqual([]);
  });

  it('is looked for over seeds in the sandbox; in tool use every literal counts', async () => {
    const sandbox = scriptedSandbox(() => {
      let seed = 0;
      return {
        reset: (given) => { seed = given ?? 0; return 'task'; }, tools: [], tool: () => '', step: (): FakeStep => ['', 0, false, false],
        solution: () => `1. find(customer='Customer${seed}')\nANSWER: ${1000 + seed}`,
      };
    });
    const leak = await findHintLeak(await sandbox.get(), { name: 'e', source: '' }, 'Look up Customer3, the sum is 1005.', signal);
    expect(leak).toEqual({ values: ['Customer3', '1005'], seeds: [3, 5], tested: 16 });
    expect(sandbox.open).toBe(0);
  });

  it('is a warning for games and an error for tools; a long hint is an info', () => {
    const leak = { values: ['Zurich'], seeds: [0], tested: 16 };
    expect(hintFindings('x', leak, range, 'm')[0]).toMatchObject({ id: 'hint-leaks-answer', severity: 'warning', line: 4, stage: 'play' });
    expect(hintFindings('x', leak, range, 't')[0]).toMatchObject({ severity: 'error' });
    expect(hintFindings('word '.repeat(101), { ...leak, values: [] }, range, 'm')).toMatchObject([{ id: 'hint-too-long', severity: 'info' }]);
    expect(hintFindings('short', { ...leak, values: [] }, range, 'm')).toEqual([]);
  });
});

describe('the screen’s finding', () => {
  const result = { reason: 'too easy', model: 'm', cost: { calls: 1, promptTokens: 1, completionTokens: 1, ms: 1 } };
  it('is an error for no, a warning for undecided, none for yes', () => {
    expect(screenFindings({ ...result, verdict: 'no', inTheRun: 'rejects' }, range, 'm')).toMatchObject([{ id: 'screen-rejects', severity: 'error', evidence: { detail: 'too easy' } }]);
    const undecided = screenFindings({ ...result, verdict: 'undecided', inTheRun: 'passes' }, range, 'm');
    expect(undecided).toMatchObject([{ id: 'screen-undecided', severity: 'warning', stage: 'screen' }]);
    expect(undecided[0]?.message.template).toContain('The run would let the file pass');
    expect(screenFindings({ ...result, verdict: 'yes', inTheRun: 'passes' }, range, 'm')).toEqual([]);
  });
});
