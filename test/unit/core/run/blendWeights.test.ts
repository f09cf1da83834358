import { describe, expect, it } from 'vitest';
import { blendWeightsOf } from '../../../../src/core/run/blendWeights';
import { flagsOfShell } from '../../../../src/core/run/launchFlags';
import { DEPLOYED_WEIGHTS } from '../../../../src/core/value/designer';

const of = (line: string) => blendWeightsOf({ flags: flagsOfShell(`python train.py ${line}`)?.flags ?? {} });

describe('the blend that a run was launched with', () => {
  it('is read from its flags', () => {
    expect(of('--spade-env-reward-variant blend --spade-plateau-weight 0.6 --spade-regret-weight 0.4 --spade-regret-floor --spade-regret-scale 0.15 --spade-micro-lp-weight 0.0 --spade-frontier-weight 0'))
      .toEqual(DEPLOYED_WEIGHTS);
    expect(of('--spade-plateau-weight 1 --spade-plateau-lo .2 --spade-plateau-hi "${HI:-0.4}" --spade-plateau-ramp .2')?.band).toEqual({ lo: 0.2, hi: 0.4, ramp: 0.2 });
  });

  it('takes the run’s defaults for what is left out', () => {
    expect(of('--spade-env-reward-variant blend')).toMatchObject({ regret: 0.5, microLp: 0.5, plateau: 0, regretFloor: false });
  });

  it('is not known when the run does not blend, or only its script knows a weight', () => {
    expect(of('--spade-env-reward-variant regret --spade-regret-weight 0.4')).toBeNull();
    expect(of('--spade-skills Optimization')).toBeNull();
    expect(of('--spade-env-reward-variant blend --spade-regret-weight $W')).toBeNull();
  });
});
