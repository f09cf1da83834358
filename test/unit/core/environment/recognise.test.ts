import { describe, expect, it } from 'vitest';
import { guessProfile } from '../../../../src/core/environment/profile';
import { environment, read } from '../checks/static/harness';

const names = (text: string): string[] => read(text).candidates.map(({ name }) => name);

describe('the loader\'s choice', () => {
  it.each([
    ['classes in order', 'class AEnv:\n    pass\nclass BEnv:\n    pass\n', ['AEnv', 'BEnv']],
    ['functions, imports and assignments count', 'from m import XEnv\ndef YEnv():\n    pass\nZEnv = make()\n', ['XEnv', 'YEnv', 'ZEnv']],
    ['names that are excluded', 'class Env:\n    pass\nclass ToolUseBaseEnv:\n    pass\nclass AEnv:\n    pass\n', ['AEnv']],
    ['the place is that of the first binding', 'AEnv = BEnv = None\nclass BEnv:\n    pass\nclass AEnv:\n    pass\n', ['AEnv', 'BEnv']],
    ['a deleted name moves to the end', 'class AEnv:\n    pass\nclass BEnv:\n    pass\ndel AEnv\nclass AEnv:\n    pass\n', ['BEnv', 'AEnv']],
    ['what is not callable does not count', 'AEnv = 3\nBEnv = [1]\nCEnv = "x"\nclass DEnv:\n    pass\n', ['DEnv']],
    ['a name that is overwritten by a value', 'class AEnv:\n    pass\nAEnv = None\nclass BEnv:\n    pass\n', ['BEnv']],
    ['inside if, try, with and for', 'try:\n    from m import AEnv\nexcept ImportError:\n    AEnv = object\nif x:\n    class BEnv:\n        pass\n', ['AEnv', 'BEnv']],
    ['not inside functions and classes', 'def f():\n    class AEnv:\n        pass\nclass Outer:\n    class BEnv:\n        pass\n', []],
    ['not in the main block, but in its else', 'if __name__ == "__main__":\n    class AEnv:\n        pass\nelse:\n    class BEnv:\n        pass\n', ['BEnv']],
    ['decorated classes', '@dataclass\nclass AEnv:\n    pass\n', ['AEnv']],
    ['a lambda', 'AEnv = lambda **k: None\n', ['AEnv']],
    ['an import under another name', 'import m as AEnv\nfrom m import b as CEnv\n', ['CEnv']],
    ['names that end otherwise', 'class Environment:\n    pass\nclass EnvBase:\n    pass\nclass aenv:\n    pass\n', []],
    ['unpacking', 'AEnv, b = make()\n', ['AEnv']],
    ['private names', 'class _AEnv:\n    pass\n', ['_AEnv']],
  ])('%s', (_name, text, expected) => expect(names(text)).toEqual(expected));

  it('follows an alias to its class', () => {
    const file = read('class Game:\n    def step(self, a):\n        pass\nAEnv = Game\n');
    expect([file.picked?.name, file.env?.name, file.method('step')?.name]).toEqual(['AEnv', 'Game', 'step']);
  });
  it('takes the last of two classes of one name', () => {
    const file = read('class AEnv:\n    def one(self):\n        pass\nclass AEnv:\n    def two(self):\n        pass\n');
    expect(file.methods.map(({ name }) => name)).toEqual(['two']);
  });
});

describe('classes', () => {
  it('looks methods up as Python does in a diamond', () => {
    const file = read('class A:\n    def f(self):\n        return 0\n    def g(self):\n        return 0\nclass B(A):\n    pass\nclass C(A):\n    def f(self):\n        return 1\nclass DEnv(B, C):\n    pass\n');
    expect([file.method('f')?.owner.name, file.method('g')?.owner.name]).toEqual(['C', 'A']);
  });
  it('survives classes that are their own base', () => {
    expect(read('class AEnv(BEnv):\n    pass\nclass BEnv(AEnv):\n    pass\n').lineage?.chain.map(({ name }) => name)).toEqual(['AEnv']);
  });
  it.each([
    ['(ToolUseBaseEnv)', true], ['(tool_use_base_env.ToolUseBaseEnv)', true], ['(Base)', true], ['(Other)', false], ['', false],
  ])('tells tool use by the base %s', (base, expected) => {
    expect(read(`class Base(ToolUseBaseEnv):\n    pass\nclass Other:\n    pass\nclass AEnv${base}:\n    pass\n`).toolUse).toBe(expected);
  });
  it('reads parameters of every kind', () => {
    const file = read('class AEnv:\n    def f(self, a, b: int = 1, /, *args: str, c, d=2, **rest):\n        pass\n    @staticmethod\n    def s(x):\n        pass\n');
    expect(file.method('f')?.parameters.map(({ name, kind, default: value }) => [name, kind, value?.text])).toEqual([
      ['a', 'positional', undefined], ['b', 'positional', '1'], ['args', 'var-positional', undefined], ['c', 'keyword-only', undefined], ['d', 'keyword-only', '2'], ['rest', 'var-keyword', undefined],
    ]);
    expect([file.method('f')?.self, file.method('s')?.self, file.method('s')?.parameters.map(({ name }) => name)]).toEqual(['self', null, ['x']]);
  });
});

describe('the profile as the text tells it', () => {
  it.each([
    ['one answer', environment(), 's'],
    ['an attempt list, which is no state of the task', environment({ step: '    def step(self, action):\n        self.turns += 1\n        self.tries.append(action)\n        return "x", 0.0, True, False, {}' }), 's'],
    ['a position that moves', environment({ step: '    def step(self, action):\n        self.pos += self.move(action)\n        return "x", 0.0, True, False, {}' }), 'm'],
    ['a board that changes', environment({ step: '    def step(self, action):\n        self.board[action] = "x"\n        return "x", 0.0, True, False, {}' }), 'm'],
    ['no answer', environment({ solution: '' }), 'm'],
    ['tool use', 'class AEnv(ToolUseBaseEnv):\n    pass\n', 't'],
    ['several messages', 'class AEnv(ToolUseBaseEnv):\n    def reset(self, seed=None):\n        self._user_messages = ["a", "b"]\n', 'u'],
    ['nothing to pick', 'x = 1\n', null],
  ])('%s', (_name, text, expected) => expect(guessProfile(read(text))).toBe(expected));
});
