import { describe, expect, it } from 'vitest';
import { cuttingBoxPatterns } from '../../../../../src/core/checks/static/text';
import { environment, expectMended, findings, firesOn, read, toolEnvironment } from './harness';

/** A sound file whose `reset` returns this expression, with `self.a`, `word` and `seed` in reach. */
const observing = (expression: string, before = 'import random\nimport re\n'): string => environment({
  before, reset: `    def reset(self, seed=None):\n        self.a = self.b = random.Random(seed).randint(1, 9)\n        word = str(self.a)\n        return ${expression}, {}`,
});
const LINE = 14;

describe('fstring-unescaped-brace', () => {
  const id = 'fstring-unescaped-brace';
  it.each([
    ['a name that nothing binds', 'f"{self.a}? \\\\boxed{answer}"'],
    ['the same far from a box', 'f"Reply with {answer} or {word}."'],
    ['two words with a comma', 'f"\\\\boxed{row, column}"'],
    ['JSON', 'f\'{"name": "look", "n": {word}}\''],
    ['an unbound name with a format', 'f"\\\\boxed{answer:d}"'],
    ['nothing between the braces, which does not parse', 'f"\\\\boxed{}"'],
    ['words between the braces, which do not parse', 'f"\\\\boxed{your answer}"'],
    ['a name of another function only', 'f"\\\\boxed{m}"'],
  ])('fires on %s', (_name, expression) => {
    expect(findings(observing(expression), id).map(({ line, severity }) => [line, severity])).toEqual([[LINE, 'error']]);
  });
  it.each([['a number', 'f"\\\\boxed{7}"'], ['an ellipsis', 'f"\\\\boxed{...}"'], ['a fraction', 'f"\\\\frac{1}"']])('warns of %s, whose braces are lost', (_name, expression) => {
    expect(findings(observing(expression), id).map(({ severity }) => severity)).toEqual(['warning']);
  });
  it.each([
    ['doubled braces', 'f"{self.a}? \\\\boxed{{answer}}"'],
    ['tripled braces around a value', 'f"\\\\boxed{{{word}}}"'],
    ['a local name', 'f"\\\\boxed{word}"'],
    ['a parameter', 'f"\\\\boxed{seed}"'],
    ['a plain string', '"\\\\boxed{answer}"'],
    ['an injected name', 'f"{math.pi}"'],
    ['a builtin', 'f"{len}"'],
    ['a name of a comprehension', '" ".join(f"{x}" for x in "ab")'],
    ['a walrus', 'f"{(n := 3)}{n}"'],
    ['a dict lookup', 'f"{ {"a": 1}["a"] }"'.replaceAll('"a"', "'a'")],
    ['a format of a constant', 'f"{3:>4}"'],
    ['a nested format', 'f"{word:>{self.a}}"'],
  ])('is silent on %s', (_name, expression) => expect(firesOn(observing(expression), id)).toEqual([]));
  it('is silent where a star import may bring the name', () => expect(firesOn(observing('f"{answer}"', 'import random, re\nfrom words import *\n'), id)).toEqual([]));
  it('is silent on a global that another function sets', () => {
    expect(firesOn(environment({ after: 'def init():\n    global answer\n    answer = 3\n\ndef show():\n    return f"{answer}"\n' }), id)).toEqual([]);
  });
  it.each([
    ['f"{self.a}? \\\\boxed{answer}"', '\\\\boxed{{answer}}"'], ['f"\\\\boxed{row, column}"', '{{row, column}}'], ['f"\\\\boxed{7}"', '{{7}}'],
    ['f\'{"name": "look"}\'', 'f\'{{"name": "look"}}\''],
  ])('mends %s', (expression, mended) => expect(expectMended(observing(expression), id)).toContain(mended));
  it('makes an f-string that did not parse readable', () => {
    const text = observing('f"\\\\boxed{your answer}"');
    const [finding] = findings(text, id);
    expect(finding!.fix!.edits.map(({ newText }) => newText)).toEqual(['{{your answer}}']);
    expect(findings(text.replace('{your answer}', '{{your answer}}'))).toEqual([]);
  });
});

describe('backspace-escape-in-boxed', () => {
  const id = 'backspace-escape-in-boxed';
  it.each([
    ['a plain string', '"Reply with \\boxed{n}."'],
    ['an f-string', 'f"{word} \\boxed{{n}}."'],
    ['a long string', '"""Reply\n  with \\boxed{n}."""'],
    ['an escaped backslash before it', '"\\\\\\boxed{n}"'],
    ['part of joined strings', '("Reply " "with \\boxed{n}.")'],
  ])('fires on %s', (_name, expression) => expect(firesOn(observing(expression), id)).toHaveLength(1));
  it('fires on a pattern', () => expect(firesOn(environment({ after: 'P = re.compile("\\boxed\\{")\n' }), id)).toHaveLength(1));
  it.each([
    ['an escaped backslash', '"\\\\boxed{n}"'],
    ['a raw string', 'r"\\boxed{n}"'],
    ['a raw f-string', 'rf"\\boxed{{{word}}}"'],
    ['another backspace', '"a\\b"'],
    ['bytes', 'str(b"\\boxed")'],
    ['two escaped backslashes', '"\\\\\\\\boxed{n}"'],
  ])('is silent on %s', (_name, expression) => expect(firesOn(observing(expression), id)).toEqual([]));
  it('is silent on a docstring', () => expect(firesOn(environment({ classLine: 'class SumEnv:\n    "Answers come as \\boxed{n}."' }), id)).toEqual([]));
  it('is silent in tool use, where no box is read', () => expect(firesOn(toolEnvironment({ reset: '        self.x = "\\boxed"', methods: '' }), id)).toEqual([]));
  it('mends it', () => expect(expectMended(observing('"Reply with \\boxed{n} or \\boxed{m}."'), id)).toContain('\\\\boxed{n} or \\\\boxed{m}'));
});

describe('box patterns that cut at the first closing brace', () => {
  it.each(['r"\\\\boxed\\{([^}]+)\\}"', 'r"\\\\boxed\\{([^}]*)\\}"', 'r"\\\\boxed\\{(.+?)\\}"', 'r"\\\\boxed\\s*\\{\\s*([^{}]+?)\\s*\\}"', '"\\\\\\\\boxed\\\\{([^}]*)\\\\}"', "r'boxed{(.*?)}'", 'r"\\\\boxed[{]([^{}]+)[}]"'])('are %s', (pattern) => {
    expect(cuttingBoxPatterns(read(`import re\nP = re.compile(${pattern})\n`)).map(({ text }) => text)).toEqual([pattern]);
  });
  it.each(['r"\\\\boxed\\{(\\d+)\\}"', 'r"\\\\boxed\\{(left|right)\\}"', 'r"\\\\boxed\\{(.*)\\}"', 'r"\\\\boxed\\{((?:[^{}]|\\{[^{}]*\\})*)\\}"', 'r"\\{([^}]*)\\}"', 'r"\\\\boxed\\{(\\w+)\\}"', '"Reply \\\\boxed{answer}"'])('are not %s', (pattern) => {
    expect(cuttingBoxPatterns(read(`import re\nP = re.compile(${pattern})\n`))).toEqual([]);
  });
});
