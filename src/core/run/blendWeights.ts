import type { Launch } from '../../shared/launch';
import { DEFAULT_WEIGHTS, type BlendWeights } from '../value/designer';
import { flagNumber } from './runSettings';

/**
 * The blend's weights as a run was launched with them; what the flags leave out is the run's default (run contract §6). Null when the flags
 * do not say that the run blends, or a value is only known to the script.
 */
export function blendWeightsOf({ flags }: Pick<Launch, 'flags'>): BlendWeights | null {
  const variant = flags['spade-env-reward-variant']?.values[0];
  const names = Object.keys(flags).filter((name) => /^spade-(plateau|regret|micro-lp|frontier)-/.test(name));
  if (variant !== 'blend' && (variant !== undefined || names.length === 0)) return null;
  const switches = new Set(['spade-regret-floor']);
  if (names.some((name) => !switches.has(name) && flags[name]!.values.length > 0 && flagNumber(flags[name]) === null && name !== 'spade-micro-lp-estimator')) return null;
  const value = (name: string, otherwise: number): number => flagNumber(flags[name]) ?? otherwise;
  const { band } = DEFAULT_WEIGHTS;
  return {
    ...DEFAULT_WEIGHTS,
    regret: value('spade-regret-weight', DEFAULT_WEIGHTS.regret),
    microLp: value('spade-micro-lp-weight', DEFAULT_WEIGHTS.microLp),
    plateau: value('spade-plateau-weight', DEFAULT_WEIGHTS.plateau),
    frontier: value('spade-frontier-weight', DEFAULT_WEIGHTS.frontier),
    regretScale: value('spade-regret-scale', DEFAULT_WEIGHTS.regretScale),
    microLpScale: value('spade-micro-lp-scale', DEFAULT_WEIGHTS.microLpScale),
    frontierScale: value('spade-frontier-scale', DEFAULT_WEIGHTS.frontierScale),
    regretFloor: flags['spade-regret-floor'] !== undefined,
    band: { lo: value('spade-plateau-lo', band.lo), hi: value('spade-plateau-hi', band.hi), ramp: value('spade-plateau-ramp', band.ramp) },
  };
}
