import { expect, it } from 'vitest';
import { reportOf } from '../../../src/core/play/report';
import { reportText } from '../../../src/node/cli/playText';
import type { Episode } from '../../../src/shared/play';

const failed = (seed: number | null, error: string): Episode => ({ seed, steps: [], finalObservation: '', return: null, runReturn: 0, status: 'policy-failed', error });

it('a report names what went wrong once each, with the instances, and is not taken for one without plays', () => {
  const noHint = [failed(3, 'No key.'), ...Array.from({ length: 10 }, (_, seed) => failed(seed, 'No answer.')), failed(null, 'Other.')];
  const lines = reportText(reportOf({
    file: 'env.py', policy: { name: 'm', simulated: false, usesHint: true, note: null }, mode: 'paired', hint: null, simulatedHint: false, episodes: { noHint, hint: [] },
  })).split('\n');
  expect(lines.slice(-3)).toEqual([
    'seed 3: policy-failed: No key.', 'seeds 0, 1, 2, 3, 4, 5, 6, 7 and 2 more: policy-failed: No answer.', 'seed –: policy-failed: Other.',
  ]);
  expect(lines).toContain('No play counts. Of 12 without the hint none has a return that is a number. Look at their last steps, then play again.');
});
