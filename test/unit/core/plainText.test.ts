import { describe, expect, it } from 'vitest';
import { markdownLine, plainLine, plainLines } from '../../../src/core/plainText';

describe('text of an environment', () => {
  it('keeps its lines where several may be shown, and no other control character', () => {
    expect(plainLines('a\r\n\u001b[31mb\u0007', 100)).toBe('a\n\\u001b[31mb\\u0007');
    expect(plainLine('a\nb', 100)).toBe('a⏎b');
    expect(plainLines('x'.repeat(20), 5)).toBe('xxxxx…');
  });

  it('is text in Markdown too: neither markup, nor a link, a tag, a cell or a line of its own', () => {
    expect(markdownLine('[x](command:y) <b> & ~z~ *a* `b` #c | d\\\ne', 100)).toBe('\\[x\\](command:y) \\<b\\> \\& \\~z\\~ \\*a\\* \\`b\\` \\#c \\| d\\\\⏎e');
  });
});
