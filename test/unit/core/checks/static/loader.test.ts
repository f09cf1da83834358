import { describe, expect, it } from 'vitest';
import { formatMessage } from '../../../../../src/shared/message';
import { environment, expectMended, findings, firesOn, read } from './harness';

const complete = (name: string, base = ''): string => `class ${name}${base}:\n    def reset(self, seed=None):\n        return "x", {}\n    def step(self, action):\n        return "x", 0.0, True, False, {}\n    def solution(self):\n        return "1"\n`;
const toolUse = (base: string, before: string): string => `${before}class ShopEnv(${base}):\n    def reset(self, seed=None):\n        return "x", {}\n`;

it('a sound file has no static finding at all', () => {
  expect(findings(environment())).toEqual([]);
});

describe('no-env-class', () => {
  const id = 'no-env-class';
  it.each([
    ['no class', 'x = 1\n'],
    ['another name', complete('Game')],
    ['only the names that never count', `${complete('Env')}`],
    ['only in the main block', `if __name__ == "__main__":\n    class SumEnv:\n        pass\n`],
    ['only a value', 'SumEnv = 3\n'],
    ['deleted again', `${complete('SumEnv')}del SumEnv\n`],
    ['only an imported module', 'import SumEnv\n'],
    ['an empty file', ''],
  ])('fires on %s', (_name, text) => expect(firesOn(text, id)).toHaveLength(1));

  it('names the class that is nearly one', () => {
    const [finding] = findings(complete('Game'), id);
    expect([finding!.line, formatMessage(finding!.message)]).toEqual([1, expect.stringContaining('call it GameEnv')]);
  });

  it.each([
    ['a class', complete('SumEnv')],
    ['a class below a condition', `import sys\nif sys.version_info > (3, 9):\n${complete('SumEnv').replace(/^/gm, '    ')}`],
    ['an alias', `${complete('Game')}SumEnv = Game\n`],
    ['a star import, which may bring one', 'from games import *\n'],
    ['a file that cannot be read whole', 'class Sum(:\n'],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
});

describe('loader-picks-first-env-class', () => {
  const id = 'loader-picks-first-env-class';
  it.each([
    ['a helper base without step', 'class BaseEnv:\n    def reset(self, seed=None):\n        return "x", {}\n' + complete('RealEnv', '(BaseEnv)'), 1],
    ['an abstract base', 'class BaseEnv:\n    def reset(self, seed=None):\n        raise NotImplementedError\n    def step(self, action):\n        raise NotImplementedError\n' + complete('RealEnv', '(BaseEnv)'), 1],
    ['a complete base of a later class', complete('GridEnv') + complete('MazeEnv', '(GridEnv)'), 1],
    ['a part that a later class builds', complete('GridEnv') + complete('MazeEnv').replace('return "x", {}', 'self.grid = GridEnv()\n        return "x", {}'), 1],
    ['a factory function', `def MakeEnv(max_turns=5):\n    return RealEnv(max_turns)\n${complete('RealEnv')}`, 1],
    ['an import', `from games import OtherEnv\n${complete('RealEnv')}`, 1],
    ['an import under another name', `from games import Game as OtherEnv\n${complete('RealEnv')}`, 1],
    ['the base class of tool use under a name that counts', toolUse('BaseEnv', 'from tool_use_base_env import ToolUseBaseEnv as BaseEnv\n'), 1],
    ['the base class of tool use under a second name', toolUse('BaseEnv', 'BaseEnv = ToolUseBaseEnv\n'), 1],
  ])('fires on %s', (_name, text, line) => expect(firesOn(text, id)).toEqual([line]));

  it.each([
    ['a helper that does not end in Env', complete('GridBase') + complete('MazeEnv', '(GridBase)')],
    ['a helper named Env', complete('Env') + complete('MazeEnv', '(Env)')],
    ['the base class of tool use', 'from tool_use_base_env import ToolUseBaseEnv\nclass ShopEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        return "x", {}\n'],
    ['the base class of tool use under a name that does not count', toolUse('ToolBase', 'from tool_use_base_env import ToolUseBaseEnv as ToolBase\n')],
    ['a helper below the real one', complete('RealEnv') + 'class HelperEnv:\n    pass\n'],
    ['two that know nothing of each other', complete('OneEnv') + complete('TwoEnv')],
    ['a second name of the same class', complete('RealEnv') + 'GameEnv = RealEnv\n'],
    ['a helper in the main block', `if __name__ == "__main__":\n    from games import OtherEnv\n${complete('RealEnv')}`],
    ['a helper that is deleted', `from games import OtherEnv\ndel OtherEnv\n${complete('RealEnv')}`],
    ['a typing-only import', `from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from games import OtherEnv\n${complete('RealEnv')}`],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));

  it('renames the helper everywhere', () => {
    const text = 'class GridEnv:\n    def reset(self, seed=None):\n        return "x", {}\n' + complete('MazeEnv', '(GridEnv)');
    const mended = expectMended(text, id);
    expect([read(mended).picked?.name, mended]).toEqual(['MazeEnv', expect.stringContaining('class MazeEnv(GridBase)')]);
  });

  it('takes the place of missing-method, which would name the helper', () => {
    const text = 'class BaseEnv:\n    def reset(self, seed=None):\n        return "x", {}\n' + complete('RealEnv', '(BaseEnv)');
    expect(findings(text).map((finding) => finding.id)).toEqual([id]);
  });
});

describe('missing-method', () => {
  const id = 'missing-method';
  it('fires once for each method that is missing', () => {
    expect(findings('class SumEnv:\n    pass\n', id).map(({ line, message: { args } }) => [line, args.method])).toEqual([[1, 'reset'], [1, 'step']]);
  });
  it('fires on a base of the file that lacks it too', () => expect(firesOn('class Base:\n    def reset(self):\n        return "x", {}\nclass SumEnv(Base):\n    pass\n', id)).toEqual([4]));
  it('fires on tool use without reset only', () => expect(findings('class ShopEnv(ToolUseBaseEnv):\n    pass\n', id).map(({ message: { args } }) => args.method)).toEqual(['reset']));

  it.each([
    ['inheritance within the file', `${complete('Base')}class SumEnv(Base):\n    pass\n`],
    ['a base from elsewhere', 'from games import Base\nclass SumEnv(Base):\n    pass\n'],
    ['methods below a condition', 'class SumEnv:\n    if True:\n        def reset(self, seed=None):\n            return "x", {}\n        def step(self, action):\n            return "x", 0.0, True, False, {}\n'],
    ['a method set on the class later', 'class SumEnv:\n    def reset(self, seed=None):\n        return "x", {}\ndef play(self, action):\n    return "x", 0.0, True, False, {}\nSumEnv.step = play\n'],
    ['a method given in the class body', 'def play(self, action):\n    return "x", 0.0, True, False, {}\nclass SumEnv:\n    step = play\n    def reset(self, seed=None):\n        return "x", {}\n'],
    ['a factory, whose class the text does not tell', 'def SumEnv(max_turns=5):\n    return build()\n'],
  ])('is silent on %s', (_name, text) => expect(firesOn(text, id)).toEqual([]));
});

describe('bad-constructor', () => {
  const id = 'bad-constructor';
  const init = (parameters: string): string => environment({ init: `    def __init__(self${parameters}):\n        self.max_turns = 5\n        self.turns = 0` });
  it.each([', size', ', size, max_turns=5', ', *, size', ', max_turns', ', level, **kwargs'].map((parameters) => [parameters]))('fires on (self%s)', (parameters) => {
    // `max_turns` alone is given by name, so only what else is needed counts.
    expect(firesOn(init(parameters), id)).toHaveLength(parameters === ', max_turns' ? 0 : 1);
  });
  it.each(['', ', max_turns=5', ', max_turns=5, **kwargs', ', *args, **kwargs', ', size=3', ', max_turns, size=3'].map((parameters) => [parameters]))('is silent on (self%s)', (parameters) => {
    expect(firesOn(init(parameters), id)).toEqual([]);
  });
  it('fires on an inherited constructor', () => expect(firesOn(`class Base:\n    def __init__(self, size):\n        pass\n${complete('SumEnv', '(Base)')}`, id)).toEqual([2]));
  it('is silent where __new__ decides', () => expect(firesOn(`class SumEnv:\n    def __new__(cls, *a, **k):\n        return object()\n    def __init__(self, size):\n        pass\n    def reset(self):\n        return "x", {}\n    def step(self, a):\n        return "x", 0.0, True, False, {}\n`, id)).toEqual([]));
});

it('a base class of tool use counts by whatever name the file imports it', () => {
  const told = (before: string, base: string): string => `${before}class ShopEnv(${base}):\n    def reset(self, seed=None):\n        self._tools = {"look": {"description": "d", "parameters": {}}}\n        return "x", {}\n`;
  expect(firesOn(told('from tool_use_base_env import ToolUseBaseEnv as ToolBase\n', 'ToolBase'), 'tool-not-implemented')).toEqual([4]);
  expect(firesOn(told('from other import ToolBase\n', 'ToolBase'), 'tool-not-implemented')).toEqual([]);
});
