import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesLeaks from '../probe/rules/leaks';

/** The agent does not see the answer. */
export const leaks: Family = {
  id: 'leaks',
  title: message('Leaks'),
  checks: [
    {
      id: 'answer-leaked-in-observation', severity: 'warning', stages: ['probe'], profiles: ['s', 'm', 'c'], fixes: false,
      title: message('The first observation holds the answer'),
      probe: probesLeaks.answerLeakedInObservation,
    },
    {
      id: 'answer-revealed-before-end', severity: 'warning', stages: ['probe'], profiles: ['s'], fixes: false,
      title: message('Feedback holds the answer before the last turn'),
      probe: probesLeaks.answerRevealedBeforeEnd,
    },
    {
      id: 'answer-in-info', severity: 'info', stages: ['probe'], profiles: [], fixes: false,
      title: message('info holds the answer'),
      probe: probesLeaks.answerInInfo,
    },
    {
      id: 'observation-too-long', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('The observation is long for the context budget'),
      probe: probesLeaks.observationTooLong,
    },
  ],
};
