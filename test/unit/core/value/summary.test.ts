import { describe, expect, it } from 'vitest';
import type { Episode } from '../../../../src/shared/play';
import { formatMessage } from '../../../../src/shared/message';
import { designerTerms, pairBySeed, pairedRegret, summariseArm } from '../../../../src/core/value/summary';
import { morePairs, valueSentence } from '../../../../src/core/value/sentence';

function episode(seed: number | null, value: number | null, more: Partial<Episode> = {}): Episode {
  return { seed, steps: [], finalObservation: '', return: value, runReturn: value ?? 1, status: 'terminated', error: null, ...more };
}
const arm = (...returns: (number | null)[]): Episode[] => returns.map((value, seed) => episode(seed, value));
const said = (hint: Episode[] | null, noHint: Episode[], running = false) => {
  const paired = hint && pairedRegret(hint, noHint);
  const sentence = valueSentence(summariseArm(noHint), hint && summariseArm(hint), paired, hint ? pairBySeed(hint, noHint) : [], running);
  return { kind: sentence.kind, text: `${formatMessage(sentence.lead)} ${formatMessage(sentence.rest)}` };
};

describe('an arm', () => {
  it('means plain returns that are numbers; the rest is counted apart', () => {
    const report = summariseArm([...arm(1, 0, null, 0.5), episode(9, null, { status: 'policy-failed' })]);
    expect(report).toMatchObject({ mean: 0.5, winRate: 2 / 3, failed: 1 });
    expect(report.interval?.n).toBe(3);
  });

  it('of no plays has no mean, no win rate and no interval', () => {
    expect(summariseArm([])).toEqual({ episodes: [], mean: null, interval: null, winRate: null, failed: 0 });
  });
});

describe('regret', () => {
  it('pairs plays of one seed in their order and leaves out what has no partner', () => {
    const hint = [episode(3, 1), episode(3, 0), episode(4, 1), episode(null, 1)];
    const noHint = [episode(4, 0), episode(3, 0), episode(5, 1)];
    expect(pairBySeed(hint, noHint)).toEqual([{ hint: 1, noHint: 0 }, { hint: 1, noHint: 0 }]);
    expect(pairedRegret(hint, noHint)).toMatchObject({ regret: 1, pairs: 2 });
  });

  it('is null without a pair', () => expect(pairedRegret(arm(1), [episode(7, 0)])).toBeNull());
});

describe('the designer\'s terms', () => {
  it('take the run\'s returns: NaN is a win there', () => {
    expect(designerTerms([episode(0, null), episode(1, 0)], null)).toEqual({ plateau: 1, regretTerm: null, blend: null });
  });

  it('count a failed hint play as the run does, and drop a failed no-hint play', () => {
    const failed = { status: 'policy-failed', runReturn: 0 } as const;
    const terms = designerTerms([episode(0, 0.5), episode(1, null, failed)], [episode(0, 1), episode(1, null, failed)]);
    expect(terms?.plateau).toBe(1);
    expect(terms?.regretTerm).toBe(0);
    expect(terms?.blend).toBeCloseTo(0.6, 9);
  });
});

describe('the plain sentence', () => {
  const fill = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

  it('teaches now when the interval of regret is above 0', () => {
    expect(said(arm(...fill(16, 1)), arm(...fill(12, 0), ...fill(4, 1)))).toMatchObject({ kind: 'teaches-now' });
  });
  it('too early while running and with few pairs', () => {
    expect(said(arm(1, 1), arm(0, 0)).kind).toBe('too-early');
    expect(said(arm(...fill(16, 1)), arm(...fill(16, 0)), true).kind).toBe('too-early');
  });
  it('teaches little when won without the hint', () => {
    expect(said(arm(...fill(32, 1)), arm(...fill(31, 1), 0))).toEqual({ kind: 'teaches-little', text: 'Teaches little now: won 31 of 32 without the hint.' });
  });
  it('out of reach when lost with the hint too', () => expect(said(arm(...fill(16, 0)), arm(...fill(16, 0))).kind).toBe('out-of-reach'));
  it('the hint hurts when the interval is below 0', () => expect(said(arm(...fill(16, 0)), arm(...fill(16, 1))).kind).toBe('hint-hurts'));
  it('cannot tell otherwise, and says how many pairs are missing', () => {
    const result = said(arm(1, 1, 1, 0, 0, 0), arm(1, 1, 0, 0, 0, 0));
    expect(result.kind).toBe('cannot-tell');
    expect(result.text).toMatch(/about \d+ more pairs/);
  });
  it('without plays or without a hint arm says so', () => {
    expect(said(null, []).kind).toBe('no-plays');
    expect(said(null, arm(1, 0)).kind).toBe('no-hint-arm');
  });
  it('forecasts nothing when the gap is decided or there is none', () => {
    expect(morePairs(pairBySeed(arm(1, 1, 1, 1, 1, 1, 1, 1), arm(0, 0, 0, 0, 0, 0, 0, 0)))).toBeNull();
    expect(morePairs(pairBySeed(arm(1, 0), arm(0, 1)))).toBeNull();
  });
});
