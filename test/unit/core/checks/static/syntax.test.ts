import { describe, expect, it } from 'vitest';
import { compileError, newerSyntax } from '../../../../../src/core/checks/static/syntax';
import { formatMessage } from '../../../../../src/shared/message';
import { environment, findings, firesOn, read } from './harness';

const python = (version: string) => ({ interpreter: { python: version, packages: {} } });

describe('syntax-error', () => {
  const id = 'syntax-error';
  it.each([
    ['a bracket that is never closed', 'class SumEnv:\n    x = (1, 2\n    y = 3\n', 2],
    ['a string that is not closed', 'x = 1\ny = "abc\nz = 2\n', 2],
    ['a missing colon', 'class SumEnv\n    pass\n', 1],
    ['a missing operand', 'x = 1 +\n', 1],
    ['a stray word', 'x = 1\nfoo bar\n', 2],
    ['print as a statement', 'x = 1\nprint "a"\n', 2],
    ['an empty f-string expression', 'x = 1\ny = f"\\\\boxed{}"\n', 2],
    ['a def in the making', 'class SumEnv:\n    def step(self, \n', 2],
  ])('fires once on %s', (_name, text, line) => expect(firesOn(text, id)).toEqual([line]));

  it('keeps quiet about what a broken file may well have', () => {
    expect(findings('class SumEnv:\n    def reset(self, seed=None):\n        return (1, 2\n').map((finding) => finding.id)).toEqual([id]);
  });

  it.each([
    ['f"{a["b"]}"', '3.12', 'same quotes'],
    ['f"{\'\\n\'.join(a)}"', '3.12', 'backslash'],
    ['f"{\n  a\n}"', '3.12', 'line break'],
    ['f"""{"""x"""}"""', '3.12', 'same quotes'],
    ['t"{a}"', '3.14', 'template string'],
  ])('names the version that reads %s', (expression, since, what) => {
    const text = environment({ before: `import random\nimport re\na = {"b": 1}\nx = ${expression}\n` });
    const before = findings(text, id, python('3.9.1'));
    expect(before.map(({ line }) => line)).toEqual([4]);
    expect(formatMessage(before[0]!.message)).toContain(since);
    expect(formatMessage(before[0]!.message)).toContain(what);
    expect(firesOn(text, id, python(`${since}.0`))).toEqual([]);
    expect(firesOn(text, id)).toEqual([]);
  });

  it.each([
    ['match x:\n    case 1:\n        pass\n', '3.10'],
    ['try:\n    pass\nexcept* ValueError:\n    pass\n', '3.11'],
    ['type A = int\n', '3.12'],
    ['def f[T](x: T) -> T:\n    return x\n', '3.12'],
    ['class A[T]:\n    pass\n', '3.12'],
  ])('knows %j as newer', (text, since) => expect([...newerSyntax(read(text))].map((newer) => newer.since)).toEqual([since]));

  it.each(['f"{a[\'b\']}"', 'f"""{a["b"]}"""', 'f"{a}\\n"', 'f\'{a!r:>{w}}\'', '"{a["', 'rf"{a}\\d"', 'f"{{\\n}}"'])('takes %s for old', (expression) => {
    expect([...newerSyntax(read(`x = ${expression}\n`))]).toEqual([]);
  });

  it('tells the interpreter\'s own error where it says', () => {
    const file = read('x = 1\n    y = 2\n');
    const draft = compileError(file, { code: 'syntax', type: 'IndentationError', message: 'unexpected indent', traceback: [], line: 2, column: 5 }, '3.11.7');
    expect([draft.range.line, formatMessage(draft.message)]).toEqual([2, expect.stringContaining('unexpected indent')]);
  });

  it('explains the interpreter\'s error by newer syntax on the same line', () => {
    const file = read('a = {"b": 1}\nx = f"{a["b"]}"\n');
    const draft = compileError(file, { code: 'syntax', type: 'SyntaxError', message: 'f-string: unmatched \'[\'', traceback: [], line: 2, column: 9 }, '3.11.7');
    expect(formatMessage(draft.message)).toContain('3.12');
  });
});
