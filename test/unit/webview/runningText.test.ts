import { describe, expect, it } from 'vitest';
import { RunningText } from '../../../webview/player/runningText';

/** What is on screen after a text has grown by these pieces. */
function shown(pieces: readonly string[]): string {
  const running = new RunningText();
  let [text, screen] = ['', ''];
  for (const piece of pieces) {
    text += piece;
    const growth = running.grown(text);
    if (growth) screen = growth.all ? growth.text : screen + growth.text;
  }
  return screen;
}

describe('a running text', () => {
  it('is told by what has come since, and nothing is told twice', () => {
    const running = new RunningText();
    expect(running.grown('')).toBeNull();
    expect(running.grown('abc')).toEqual({ all: false, text: 'abc' });
    expect(running.grown('abc')).toBeNull();
    expect(running.grown('abcde')).toEqual({ all: false, text: 'de' });
  });

  it('keeps its end on screen when older text leaves the page, however small the piece that was too much', () => {
    const screen = shown(['a'.repeat(7999), 'bc']);
    expect(screen.startsWith('…aaa')).toBe(true);
    expect(screen.endsWith('abc')).toBe(true);
    expect(screen.length).toBeGreaterThan(3000);
    expect(shown(['a'.repeat(50_000), 'b'])).toMatch(/^…a{3,}b$/);
  });

  it('is never longer on screen than the limit, and is cut between characters', () => {
    const pieces = Array.from({ length: 200 }, (_, at) => '😀'.repeat(40 + (at % 7)) + (at % 2 ? 'x' : ''));
    const screen = shown(pieces);
    expect(screen.length).toBeLessThanOrEqual(8001);
    expect(pieces.join('').endsWith(screen.slice(1).replace(/^.*…/s, ''))).toBe(true);
    expect(screen).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  });
});
