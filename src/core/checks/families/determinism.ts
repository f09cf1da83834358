import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesDeterminism from '../probe/rules/determinism';
import { stepUsesGlobalRng } from '../static/randomness';

/** The same seed and the same actions give the same episode. */
export const determinism: Family = {
  id: 'determinism',
  title: message('Determinism'),
  checks: [
    {
      id: 'step-uses-global-rng', severity: 'warning', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('step draws from the global generator'),
      static: stepUsesGlobalRng,
      probe: probesDeterminism.stepUsesGlobalRng,
    },
    {
      id: 'reset-ignores-seed', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The same seed gives different tasks'),
      probe: probesDeterminism.resetIgnoresSeed,
    },
    {
      id: 'state-outside-the-seed', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('State that survives reset was not drawn from the seed'),
      probe: probesDeterminism.stateOutsideTheSeed,
    },
    {
      id: 'nondeterministic-across-processes', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('Another process gives another task for the same seed'),
      probe: probesDeterminism.nondeterministicAcrossProcesses,
    },
    {
      id: 'step-not-replayable', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The same seed and actions give another episode'),
      probe: probesDeterminism.stepNotReplayable,
    },
    {
      id: 'same-task-for-every-seed', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('Every seed gives the same task'),
      probe: probesDeterminism.sameTaskForEverySeed,
    },
    {
      id: 'instances-share-state', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('Instances share state through the class'),
      probe: probesDeterminism.instancesShareState,
    },
    {
      id: 'thread-sensitive-scoring', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('The same answer scores differently on a worker thread'),
      probe: probesDeterminism.threadSensitiveScoring,
    },
  ],
};
