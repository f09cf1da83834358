import { describe, expect, it } from 'vitest';
import { INJECTED } from '../../../../../src/core/environment/injected';
import { environment, expectMended, findings, firesOn, read } from './harness';

describe('relies-on-injected-name', () => {
  const id = 'relies-on-injected-name';
  const using = (expression: string, before = 'import random\nimport re\n'): string => environment({ before, after: `def helper(value):\n    return ${expression}\n` });

  it.each([...INJECTED])('knows %s, and adds the import that brings it', (name, statement) => {
    const text = environment({ before: '', after: `def helper(value):\n    return ${name}\n`, reset: '    def reset(self, seed=None):\n        return "x", {}', step: '    def step(self, action):\n        return "x", 0.0, True, False, {}', solution: '    def solution(self):\n        return "x"' });
    expect(findings(text, id).map(({ message: { args } }) => [args.name, args.statement])).toEqual([[name, statement]]);
    expect(expectMended(text, id).trimStart().startsWith(`${statement}\n`)).toBe(true);
  });
  it('fires once a name, at its first use', () => {
    const text = environment({ before: '' });
    expect(findings(text, id).map(({ message: { args }, line }) => [args.name, line])).toEqual([['random', 10], ['re', 18]]);
  });
  it.each([
    ['an import in the file', using('math.pi', 'import random, re, math\n')],
    ['an import under another name', using('m.pi', 'import random, re\nimport math as m\n')],
    ['an import in the function', environment({ after: 'def helper():\n    import math\n    return math.pi\n' })],
    ['a parameter', environment({ after: 'def helper(string):\n    return string\n' })],
    ['a local name', environment({ after: 'def helper():\n    product = 1\n    return product\n' })],
    ['an attribute', using('value.math')],
    ['a keyword', using('dict(copy=1)')],
    ['a name of a comprehension', using('[chain for chain in value]')],
    ['a loop variable', environment({ after: 'def helper(v):\n    for product in v:\n        yield product\n' })],
    ['a class of the file', environment({ before: 'import random\nimport re\nclass Counter(dict):\n    pass\n', after: 'def helper():\n    return Counter()\n' })],
    ['the base class of tool use', 'class ShopEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        return "x", {}\n    def solution(self):\n        return "x"\n'],
    ['a star import', using('math.pi', 'import random, re\nfrom math import *\n')],
    ['except as', environment({ after: 'def helper():\n    try:\n        pass\n    except ValueError as copy:\n        return copy\n' })],
    ['with as', environment({ after: 'def helper(v):\n    with v as (string, copy):\n        return string, copy\n' })],
    ['a capture of match', environment({ after: 'def helper(v):\n    match v:\n        case [string, *chain]:\n            return string, chain\n        case {"a": copy, **product}:\n            return copy, product\n' })],
    ['a lambda parameter', using('lambda copy, *chain, string=1: (copy, chain, string)')],
    ['a walrus in a comprehension', environment({ after: 'def helper(v):\n    x = [copy := i for i in v]\n    return copy\n' })],
    ['a global', environment({ after: 'def helper():\n    global product\n    product = 1\n' })],
    ['a name that is not injected', using('numba.jit')],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
  it('does not take a name of a class body for one of its methods', () => {
    expect(firesOn(environment({ classLine: 'class SumEnv:\n    math = 3\n    def pi(self):\n        return math.pi' }), id)).toHaveLength(1);
  });
  it('puts the import below the docstring and future imports', () => {
    const text = `"""A game."""\nfrom __future__ import annotations\n\nclass SumEnv:\n    def reset(self, seed=None):\n        return str(math.pi), {}\n    def step(self, action):\n        return "x", 0.0, True, False, {}\n    def solution(self):\n        return "1"\n`;
    expect(expectMended(text, id)).toContain('from __future__ import annotations\nimport math\n\nclass');
  });
  it('keeps the byte order mark first and the line endings as they are', () => {
    const mended = expectMended('\uFEFFclass SumEnv:\r\n    def reset(self, seed=None):\r\n        return str(math.pi), {}\r\n    def step(self, action):\r\n        return "x", 0.0, True, False, {}\r\n    def solution(self):\r\n        return "1"\r\n', id);
    expect(mended.startsWith('\uFEFFimport math\r\nclass SumEnv:\r\n')).toBe(true);
  });
});

describe('missing-dependency', () => {
  const id = 'missing-dependency';
  const interpreter = { python: '3.11.7', packages: { 'math-verify': null, numpy: '2.1.0' } };
  const text = (line: string): string => environment({ before: `import random\nimport re\n${line}\n` });
  it.each(['from math_verify import parse, verify', 'import math_verify', 'import math_verify.parser as p'])('fires on %s where the package is missing', (line) => {
    expect(findings(text(line), id, { interpreter }).map(({ line: at, evidence }) => [at, evidence?.detail])).toEqual([[3, 'math-verify']]);
  });
  it('is silent while no interpreter is known', () => expect(firesOn(text('import math_verify'), id)).toEqual([]));
  it.each([
    ['a package that is there', 'import numpy as np'],
    ['one that nobody looked for', 'import torch'],
    ['a guarded import', 'try:\n    import math_verify\nexcept ImportError:\n    math_verify = None'],
    ['an import inside a function', 'def f():\n    import math_verify'],
    ['a relative import', 'from . import math_verify'],
  ])('is silent on %s', (_name, line) => expect(firesOn(text(line), id, { interpreter })).toEqual([]));
  it('fires where the guard is for something else', () => expect(firesOn(text('try:\n    import math_verify\nexcept KeyError:\n    pass'), id, { interpreter })).toEqual([4]));
});

it('unbound names are found whatever the depth', () => {
  const deep = `x = ${'('.repeat(3000)}missing_name${')'.repeat(3000)}\n`;
  expect([...read(deep).names.unbound()].map(({ text }) => text)).toEqual(['missing_name']);
});
