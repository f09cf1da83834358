import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pieces } from '../../../webview/player/pieces';
import { seedsOf } from '../../../webview/player/seeds';
import { restOf } from '../../../webview/ui/rest';
import { head, picture } from '../../../webview/ui/visible';
import { num, raw, short, signed } from '../../../webview/ui/format';

describe('what the run reads in a reply', () => {
  it('marks the first box and strikes the others', () => {
    expect(pieces('a \\boxed{1} b \\boxed{2}', '\\boxed{1}')).toEqual([
      { text: 'a ', kind: 'plain' }, { text: '\\boxed{1}', kind: 'read' }, { text: ' b ', kind: 'plain' }, { text: '\\boxed{2}', kind: 'unread' },
    ]);
  });

  it('marks the whole reply when there is no box', () => {
    expect(pieces('north', 'north')).toEqual([{ text: 'north', kind: 'read' }]);
  });

  it('marks nothing when the action is not in the reply', () => {
    expect(pieces('north', '\\boxed{south}')).toEqual([{ text: 'north', kind: 'plain' }]);
  });

  it('loses no character of any reply', () => {
    fc.assert(fc.property(fc.string(), fc.nat(), fc.nat(), (reply, from, length) => {
      const start = reply.length === 0 ? 0 : from % reply.length;
      const action = reply.slice(start, start + (length % 20));
      expect(pieces(reply, action).map(({ text }) => text).join('')).toBe(reply);
    }));
  });
});

describe('what a cut leaves out', () => {
  const rest = (text: string, shown: string) => restOf({ text, lines: text.split('\n').length, length: [...text].length }, shown);
  it('is counted in lines at the end of a line, and in characters within one', () => {
    expect(rest('a\nb\nc', 'a')).toBe('2 more lines');
    expect(rest(`${'x'.repeat(5_000)}\nend`, 'x'.repeat(700))).toBe('4.3 kB more');
    expect(rest('a\nbcd', 'a\nb')).toBe('2 more characters');
  });
});

describe('numbers', () => {
  it.each([[0.654, '0.65'], [-0.2, '\u22120.20'], [-0.001, '0.00'], [0, '0.00']])('%d is %s', (value, text) => expect(num(value)).toBe(text));
  it.each([[0.33, '+0.33'], [-0.33, '\u22120.33'], [0, '0.00']])('%d has its sign: %s', (value, text) => expect(signed(value)).toBe(text));
  it.each([[0, '0.0'], [0.4, '0.4'], [-1, '\u22121.0'], ['NaN', 'NaN'], ['-Infinity', '\u2212Infinity']] as const)('a reward of %s reads %s', (value, text) => expect(raw(value)).toBe(text));
  it.each([[0.6, '.6'], [1, '1'], [-0.5, '\u2212.5'], [-1, '\u22121']])('a tick of %d reads %s', (value, text) => expect(short(value)).toBe(text));
});

describe('seeds', () => {
  it('counts ranges and lists', () => {
    expect(seedsOf('0-31')).toEqual({ count: 32, first: 0, last: 31 });
    expect(seedsOf('3, 5,8-9')).toEqual({ count: 4, first: 3, last: 9 });
  });
  it.each(['', 'x', '5-3', '1-', '-1', '1;2'])('refuses %j', (text) => expect(seedsOf(text)).toBeUndefined());
});

describe('what would not show', () => {
  it.each([['\b', '\u2408'], ['\u001b', '\u241b'], ['\u007f', '\u2421'], ['\u202e', '\u27e8202E\u27e9'], ['\ufeff', '\u27e8FEFF\u27e9'], ['\u0085', '\u27e80085\u27e9']])('%j gets a picture', (char, shown) =>
    expect(picture(char)).toBe(shown));
});

describe('a folded text', () => {
  it('is cut at the end of a line', () => expect(head('a\nb\nc\nd', { lines: 2, chars: 100 })).toBe('a\nb'));
  it('never splits a surrogate pair, never exceeds the fold, is always the beginning', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 30 }), (text, lines, chars) => {
      const shown = head(text, { lines, chars });
      expect(text.startsWith(shown)).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(chars);
      expect(shown.split('\n').length).toBeLessThanOrEqual(lines);
      expect(/[\ud800-\udbff]$/.test(shown)).toBe(false);
    }));
  });
});
