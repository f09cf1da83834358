import { describe, expect, it } from 'vitest';
import { groupOf } from '../../../webview/player/statusGroup';
import { columnsOf } from '../../../webview/player/columns';
import { slots, state } from '../../e2e/webview/states';

describe('columns of the strip', () => {
  it('are one a seed, with the mean gap of its plays', () => {
    const plays = slots(8).map((slot, index) => ({ ...slot, seed: Math.floor(index / 4), play: index % 4, gap: index < 4 ? index : null }));
    const columns = columnsOf(state({ slots: plays }), 'seed', null);
    expect(columns.map(({ label, slots: members, gap }) => [label, members, gap])).toEqual([['0', [0, 1, 2, 3], 1.5], ['1', [4, 5, 6, 7], null]]);
  });

  it('are one a play where seeds do not pair', () => {
    const plays = slots(4).map((slot, play) => ({ ...slot, seed: null, play, gap: null }));
    expect(columnsOf(state({ slots: plays, mode: 'as-run' }), 'seed', null).map(({ slots: members }) => members)).toEqual([[0], [1], [2], [3]]);
  });

  it('stand in order of the gap, columns without one last', () => {
    const plays = slots(3).map((slot, index) => ({ ...slot, gap: [0.1, null, 0.9][index] ?? null }));
    expect(columnsOf(state({ slots: plays }), 'gap', null).map(({ label }) => label)).toEqual(['2', '0', '1']);
  });

  it('above 60 seeds are bins that hold every slot once, and open to their seeds', () => {
    const many = state({ slots: slots(100) });
    const bins = columnsOf(many, 'seed', null);
    expect(bins.length).toBeLessThan(60);
    expect(bins.flatMap(({ slots: members }) => members)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(columnsOf(many, 'seed', 1).flatMap(({ slots: members }) => members)).toEqual(bins[1]?.slots);
  });
});

describe('what an episode counts as', () => {
  it.each([
    ['terminated', 1, 'won'], ['terminated', 0, 'ended'], ['terminated', -1, 'ended'], ['truncated', 0, 'truncated'], ['turn-limit', 0, 'truncated'],
    ['reply-cut', 0, 'truncated'], ['context-full', 0, 'truncated'], ['step-raised', 0, 'failed'], ['step-timeout', 0, 'failed'], ['policy-failed', 0, 'failed'],
    ['cancelled', 0, 'cancelled'], ['running', 0, 'running'], ['queued', 0, 'queued'],
  ] as const)('%s with return %d is %s', (status, runReturn, group) => expect(groupOf({ status, runReturn })).toBe(group));
});
