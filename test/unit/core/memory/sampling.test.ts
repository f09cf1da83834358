import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readMemory, type MemoryEntry } from '../../../../src/core/memory/readMemory';
import { classify, negativePool, oddsOverPrompts, poolsBySkill, seedPool, standings } from '../../../../src/core/memory/sampling';
import { added, memoryText, recordText } from '../../../../src/core/memory/writeMemory';
import { seededRandom } from '../../../../src/core/play/random';

function buffer(records: readonly { rate: number; regret: number; skill?: string }[]): readonly MemoryEntry[] {
  return readMemory(memoryText(records.map(({ rate, regret, skill = 'Optimization' }, index) =>
    recordText({ game_file: `g${index}.py`, skill, code: `x${index}`, actor_win_rate: rate, regret })))).entries;
}

describe('classes', () => {
  it.each([
    [0.15, 'seed'], [0.85, 'seed'], [0.1499, 'dead-zone'], [0.1, 'dead-zone'], [0.0999, 'too-hard'], [0, 'too-hard'], [0.8501, 'dead-zone'], [0.9, 'dead-zone'],
    [0.9001, 'too-easy'], [1, 'too-easy'], [Number.NaN, 'dead-zone'],
  ])('a win rate of %f is %s', (rate, kind) => expect(classify(rate)).toBe(kind));
});

describe('pools', () => {
  it('the best regret first, the oldest of equals first, at most ten', () => {
    const entries = buffer([{ rate: 0.5, regret: 0.1 }, { rate: 0.5, regret: 0.3 }, { rate: 0.5, regret: 0.3 }, ...Array.from({ length: 10 }, () => ({ rate: 0.4, regret: 0 }))]);
    expect(seedPool(entries, 'Optimization').map(({ index }) => index)).toEqual([1, 2, 0, 3, 4, 5, 6, 7, 8, 9]);
    expect(seedPool(entries, 'Optimization', 4)).toHaveLength(12);
  });

  it('hold one skill each', () => {
    const entries = buffer([{ rate: 0.5, regret: 0 }, { rate: 1, regret: 0, skill: 'Causal Inference' }, { rate: 0.5, regret: 1, skill: 'Causal Inference' }]);
    expect(Object.fromEntries(poolsBySkill(entries))).toEqual({ Optimization: { seeds: [0], negatives: [] }, 'Causal Inference': { seeds: [2], negatives: [1] } });
    expect(seedPool(entries).map(({ index }) => index)).toEqual([2, 0]);
  });

  it('put a NaN regret where Python puts it', () => {
    const regrets = fc.array(fc.oneof(fc.constantFrom(Number.NaN, 0, 0.5), fc.double({ min: -1, max: 1, noNaN: true })), { minLength: 1, maxLength: 40 });
    const samples = fc.sample(regrets, 100);
    const script = 'import json,sys\nout=[]\nfor row in json.load(sys.stdin):\n  items=list(enumerate(row)); items.sort(key=lambda i: i[1], reverse=True); out.append([i for i,_ in items][:10])\njson.dump(out,sys.stdout)';
    const text = `[${samples.map((row) => `[${row.map((value) => (Number.isNaN(value) ? 'NaN' : JSON.stringify(value))).join(',')}]`).join(',')}]`;
    const expected = JSON.parse(execFileSync('python3', ['-c', script], { input: text }).toString()) as number[][];
    expect(samples.map((row) => seedPool(buffer(row.map((regret) => ({ rate: 0.5, regret })))).map(({ index }) => index))).toEqual(expected);
  });
});

describe('odds', () => {
  const random = seededRandom('draws');
  const draw = <T>(items: readonly T[], count: number): T[] => {
    const left = [...items];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
  };

  it('agree with 100,000 simulated draws', () => {
    const entries = buffer([
      ...Array.from({ length: 13 }, (_, index) => ({ rate: 0.2 + index * 0.04, regret: (index * 7) % 5 })), { rate: 0.95, regret: 0 }, { rate: 0.99, regret: 0 }, { rate: 0.02, regret: 1 },
      { rate: 0.12, regret: 2 }, { rate: 0.5, regret: 9, skill: 'Causal Inference' },
    ]);
    const drawn = new Array<number>(entries.length).fill(0);
    const prompts = 100_000;
    for (let prompt = 0; prompt < prompts; prompt += 1) {
      const chosen = [...draw(seedPool(entries, 'Optimization'), 2), ...draw(negativePool(entries, 'Optimization'), 1)];
      for (const { index } of chosen) drawn[index] = (drawn[index] ?? 0) + 1;
    }
    const odds = standings(entries).map((standing, index) => (entries[index]?.skill === 'Optimization' ? standing.odds : 0));
    drawn.forEach((count, index) => expect(Math.abs(count / prompts - (odds[index] ?? 0))).toBeLessThan(0.006));
    expect(odds.filter((value) => value > 0)).toHaveLength(13);
  });

  it('over several prompts', () => {
    expect(oddsOverPrompts(0.2, 1)).toBeCloseTo(0.2, 12);
    expect(oddsOverPrompts(0.2, 4)).toBeCloseTo(1 - 0.8 ** 4, 12);
  });

  it('a seed beyond the pool has no rank and no odds', () => {
    const entries = buffer(Array.from({ length: 11 }, (_, index) => ({ rate: 0.5, regret: -index })));
    expect(standings(entries)[10]).toMatchObject({ class: 'seed', poolRank: null, odds: 0 });
    expect(standings(entries)[9]).toMatchObject({ poolRank: 10, odds: 0.2 });
  });
});

describe('eviction', () => {
  it('comes after as many adds as said', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10 }), (size, capacity) => {
      const entries = buffer(Array.from({ length: size }, () => ({ rate: 0.5, regret: 0 })));
      const said = standings(entries, capacity).map(({ evictedAfterAdds }) => evictedAfterAdds);
      let records = entries.map(({ source }) => source);
      const first = new Map<string, number>();
      for (let adds = 1; adds <= size + capacity; adds += 1) {
        records = added(records, `new ${adds}`, capacity);
        for (const { source } of entries) if (!records.includes(source) && !first.has(source)) first.set(source, adds);
      }
      expect(entries.map(({ source }) => first.get(source))).toEqual(said);
    }));
  });
});
