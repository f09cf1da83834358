import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveredEntry, coverageOf, winRateBand, type Curriculum, type CurriculumEntry } from '../../../../src/core/review/curriculum';
import { contentHash as sha256 } from '../../../../src/core/checks/suppression';
import { orderQueue, queueProgress, reviewWorth, type QueueEntry } from '../../../../src/core/review/queue';
import { exportJsonLines, exportPool, gameFileName, importJsonLines, importPool, POOL_MANIFEST } from '../../../../src/core/review/staticPool';

const entryOf = (changes: Partial<QueueEntry>): QueueEntry => ({
  file: 'a_env.py', contentHash: 'a', skill: 'Optimization', verdict: 'accept', regret: null, nearest: null, disagreement: null, decision: null, ...changes,
});
const interval = (lo: number, hi: number) => ({ lo, hi, level: 0.95 as const, method: 'newcombe-paired' as const, n: 8 });

describe('the queue', () => {
  it('puts first what may teach much, also when that is uncertain', () => {
    const sure = entryOf({ contentHash: '1', regret: { value: 0.3, interval: interval(0.25, 0.35) } });
    const open = entryOf({ contentHash: '2', regret: { value: 0.3, interval: interval(-0.1, 0.7) } });
    const rejected = entryOf({ contentHash: '3', verdict: 'reject', regret: { value: 0.9, interval: null } });
    expect(orderQueue([rejected, sure, open]).map(({ contentHash }) => contentHash)).toEqual(['2', '1', '3']);
  });

  it('puts copies of what was accepted last among equals', () => {
    const copy = entryOf({ contentHash: '1', nearest: 0.95 });
    const fresh = entryOf({ contentHash: '2', nearest: 0.2 });
    expect(orderQueue([copy, fresh])[0]).toBe(fresh);
  });

  it('shows no content twice, nor one that was decided on', () => {
    const entries = [entryOf({ contentHash: '1' }), entryOf({ contentHash: '1', file: 'copy_env.py' }), entryOf({ contentHash: '2', decision: 'reject' })];
    expect(orderQueue(entries)).toHaveLength(1);
    expect(orderQueue(entries, { decided: true })).toHaveLength(2);
    expect(orderQueue(entries, { decided: true, text: 'COPY' })).toHaveLength(0);
    expect(orderQueue(entries, { skills: ['Memory Recall'] })).toHaveLength(0);
  });

  it('keeps worth between 0 and 1 whatever the figures', () => {
    const value = fc.option(fc.double({ min: -3, max: 3, noNaN: true }), { nil: null });
    fc.assert(fc.property(value, value, value, (regret, nearest, disagreement) => {
      const worth = reviewWorth(entryOf({ regret: regret === null ? null : { value: regret, interval: null }, nearest, disagreement }));
      expect(worth).toBeGreaterThanOrEqual(0);
      expect(worth).toBeLessThanOrEqual(1);
    }));
  });

  it('estimates the rest by the median pace, breaks left out', () => {
    const entries = ['1', '2', '3', '4', '5'].map((contentHash, i) => entryOf({ contentHash, decision: i < 3 ? 'accept' : null }));
    expect(queueProgress(entries, [0, 10_000])).toEqual({ total: 5, decided: 3, remainingMs: null });
    expect(queueProgress(entries, [0, 10_000, 20_000, 3_620_000])).toEqual({ total: 5, decided: 3, remainingMs: 20_000 });
  });
});

const skills = ['Optimization', 'Multi-Step Workflows'];
async function sample(): Promise<{ curriculum: Curriculum; sources: Map<string, string> }> {
  const texts = ['x = 1\n', 'y = "é\u2028"\n', 'z = 3'];
  const sources = new Map<string, string>();
  const entries: CurriculumEntry[] = [];
  for (const [i, text] of texts.entries()) {
    const contentHash = await sha256(text);
    sources.set(contentHash, text);
    entries.push({
      file: `${i}_env.py`, contentHash, skill: skills[i % 2]!, difficulty: i === 0 ? 'easy' : null, kind: 'single-turn', hint: i === 1 ? 'Look\ntwice' : null,
      outcome: i === 2 ? null : { winRate: 0.5, regret: 0.25, plays: 16, simulated: false }, note: '',
    });
  }
  return { curriculum: { version: 1, name: 'first', entries }, sources };
}

describe('a set', () => {
  it('is the same after export and import, as a pool and as JSON lines', async () => {
    const { curriculum, sources } = await sample();
    const files = await exportPool(curriculum, sources, 12);
    expect([...files.keys()]).toEqual(['game_00012_000_optimization.py', 'game_00012_001_multi_step_workflows.py', 'game_00012_002_optimization.py', POOL_MANIFEST]);
    for (const back of [await importPool(files), await importJsonLines('first', exportJsonLines(curriculum, sources))]) {
      expect(back.problems).toEqual([]);
      expect(back.entries.map(({ entry }) => entry)).toEqual(curriculum.entries);
      expect(back.entries.map(({ source }) => source)).toEqual([...sources.values()]);
    }
  });

  it('names a damaged or missing file and uses the rest', async () => {
    const { curriculum, sources } = await sample();
    const files = new Map(await exportPool(curriculum, sources));
    files.set(gameFileName(0, 0, 'Optimization'), 'x = 2\n');
    files.delete(gameFileName(0, 1, 'Multi-Step Workflows'));
    const back = await importPool(files);
    expect(back.problems).toEqual([
      { file: 'game_00000_000_optimization.py', why: 'damaged' }, { file: 'game_00000_001_multi_step_workflows.py', why: 'missing' },
    ]);
    expect(back.entries).toHaveLength(1);
    const lines = exportJsonLines(curriculum, sources).replace('"z = 3"', '"z = 4"');
    expect((await importJsonLines('first', `${lines}{"torn`)).problems.map(({ file }) => file)).toEqual(['line 3', 'line 4']);
  });

  it('refuses to export what is not what was accepted, and to import what is no pool', async () => {
    const { curriculum, sources } = await sample();
    sources.set(curriculum.entries[1]!.contentHash, 'changed');
    await expect(exportPool(curriculum, sources)).rejects.toMatchObject({ code: 'review/content-changed' });
    await expect(importPool(new Map())).rejects.toMatchObject({ code: 'review/not-a-pool' });
    await expect(importPool(new Map([[POOL_MANIFEST, '{"version": 2}']]))).rejects.toMatchObject({ code: 'review/not-a-pool' });
  });

  it('shows what it lacks', async () => {
    const { curriculum } = await sample();
    const coverage = coverageOf(curriculum.entries.map(coveredEntry), skills);
    expect(coverage.bySkill).toEqual(new Map([['Optimization', 2], ['Multi-Step Workflows', 1]]));
    expect(coverage.holes).toHaveLength(5);
    expect(coverage.grid.get('Optimization')).toEqual([1, 0, 0, 1]);
    expect(coverage.byBand.get('seed')).toBe(2);
    expect(coverage.byBand.get('not-played')).toBe(1);
  });

  it('has the bands of the run, edges included', () => {
    expect([null, 0.09, 0.1, 0.149, 0.15, 0.85, 0.86, 0.9, 0.91].map(winRateBand)).toEqual(
      ['not-played', 'too-hard', 'dead-zone-low', 'dead-zone-low', 'seed', 'seed', 'dead-zone-high', 'dead-zone-high', 'too-easy']);
  });
});
