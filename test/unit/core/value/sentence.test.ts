import { expect, it } from 'vitest';
import { failureSentence, nanSentence, valueSentence } from '../../../../src/core/value/sentence';
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

const nan: Episode = { ...episode('terminated', null), runReturn: 1 };
const spoken = (sentence: ReturnType<typeof nanSentence>) => sentence && `${formatMessage(sentence.lead)} ${formatMessage(sentence.rest)}`;

it('plays that paid NaN are said with what the run makes of them: wins', () => {
  const noHint = summariseArm([lost, lost, nan, episode('cancelled', null)]);
  expect([noHint.mean, noHint.failed]).toEqual([0, 0]);
  expect(spoken(nanSentence(noHint, null))).toBe('Counted without the play that paid NaN. The run’s clipping makes NaN a win, 1: as the run counts them the mean would be 0.33 (n 3).');
  expect(spoken(nanSentence(noHint, summariseArm([won, nan])))).toBe('Counted without the 2 plays that paid NaN. '
    + 'The run’s clipping makes NaN a win, 1: as the run counts them the mean would be 1.00 with the hint (n 2) and 0.33 without (n 3).');
  expect(nanSentence(summariseArm([won, episode('step-raised', null)]), summariseArm([lost]))).toBeNull();
});

it('plays of which none counts are not taken for no plays', () => {
  const kind = (...episodes: Episode[]) => valueSentence(summariseArm(episodes), null, null, []).kind;
  expect([kind(), kind(episode('cancelled', null)), kind(nan), kind(episode('policy-failed', null), episode('cancelled', null))]).toEqual(['no-plays', 'no-plays', 'none-counts', 'none-counts']);
  expect(formatMessage(valueSentence(summariseArm([nan, nan]), null, null, []).rest)).toMatch(/^Of 2 without the hint none/);
});
