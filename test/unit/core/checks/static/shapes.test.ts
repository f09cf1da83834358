import { describe, expect, it } from 'vitest';
import { formatMessage } from '../../../../../src/shared/message';
import { environment, expectMended, findings, firesOn } from './harness';

const step = (...lines: string[]): string => environment({ step: ['    def step(self, action):', ...lines.map((line) => `        ${line}`)].join('\n') });
const reset = (...lines: string[]): string => environment({ reset: ['    def reset(self, seed=None):', '        self.a = self.b = 1', ...lines.map((line) => `        ${line}`)].join('\n') });
const after = (text: string, part: string): number => text.split('\n').findIndex((line) => line.trim() === part || line.includes(`${part}`) && part.length > 8) + 1;

/** A step that hands on what a helper gives, or goes on. */
const early = (...lines: string[]): string => `${step('ended = self._limit()', ...lines, 'return "x", 0.0, False, False, {}')}

    def _limit(self):
        if self.turns < 3:
            return None
        return "over", 0.0, False, True, {}
`;

describe('bad-return-shape', () => {
  const id = 'bad-return-shape';
  it('fires on None from a helper that is handed on unseen', () => {
    expect(firesOn(early('return ended'), id)).toEqual([after(early('return ended'), 'return None')]);
    const twice = early('if ended:', '    return ended', 'return self._limit()');
    expect(firesOn(twice, id)).toEqual([after(twice, 'return None')]);
  });
  it.each([
    ['four values', 'return "x", 0.0, True, {}'],
    ['three values', 'return "x", 0.0, True'],
    ['one text', 'return "x"'],
    ['a dict', 'return {"observation": "x"}'],
    ['None', 'return None'],
    ['a bare return', 'return'],
    ['an observation that is no text', 'return 3, 0.0, True, False, {}'],
    ['a list as observation', 'return ["x"], 0.0, True, False, {}'],
  ])('fires on %s from step', (_name, line) => expect(firesOn(step(line), id)).toEqual([after(step(line), line)]));
  it('fires on a step that returns nothing', () => expect(firesOn(step('self.turns += 1'), id)).toHaveLength(1));
  it('fires on a coroutine and on a generator', () => {
    expect(firesOn(environment({ step: '    async def step(self, action):\n        return "x", 0.0, True, False, {}' }), id)).toHaveLength(1);
    expect(firesOn(step('yield "x", 0.0, True, False, {}'), id)).toHaveLength(1);
  });
  it('follows a helper and a name to where the tuple is made', () => {
    const helper = environment({ step: '    def step(self, action):\n        return self._end()\n\n    def _end(self):\n        return "x", 0.0, True, {}' });
    expect(firesOn(helper, id)).toEqual([after(helper, '"x", 0.0, True, {}')]);
    const named = step('result = ("x", 0.0, True, {})', 'return result');
    expect(firesOn(named, id)).toEqual([after(named, 'result = (')]);
  });
  it.each([
    ['three values', 'return "x", {}, 1'], ['nothing', 'return'], ['a number', 'return 3'], ['a dict', 'return {"x": 1}'], ['a number as observation', 'return 3, {}'],
  ])('fires on %s from reset', (_name, line) => expect(firesOn(reset(line), id)).toEqual([after(reset(line), line)]));

  it.each([
    ['a bare text from reset', reset('return "x"')],
    ['a formatted text from reset', reset('return f"{self.a}", {}')],
    ['what a call gives', reset('return self._observe(), {}')],
    ['a tuple in brackets', step('return ("x", 0.0, True, False, {})')],
    ['a tuple with a star, whose length is open', step('return "x", *self.rest()')],
    ['a lambda or inner function with other returns', step('def f():\n            return 1', 'return "x", 0.0, True, False, {}')],
    ['a step that only raises', step('raise NotImplementedError')],
    ['a helper that gives None, which is looked at first', early('if ended:', '    return ended')],
    ['a helper that gives None, looked at the other way round', early('if ended is None:', '    return "x", 0.0, False, False, {}', 'return ended')],
    ['a name with a value the text does not tell', step('return self.make(action)')],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));

  it('mends the four-value step', () => {
    expect(expectMended(step('return "x", 0.0, True, {}'), id)).toContain('return "x", 0.0, True, False, {}');
    expect(expectMended(step('done = bool(action)', 'return "x", 0.0, done, {"a": 1}'), id)).toContain('"x", 0.0, done, False, {"a": 1}');
  });
});

