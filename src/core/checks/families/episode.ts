import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesEpisode from '../probe/rules/episode';
import { formatBranchIgnoresMaxTurns, newTaskInsideStep } from '../static/episode';

/** How an episode goes on and ends. */
export const episode: Family = {
  id: 'episode',
  title: message('Episode'),
  checks: [
    {
      id: 'format-branch-ignores-max-turns', severity: 'warning', stages: ['static', 'probe'], profiles: ['s', 'm', 'c'], fixes: false,
      title: message('Replies without a box never end the episode'),
      static: formatBranchIgnoresMaxTurns,
      probe: probesEpisode.formatBranchIgnoresMaxTurns,
    },
    {
      id: 'never-ends', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('Nothing ends the episode'),
      probe: probesEpisode.neverEnds,
    },
    {
      id: 'last-turn-not-scored', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('The right answer on the last permitted turn loses'),
      probe: probesEpisode.lastTurnNotScored,
    },
    {
      id: 'step-after-end-reopens-episode', severity: 'info', stages: ['probe'], profiles: [], fixes: false,
      title: message('A step after the end reopens the episode'),
      probe: probesEpisode.stepAfterEndReopensEpisode,
    },
    {
      id: 'step-after-end-pays', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('A step after the end pays'),
      probe: probesEpisode.stepAfterEndPays,
    },
    {
      id: 'new-task-inside-step', severity: 'warning', stages: ['static', 'probe'], profiles: ['s'], fixes: false,
      title: message('The task changes while the episode goes on'),
      static: newTaskInsideStep,
      probe: probesEpisode.newTaskInsideStep,
    },
  ],
};
