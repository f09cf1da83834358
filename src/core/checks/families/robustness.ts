import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesRobustness from '../probe/rules/robustness';

/** No call of the run makes the environment raise or hang. */
export const robustness: Family = {
  id: 'robustness',
  title: message('Robustness'),
  checks: [
    {
      id: 'reset-raises', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('reset raises'),
      probe: probesRobustness.resetRaises,
    },
    {
      id: 'reset-timeout', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('reset does not return in time'),
      probe: probesRobustness.resetTimeout,
    },
    {
      id: 'step-timeout', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('step does not return in time'),
      probe: probesRobustness.stepTimeout,
    },
    {
      id: 'step-raises-on-input', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('step raises on some input'),
      probe: probesRobustness.stepRaisesOnInput,
    },
  ],
};
