import { describe, expect, it } from 'vitest';
import { classesOver, moreUntilClear, rankOver } from '../../../src/core/memory/ranks';
import { drawFor } from '../../../src/vscode/panels/memoryReading';
import { keysOf } from '../../../src/vscode/panels/memoryState';
import { readMemory } from '../../../src/core/memory/readMemory';
import { memoryText } from '../../../src/core/memory/writeMemory';
import { goneOf, listed, poolEdge, poolEnd, type Ui } from '../../../webview/memory/model';
import { nearest } from '../../../webview/memory/nearest';
import { memoryFull, records } from '../../e2e/webview/memoryScenes';
import { MemoryState } from '../../../src/shared/webviewMemory';

const ready = memoryFull.setting.answers.results['ready'] as { state: unknown };
const state = MemoryState.parse(ready.state);
const ui: Ui = { skill: 'Logical Deduction', kind: null, finding: null, query: '', sort: 'use', selected: null };

describe('the list of the memory view', () => {
  it('begins with the pool, best first, and says where it ends', () => {
    const rows = listed(state.rows, ui, null);
    expect(rows.slice(0, 10).map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(poolEnd(rows, ui)).toBe(10);
    expect(poolEnd(rows, { ...ui, sort: 'file' })).toBeNull();
    expect(poolEdge(state.rows, ui.skill, state.pool)).toBe(rows[9]?.regret);
  });

  it('leaves the duplicates of every skill when they are asked for', () => {
    expect(listed(state.rows, { ...ui, skill: null, finding: 'duplicate' }, null)).toHaveLength(2);
  });
});

describe('a record that left', () => {
  const rows = (...keys: string[]) => keys.map((key, index) => ({ ...state.rows[0]!, key, index }));
  const before = { rows: rows('a', 'b', 'c') };

  it('was evicted, at the rollout of that save, when newer ones came and no older one stayed', () => {
    expect(goneOf(before, { rows: rows('c', 'd', 'e'), rollout: 152 }, 'b')).toEqual({ how: 'evicted', rollout: 152 });
  });

  it('was taken out when an older one is still there, or nothing came', () => {
    expect(goneOf(before, { rows: rows('a', 'c', 'd'), rollout: 152 }, 'b').how).toBe('removed');
    expect(goneOf(before, { rows: rows('b', 'c'), rollout: 152 }, 'a').how).toBe('removed');
  });
});

describe('the plot', () => {
  it('goes to the nearest point of a direction and stays at the end', () => {
    const at = (key: string, x: number, y: number) => ({ key, x, y, kind: 'seed' as const, inPool: true, faint: false });
    const points = [at('a', 0.2, 0.2), at('b', 0.3, 0.9), at('c', 0.4, 0.2)];
    expect(nearest(points, 'a', [1, 0])).toBe('c');
    expect(nearest(points, 'a', [0, 1])).toBe('b');
    expect(nearest(points, 'a', [-1, 0])).toBeNull();
  });
});

describe('ranks over an interval', () => {
  const entries = readMemory(memoryText(records(120))).entries;
  it('hold the rank of the regret itself', () => {
    const pool = state.rows.find(({ rankRange }) => rankRange !== null);
    expect(pool?.rankRange?.best).toBeLessThanOrEqual(pool?.rank ?? 0);
    expect(pool?.rankRange?.worst).toBeGreaterThanOrEqual(pool?.rank ?? 0);
    const seed = entries.find(({ winRate }) => winRate === 0.4375)!;
    expect(rankOver(entries, seed.index, { lo: -2, hi: 2 })?.best).toBe(1);
  });

  it('name every use that a rate between the ends allows', () => {
    expect(classesOver({ lo: 0.05, hi: 0.28 })).toEqual(['too-hard', 'dead-zone', 'seed']);
    expect(classesOver({ lo: 0.3, hi: 0.6 })).toEqual(['seed']);
    expect(classesOver({ lo: 0, hi: 1 })).toEqual(['too-hard', 'dead-zone', 'seed', 'too-easy']);
  });

  it('ask for no more plays once the edge is outside', () => {
    expect(moreUntilClear({ lo: 0.3, hi: 0.5 }, 0.4, 0.2, 32)).toBeNull();
    expect(moreUntilClear({ lo: 0.2, hi: 0.6 }, 0.4, 0.3, 32)).toBe(96);
  });
});

describe('a possible draw', () => {
  const entries = readMemory(memoryText(records(168))).entries;
  const keys = keysOf(entries);
  it('is found for every record that can be drawn, and is the same for the same seed', () => {
    for (const row of state.rows.filter(({ odds, from }) => odds > 0 && from === 'run').slice(0, 8)) {
      if (!keys.includes(row.key)) continue;
      const draw = drawFor(entries, row.key, null)!;
      expect(draw.parts).toEqual(drawFor(entries, row.key, draw.seed)!.parts);
      expect(draw.parts.every(({ text }) => text.length <= 2_000)).toBe(true);
    }
  });
});
