import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkStatically } from '../../../../src/core/checks/static/run';
import { LineMap } from '../../../../src/core/environment/lines';
import { PythonDocument } from '../../../../src/core/environment/pythonDocument';
import type { PythonFile } from '../../../../src/core/environment/pythonFile';
import { testParser } from '../../../fakes/pythonParser';
import { environment, findings, firesOn, read } from '../checks/static/harness';

const parser = await testParser();

const shape = (file: PythonFile): unknown[] => file.tree.nodes.map(({ index, type, named, field, start, end, next, missing, parent, children }) => [index, type, named, field, start, end, next, missing, parent?.index, children.map((child) => child.index)]);

describe('a document while it is edited', () => {
  it('gives after any edits what reading anew gives', () => {
    const pieces = ['\n', '    ', 'x', '(', ')', '"', 'f"{', '}', '\\boxed', 'class BEnv:', 'def step(self, action):\n', 'é', '😀', '\r\n', '\t', ':', '#'];
    const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(30), add: fc.constantFrom(...pieces) });
    fc.assert(fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), (edits) => {
      const document = new PythonDocument(parser);
      let text = environment({ after: 'def outer(x):\n    def inner(y):\n        return f"{y}"\n    return inner(x)\n\n@wraps\ndef last():\n    # nothing\n    pass\n' });
      document.update(text);
      for (const { at, cut, add } of edits) {
        const start = Math.floor(at * text.length);
        text = text.slice(0, start) + add + text.slice(start + cut);
        const file = document.update(text);
        expect(shape(file)).toEqual(shape(read(text)));
        expect(checkStatically(file, null).findings).toEqual(findings(text));
      }
      document.dispose();
    }), { numRuns: 150 });
  });
});

describe('lines and columns', () => {
  it('turn back into the offset they came from', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', '😀', '\t', ' ') }), fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
      const lines = new LineMap(text);
      const offset = Math.floor(share * text.length);
      const { line, column } = lines.range({ start: offset, end: offset });
      const inLineEnd = /[\r\n]/.test(text[offset - 1] ?? '') && text[offset] === '\n' && text[offset - 1] === '\r';
      expect(lines.offsetAt(line, column)).toBe(inLineEnd ? offset - 1 : offset);
    }));
  });
  it('count UTF-16 units from 1, past a byte order mark', () => {
    expect(new LineMap('\uFEFFx = 1').range({ start: 1, end: 2 })).toEqual({ line: 1, column: 1, endLine: 1, endColumn: 2 });
    expect(new LineMap('a\r\n😀b').range({ start: 5, end: 6 })).toEqual({ line: 2, column: 3, endLine: 2, endColumn: 4 });
  });
});

describe('odd files', () => {
  const bad = environment({ step: '    def step(self, action):\n        return "x", 0.0, 1, False, {}' });
  const line = firesOn(bad, 'terminated-not-bool')[0]!;
  it.each([
    ['a byte order mark', `\uFEFF${bad}`],
    ['CRLF', bad.replaceAll('\n', '\r\n')],
    ['lone CR, which Python reads as line ends', bad.replaceAll('\n', '\r')],
    ['tabs', bad.replaceAll('    ', '\t')],
    ['no newline at the end', bad.trimEnd()],
    ['form feeds', bad.replace('\nclass', '\n\fclass')],
    ['replacement characters in a text', bad.replace('"x"', '"x\uFFFD"')],
    ['lone surrogates in a text', bad.replace('"x"', '"x\uD800"')],
  ])('%s: the same finding on the same line', (_name, text) => expect(firesOn(text, 'terminated-not-bool')).toEqual([line]));

  it('a null character is an error even in a comment, as Python has it', () => {
    expect(findings(`x = 1\n# \0\n${bad}`).map(({ id, line: at }) => [id, at])).toEqual([['syntax-error', 2]]);
  });
  it('an empty file, blanks, and a comment have no environment and nothing else', () => {
    for (const text of ['', '\n\n', '   ', '# nothing', '\uFEFF', '"""Only a docstring."""\n']) expect(findings(text).map(({ id }) => id)).toEqual(['no-env-class']);
  });
  it('any text at all gives findings within it, never an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const lines = new LineMap(text).count;
      for (const finding of findings(text)) expect(finding.line >= 1 && finding.endLine <= lines && finding.column >= 1).toBe(true);
    }), { numRuns: 200 });
  });
  // The time that a test may take is the bound: work that grows with the square of the lines goes past it.
  it('ten thousand lines and hundreds of classes are read to the end', () => {
    const helpers = Array.from({ length: 700 }, (_, at) => `class Part${at}:\n    def value_${at}(self, x):\n        if x > ${at}:\n            return self.value_${at}(x - 1)\n        y = [x, ${at}]\n        for z in y:\n            print(z)\n        return {"a": x, "b": ${at}}\n\n    def unused_${at}(self):\n        return input("?")\n\n    name = "part ${at}"\n\n`).join('');
    const text = environment({ before: `import random\nimport re\n${helpers}` });
    expect(text.split('\n').length).toBeGreaterThan(9_800);
    expect(findings(text)).toEqual([]);
  });
  it.each([
    ['brackets', `x = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
    ['open brackets', `x = ${'('.repeat(20_000)}`],
    ['operators', `x = ${'-'.repeat(20_000)}1\n`],
    ['sums', `x = ${'1 + '.repeat(20_000)}1\n`],
    ['attributes', `x = a${'.b'.repeat(20_000)}\n`],
    ['calls', `x = a${'()'.repeat(20_000)}\n`],
    ['nested ifs', Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}if x:\n`).join('') + `${' '.repeat(2_000)}pass\n`],
    ['elifs', `if x:\n    pass\n${'elif x:\n    pass\n'.repeat(5_000)}`],
    ['nested f-strings', `x = ${'f"{'.repeat(200)}1${'}"'.repeat(200)}\n`],
    ['targets', `${'('.repeat(3_000)}AEnv,${')'.repeat(3_000)} = x\n`],
    ['subscripts of a base', `class BEnv(a${'[1]'.repeat(3_000)}):\n    pass\n`],
    ['unions of sets', `x = list(a${' | {1}'.repeat(3_000)})\n`],
    ['and-chains', `x = a${' and b'.repeat(5_000)}\n`],
    ['names that wander', Array.from({ length: 40 }, (_, at) => Array.from({ length: 40 }, (_, other) => `x${at} = x${other} and y\n`).join('')).join('')],
    ['else-ifs in an expression', `x = ${'1 if a else '.repeat(5_000)}2\n`],
  ])('deeply nested %s overflow nothing', (_name, text) => {
    expect(() => findings(environment({ after: text }))).not.toThrow();
    expect(() => findings(environment({ step: `    def step(self, action):\n        ${text.trimEnd().replaceAll('\n', '\n        ')}\n        return x, x, x1, x, x` }))).not.toThrow();
    expect(read(text).root.type).toBeDefined();
  });
});
