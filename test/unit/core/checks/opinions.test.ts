import { describe, expect, it } from 'vitest';
import { judgeHint, judgeScreen, type HintInstance } from '../../../../src/core/checks/opinions';

const at = { line: 3, column: 7, endLine: 3, endColumn: 12 };
const instance = (seed: number, answer: string, values: string[] = [], observation = 'How many?'): HintInstance => ({ seed, answer, values, observation });
const ids = (hint: string, instances: HintInstance[], profile: 's' | 't' = 's') => judgeHint(hint, instances, profile, at).map(({ id, severity }) => `${id} ${severity}`);

describe('a hint', () => {
  it('that names the answer of an instance is a warning, in tool use an error', () => {
    expect(ids('It is 4711, of course.', [instance(1, '4711')])).toEqual(['hint-leaks-answer warning']);
    expect(ids('It is 4711, of course.', [instance(1, '4711')], 't')).toEqual(['hint-leaks-answer error']);
  });

  it('may hold short and common words, and digits inside a longer number', () => {
    expect(ids('Answer yes or 7, in the left box, below 47110.', [instance(1, 'yes'), instance(2, '7'), instance(3, 'left'), instance(4, '4711')])).toEqual([]);
  });

  it('in tool use may hold no value of an instance that the agent does not see', () => {
    expect(ids('Look at bin B42 first.', [instance(1, 'none', ['B42'])], 't')).toEqual(['hint-leaks-answer error']);
    expect(ids('Look at bin B42 first.', [instance(1, 'none', ['B42'], 'What is in B42?')], 't')).toEqual([]);
    expect(ids('Look at bin B42 first.', [instance(1, 'none', ['B42'])])).toEqual([]);
  });

  it('of more than 100 words is too long', () => {
    expect(ids('word '.repeat(100), [])).toEqual([]);
    expect(ids('word '.repeat(101), [])).toEqual(['hint-too-long info']);
  });
});

describe('the screen', () => {
  it('passes in silence only on a clear yes', () => {
    expect(judgeScreen({ kind: 'accepted' }, 's', at)).toEqual([]);
    expect(judgeScreen({ kind: 'rejected', reason: 'too vague' }, 's', at)).toMatchObject([{ id: 'screen-rejects', severity: 'error', stage: 'screen' }]);
    expect(judgeScreen({ kind: 'undecided', reason: 'timed out' }, 's', at)).toMatchObject([{ id: 'screen-undecided', severity: 'warning' }]);
  });
});