describe('terminated-not-bool', () => {
  const id = 'terminated-not-bool';
  const flags = (terminated: string, truncated = 'False', ...before: string[]): string => step('m = re.search("x", action)', ...before, `return "x", 0.0, ${terminated}, ${truncated}, {}`);
  it.each([
    ['an int literal', flags('1'), 'int'],
    ['an int in truncated', flags('True', '0'), 'int'],
    ['a bit', flags('(self.turns > 3) & 1'), 'int'],
    ['a number', flags('int(action == "x")'), 'int'],
    ['None', flags('None'), 'None'],
    ['a match object', flags('m'), 'match object'],
    ['a match and a comparison', flags('m and m.group() == "x"'), 'None'],
    ['a numpy bool', flags('np.any(self.a)'), 'numpy.bool_'],
    ['a name', flags('done', 'False', 'done = 1 if m else 0'), 'int'],
    ['a text', flags('"yes"'), 'str'],
  ])('fires on %s', (_name, text, type) => {
    const found = findings(text, id);
    expect(found.length).toBeGreaterThan(0);
    expect(formatMessage(found[0]!.message)).toContain(type);
  });
  it('fires where an attribute is set', () => {
    const text = environment({ step: '    def step(self, action):\n        self.done = 1\n        return "x", 0.0, self.done, False, {}' });
    expect(firesOn(text, id)).toEqual([after(text, 'self.done = 1')]);
  });
  it.each([
    ['comparisons', flags('self.turns >= self.max_turns', 'not m')],
    ['bool of anything', flags('bool(m and m.group() == "x")')],
    ['is not None and a comparison', flags('m is not None and m.group() == "x"')],
    ['bits of bools', flags('(self.turns > 3) & (self.a > 1)')],
    ['what a call gives', flags('self.is_over()')],
    ['a name that is a bool', flags('done', 'False', 'done = False', 'if m:\n            done = True')],
    ['a parameter of a helper', environment({ step: '    def step(self, action):\n        return self._end(True)\n\n    def _end(self, done):\n        return "x", 0.0, done, False, {}' })],
    ['an attribute that is None only before reset', environment({ step: '    def step(self, action):\n        self.done = self.turns > 3\n        return "x", 0.0, self.done, False, {}', init: '    def __init__(self, max_turns=5):\n        self.max_turns = max_turns\n        self.done = None' })],
    ['any() of Python', flags('any(x for x in action)')],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));

  it.each([
    [flags('1', '0'), 'True, False'],
    [flags('m and m.group() == "x"'), 'bool(m and m.group() == "x")'],
    [flags('hit & 1', 'False', 'hit = m is not None'), 'bool(hit & 1)'],
    [flags('None'), '0.0, False, False'],
    [flags('np.any(self.a)'), 'bool(np.any(self.a))'],
    [flags('(m and m.group() == "x")'), '"x", 0.0, bool(m and m.group() == "x")'],
  ])('mends it (%#)', (text, expected) => expect(expectMended(text, id)).toContain(expected));
});

describe('info-not-dict', () => {
  const id = 'info-not-dict';
  it.each([
    ['None from step', step('return "x", 0.0, True, False, None')],
    ['a text from step', step('return "x", 0.0, True, False, "done"')],
    ['a set, meant as a dict', step('return "x", 0.0, True, False, {"done"}')],
    ['a list from reset', reset('return "x", []')],
    ['a named list', step('info = [1]', 'return "x", 0.0, True, False, info')],
  ])('fires on %s', (_name, text) => expect(firesOn(text, id)).toHaveLength(1));
  it.each([
    ['a dict', step('return "x", 0.0, True, False, {"a": 1}')],
    ['a dict comprehension', step('return "x", 0.0, True, False, {a: 1 for a in action}')],
    ['what a call gives', step('return "x", 0.0, True, False, self.info()')],
    ['dict()', step('return "x", 0.0, True, False, dict(a=1)')],
    ['a name that is a dict on one way', step('info = None', 'info = {}', 'return "x", 0.0, True, False, info')],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
  it('mends an empty one', () => {
    expect(expectMended(step('return "x", 0.0, True, False, None'), id)).toContain('False, {}');
    expect(expectMended(reset('return "x", []'), id)).toContain('return "x", {}');
  });
});
