import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesSolvability from '../probe/rules/solvability';
import { solutionMissing, solutionShadowed } from '../static/solution';

/** The environment's own solution wins. */
export const solvability: Family = {
  id: 'solvability',
  title: message('Solvability'),
  checks: [
    {
      id: 'solution-missing', severity: 'info', severityIn: { t: 'error', u: 'error' }, stages: ['static'], profiles: [], fixes: false,
      title: message('There is no solution()'),
      static: solutionMissing,
    },
    {
      id: 'solution-shadowed', severity: 'error', stages: ['static'], profiles: [], fixes: true,
      title: message('Data in self.solution hides the method'),
      static: solutionShadowed,
    },
    {
      id: 'solution-raises', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('solution() raises'),
      probe: probesSolvability.solutionRaises,
    },
    {
      id: 'solution-does-not-win', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The environment\'s own solution does not win'),
      probe: probesSolvability.solutionDoesNotWin,
    },
    {
      id: 'win-without-terminated', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The win is not flagged as terminated'),
      probe: probesSolvability.winWithoutTerminated,
    },
    {
      id: 'solution-too-long', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('The solution needs more actions than max_turns'),
      probe: probesSolvability.solutionTooLong,
    },
  ],
};
