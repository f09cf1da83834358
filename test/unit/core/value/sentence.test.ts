import { expect, it } from 'vitest';
import { failureSentence } from '../../../../src/core/value/sentence';
import { summariseArm } from '../../../../src/core/value/summary';
import { formatMessage } from '../../../../src/shared/message';
import type { Episode } from '../../../../src/shared/play';

const episode = (status: Episode['status'], value: number | null): Episode => ({
  seed: 0, steps: [], finalObservation: '', return: value, runReturn: value ?? 0, status, error: null,
});
const won = episode('terminated', 1);
const lost = episode('terminated', 0);
const said = (...arms: Parameters<typeof failureSentence>) => {
  const sentence = failureSentence(...arms);
  return sentence && [formatMessage(sentence.lead), formatMessage(sentence.rest)];
};

it('failed plays are said with what the run makes of them: 0 with the hint, dropped without', () => {
  const noHint = summariseArm([won, lost, episode('policy-failed', null)]);
  const hint = summariseArm([won, won, won, episode('step-timeout', null)]);
  expect([noHint.mean, hint.mean]).toEqual([0.5, 1]);
  expect(said(noHint, hint)).toEqual([
    'Counted without the 2 failures.',
    'As the run counts them (hint failure as 0, no-hint failures dropped unless step() raised) the hint mean would be 0.75 (n 4) and regret 0.25.',
  ]);
});

it('nothing is said without a failure, and no figure where an arm is missing', () => {
  expect(said(summariseArm([won]), summariseArm([lost, episode('cancelled', null)]))).toBeNull();
  expect(said(summariseArm([won, episode('policy-failed', null)]), null)?.[0]).toBe('Counted without the failed play.');
});
