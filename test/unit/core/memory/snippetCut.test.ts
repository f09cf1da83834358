import fc from 'fast-check';
import { expect, it } from 'vitest';
import { snippetCut } from '../../../../src/core/memory/snippetCut';
import { codePoints } from '../../../../src/core/pythonText';

it('is not there for a code that is kept whole', () => {
  expect(snippetCut('x'.repeat(2000))).toBeNull();
  expect(snippetCut('🂡'.repeat(2000))).toBeNull();
});

it('counts code points, and is given as an editor counts', () => {
  expect(snippetCut('x'.repeat(2001))).toEqual({ offset: 2000, shown: 2000, length: 2001 });
  expect(snippetCut(`${'🂡'.repeat(1000)}${'x'.repeat(1500)}`)).toEqual({ offset: 3000, shown: 2000, length: 2500 });
});

it('never parts a character, and keeps as many as it says', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (code, chars) => {
    const cut = snippetCut(code, chars);
    expect(cut === null).toBe(codePoints(code) <= chars);
    if (cut === null) return;
    expect(codePoints(code.slice(0, cut.offset))).toBe(chars);
    expect(cut.length).toBe(codePoints(code));
  }));
});
