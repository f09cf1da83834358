import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesReturns from '../probe/rules/returns';
import { badReturnShape, infoNotDict, terminatedNotBool } from '../static/shapes';

/** What reset and step hand back. */
export const returns: Family = {
  id: 'returns',
  title: message('Return values'),
  checks: [
    {
      id: 'bad-return-shape', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: true,
      title: message('reset or step returns the wrong shape'),
      static: badReturnShape,
      probe: probesReturns.badReturnShape,
    },
    {
      id: 'terminated-not-bool', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: true,
      title: message('An end flag is not a bool'),
      static: terminatedNotBool,
      probe: probesReturns.terminatedNotBool,
    },
    {
      id: 'reward-not-a-number', severity: 'error', stages: ['probe'], profiles: [], fixes: true,
      title: message('The reward is not an int or float for the run'),
      probe: probesReturns.rewardNotANumber,
    },
    {
      id: 'reward-not-finite', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The reward is NaN or infinite'),
      probe: probesReturns.rewardNotFinite,
    },
    {
      id: 'reward-out-of-range', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The reward is outside the range of the run'),
      probe: probesReturns.rewardOutOfRange,
    },
    {
      id: 'observation-empty', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The first observation is empty or no text'),
      probe: probesReturns.observationEmpty,
    },
    {
      id: 'info-not-dict', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: true,
      title: message('info is not a dict'),
      static: infoNotDict,
      probe: probesReturns.infoNotDict,
    },
  ],
};
