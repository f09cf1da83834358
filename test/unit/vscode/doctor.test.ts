import { describe, expect, it, vi } from 'vitest';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { report } = await import('../../../src/vscode/commands/doctor');
const { plainLine } = await import('../../../src/core/plainText');

describe('the doctor’s report', () => {
  it('tells works, works with a note, and does not work apart by sign', () => {
    const text = report('Title', [
      { name: 'a', ok: true, detail: 'fine', next: null },
      { name: 'b', ok: true, detail: 'a package is missing', next: 'install it' },
      { name: 'c', ok: false, detail: 'broken', next: 'mend it' },
    ]);
    expect(text.split('\n').filter((line) => /\| [abc] \|/.test(line)).map((line) => line[2])).toEqual(['✓', 'i', '✗']);
  });

  it('keeps what a server says as text: no table cell, link, tag or line of its own', () => {
    const hostile = 'x | y\n# head [a](command:evil) <img src=x> `code`';
    const rows = report('Title', [{ name: 'model', ok: false, detail: hostile, next: null }]).split('\n').filter((line) => line.includes('model'));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('x \\| y⏎\\# head \\[a\\](command:evil) \\<img src=x\\> \\`code\\`');
  });
});

describe('a line of foreign text', () => {
  it('spells out control characters and direction marks, and says where it was cut', () => {
    expect(plainLine('a\u001b[31mb\u202ec', 100)).toBe('a\\u001b[31mb\\u202ec');
    expect(plainLine('abcdef', 3)).toBe('abc…');
    expect(plainLine('abc', 3)).toBe('abc');
  });
});
