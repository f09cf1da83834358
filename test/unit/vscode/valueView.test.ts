import { describe, expect, it } from 'vitest';
import type { Episode } from '../../../src/shared/play';
import { DEPLOYED_WEIGHTS } from '../../../src/core/value/designer';
import { message } from '../../../src/shared/message';
import { valueView } from '../../../src/vscode/play/valueView';

const arm = (...returns: number[]): Episode[] =>
  returns.map((value, seed) => ({ seed, steps: [], finalObservation: '', return: value, runReturn: value, status: 'terminated', error: null }));
const fill = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

describe('the value strip', () => {
  it('of no plays shows no number, and n 0', () => {
    const view = valueView({ noHint: [], hint: [], isPaired: true, isRunning: false });
    for (const { value, interval, n } of [view.mean.hint, view.mean.noHint, view.winRate.hint, view.winRate.noHint]) {
      expect([value, interval, n]).toEqual([null, null, 0]);
    }
    expect(view.designer.blend.value).toBeNull();
  });

  it('gives no number without an interval and what it rests on, once there are two pairs', () => {
    const { mean, winRate, designer } = valueView({ noHint: arm(...fill(6, 0), ...fill(2, 1)), hint: arm(...fill(8, 1)), isPaired: true, isRunning: false });
    for (const figure of [mean.hint, mean.noHint, mean.regret, winRate.hint, winRate.noHint, designer.plateau, designer.regretTerm, designer.blend]) {
      expect(figure.interval?.lo).toBeLessThanOrEqual(figure.value ?? NaN);
      expect(figure.interval?.hi).toBeGreaterThanOrEqual(figure.value ?? NaN);
      expect(figure.n).toBe(8);
    }
  });

  it('shows the raw ratio beside a term that was clipped', () => {
    const { regretTerm } = valueView({ noHint: arm(...fill(8, 0)), hint: arm(...fill(8, 1)), isPaired: true, isRunning: false }).designer;
    expect(regretTerm.value).toBe(1);
    expect(regretTerm.raw).toBeCloseTo(1 / 0.15, 9);
  });

  it('uses the weights that it is given, and says where they come from', () => {
    const weights = { weights: { ...DEPLOYED_WEIGHTS, plateau: 1, regret: 0, band: { lo: 0.2, hi: 0.3, ramp: 0.1 } }, source: message('weights set by hand') };
    const { designer, weights: shown } = valueView({ noHint: arm(...fill(6, 0), ...fill(2, 1)), hint: arm(...fill(8, 1)), isPaired: true, isRunning: false, weights });
    expect([designer.plateau.value, designer.blend.value, shown.lo, shown.source.template]).toEqual([1, 1, 0.2, 'weights set by hand']);
  });

  it('names the difference when the arms are not paired', () => {
    const { sentences, mean } = valueView({ noHint: arm(0, 1), hint: arm(1, 1), isPaired: false, isRunning: false });
    expect(sentences.map(({ strong }) => strong?.template)).toContain('Unpaired, as the run:');
    expect(mean.regret).toMatchObject({ value: 0.5, unit: 'plays' });
  });
});
