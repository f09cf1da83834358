import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../src/shared/webviewProtocol';
import { rowsOf, sameSteps } from '../../../webview/player/fold';

const transcript = (steps: number, live = false): Transcript => ({ steps: Array.from({ length: steps }), live: live ? {} : null }) as unknown as Transcript;

describe('steps that are the same in both columns', () => {
  it('are folded from the second one up to where the columns part', () => {
    expect(sameSteps({ hint: transcript(8), noHint: transcript(9), divergence: { step: 6, part: 'reply' } })).toEqual({ from: 2, to: 5 });
  });

  it('stay as they are when they are few, while one is being played, or with one column', () => {
    expect(sameSteps({ hint: transcript(8), noHint: transcript(9), divergence: { step: 3, part: 'reply' } })).toBeNull();
    expect(sameSteps({ hint: transcript(8, true), noHint: transcript(9), divergence: { step: 6, part: 'reply' } })).toBeNull();
    expect(sameSteps({ hint: transcript(8), noHint: null, divergence: null })).toBeNull();
  });

  it('of two equal episodes leave the first and the last', () => {
    expect(sameSteps({ hint: transcript(8), noHint: transcript(8), divergence: null })).toEqual({ from: 2, to: 7 });
  });

  it('every step is in exactly one row, in order', () => {
    const cases = fc.integer({ min: 4, max: 60 }).chain((steps) => fc.tuple(fc.constant(steps), fc.integer({ min: 2, max: steps - 1 }))
      .chain(([count, from]) => fc.tuple(fc.constant(count), fc.constant(from), fc.integer({ min: from, max: count }))));
    fc.assert(fc.property(cases, ([steps, from, to]) => {
      const seen = rowsOf(steps, { from, to }).flatMap((row) => (row.kind === 'step' ? [row.step] : Array.from({ length: row.to - row.from + 1 }, (_, at) => row.from + at)));
      expect(seen).toEqual(Array.from({ length: steps }, (_, at) => at + 1));
    }));
  });
});
