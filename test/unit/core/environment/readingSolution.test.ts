import { describe, expect, it } from 'vitest';
import { LiteralReader } from '../../../../src/core/environment/pythonLiteral';
import { isProse, readGameSolution, readToolSolution } from '../../../../src/core/environment/readingSolution';

const ways = (text: string): readonly (readonly string[])[] => {
  const reading = readGameSolution(text);
  return reading.kind === 'actions' ? reading.ways : [];
};

describe('the solution of a game', () => {
  it('is first of all one answer, sent in a box, or as it is when it holds one', () => {
    expect(ways('42')).toEqual([['\\boxed{42}']]);
    expect(ways('\\boxed{dig}')).toEqual([['\\boxed{dig}']]);
    expect(ways('\\boxed{\\frac{1}{2}}')).toEqual([['\\boxed{\\frac{1}{2}}']]);
  });

  it('may be a list of actions in the usual notations', () => {
    expect(ways('\\boxed{a}\n\\boxed{b}')[0]).toEqual(['\\boxed{a}', '\\boxed{b}']);
    const boxed = ['\\boxed{left}', '\\boxed{claim}'];
    for (const text of ['left, claim', 'left -> claim', '["left", "claim"]', '1. left\n2. claim', 'left; claim', 'left claim', 'left | claim', 'Moves: left, claim', 'Best path: left -> claim']) expect(ways(text)).toContainEqual(boxed);
  });

  it('under a heading is played without it too, and only a win counts', () => {
    expect(readGameSolution('Answer: 42')).toEqual({ kind: 'actions', ways: [['\\boxed{Answer: 42}'], ['\\boxed{42}']], prose: true });
    for (const text of ['12:30', 'x: 3', 'a1: b2', '42']) expect(readGameSolution(text)).toMatchObject({ prose: false });
  });

  it('is prose when it reads like an explanation', () => {
    expect(isProse('Wait an hour and compare how far the three levels fell.')).toBe(true);
    expect(isProse('red blue green yellow red blue')).toBe(false);
    expect(isProse('house wren')).toBe(false);
  });
});

describe('the solution of a tool-use file', () => {
  it('is numbered calls with literals and an answer', () => {
    expect(readToolSolution('1. find(customer=\'Elm\', n=-2, deep={"a": [1, None]}) -> INV-3\n2. stop()\nANSWER: 7.50')).toEqual({
      kind: 'tools', answer: '7.50', calls: [{ name: 'find', arguments: { customer: 'Elm', n: -2, deep: { a: [1, null] } } }, { name: 'stop', arguments: {} }],
    });
    expect(readToolSolution('1. order(item=\'oats\') ANSWER: done')).toMatchObject({ kind: 'tools', answer: 'done' });
    expect(readToolSolution('1. a(x=1)\n<answer>B4</answer>')).toMatchObject({ kind: 'tools', answer: 'B4' });
  });

  it('is prose in every other form', () => {
    for (const text of ['Call find, then answer.', '1. find(customer=name)\nANSWER: x', '1. find(\'Elm\')\nANSWER: x', 'find(a=1)\nANSWER: x', '1. find(a=1)']) {
      expect(readToolSolution(text)).toEqual({ kind: 'prose' });
    }
  });
});

it('literals are read as Python reads them', () => {
  const read = (text: string): unknown => new LiteralReader(text).literal();
  expect(read('"a" \'b\'')).toBe('ab');
  expect(read('r"\\d"')).toBe('\\d');
  expect(read('"\\u00e9\\n"')).toBe('é\n');
  expect(read('(1)')).toBe(1);
  expect(read('(1,)')).toEqual([1]);
  expect(read('{1, 2}')).toEqual([1, 2]);
  expect(read('[1, name]')).toBeUndefined();
});

describe('a text with a long run of blanks comes back at once', () => {
  const blanks = ' '.repeat(100_000);
  it.each([`a${blanks}b`, `a${'\n'.repeat(100_000)}b`, `A${blanks}:`, `a;${blanks};b`, `a then${blanks}then b`])('as a game\'s solution %#', (text) => {
    expect(readGameSolution(text).kind).toBe('actions');
  }, 10_000);

  it.each([`1. a()${blanks}ANSWER: x${blanks}`, `1. a()\nANSWER:${blanks}x`, `1. a()${blanks}<answer>x</answer>${blanks}`])('as the steps of tools %#', (text) => {
    expect(readToolSolution(text)).toMatchObject({ kind: 'tools', answer: 'x' });
  }, 10_000);

  it.each([`ANSWER:${blanks}${'\n'.repeat(100_000)}x`, '<answer>'.repeat(12_000), '<answer></answer>x'.repeat(6000)])('as what is no answer %#', (text) => {
    expect(readToolSolution(text).kind).toBe('prose');
  }, 10_000);
});
