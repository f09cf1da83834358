import { message } from '../../../shared/message';
import type { Family } from '../check';

/** What plays and a model say about the file. */
export const opinion: Family = {
  id: 'opinion',
  title: message('Hint and screen'),
  checks: [
    {
      id: 'hint-leaks-answer', severity: 'warning', severityIn: { t: 'error', u: 'error' }, stages: ['play'], profiles: [], fixes: false,
      title: message('The hint holds the answer'),
    },
    {
      id: 'hint-too-long', severity: 'info', stages: ['play'], profiles: [], fixes: false,
      title: message('The hint is longer than 100 words'),
    },
    {
      id: 'screen-rejects', severity: 'error', stages: ['screen'], profiles: [], fixes: false,
      title: message('The model screen rejects the file'),
    },
    {
      id: 'screen-undecided', severity: 'warning', stages: ['screen'], profiles: [], fixes: false,
      title: message('The model screen came to no verdict'),
    },
  ],
};
