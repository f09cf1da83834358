import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shiftRange } from '../../../src/core/checks/shiftRange';
import type { Range } from '../../../src/shared/findings';

/** The place of an offset in a text, from 1. */
function place(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function range(text: string, from: number, to: number): Range {
  const end = place(text, to);
  return { ...place(text, from), endLine: end.line, endColumn: end.column };
}

function slice(text: string, { line, column, endLine, endColumn }: Range): string {
  const offset = (l: number, c: number) => text.split('\n').slice(0, l - 1).reduce((sum, row) => sum + row.length + 1, 0) + c - 1;
  return text.slice(offset(line, column), offset(endLine, endColumn));
}

const body = fc.array(fc.constantFrom('a', 'b', ' ', '\n'), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));

describe('a range after an edit', () => {
  it('still covers the same text, whatever was edited beside it', () => {
    fc.assert(
      fc.property(body, body, fc.nat(), fc.nat(), fc.nat(), fc.nat(), (text, inserted, a, b, c, d) => {
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        const [start, end] = [c % (text.length + 1), d % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        fc.pre(from < to && (end <= from || start >= to));
        const edited = text.slice(0, start) + inserted + text.slice(end);
        const shifted = shiftRange(range(text, from, to), { ...range(text, start, end), text: inserted });
        expect(shifted && slice(edited, shifted)).toBe(text.slice(from, to));
      }),
    );
  });

  it('is given up when the edit reaches into it', () => {
    const finding = range('abcdef', 1, 4);
    expect(shiftRange(finding, { ...range('abcdef', 2, 3), text: 'x' })).toBeUndefined();
    expect(shiftRange(finding, { ...range('abcdef', 0, 2), text: '' })).toBeUndefined();
    expect(shiftRange(finding, { ...range('abcdef', 2, 2), text: 'x' })).toBeUndefined();
  });
});
