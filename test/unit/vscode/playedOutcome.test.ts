import { expect, it, vi } from 'vitest';
import { provenanceWarnings } from '../../../src/core/memory/warnings';
import { cheatPolicy } from '../../../src/core/play/policies/cheats';
import { humanPolicy, noopPolicy, oraclePolicy, scriptPolicy, takeOver } from '../../../src/core/play/policies/fixed';
import { randomPolicy } from '../../../src/core/play/policies/random';
import { simulatedLearner } from '../../../src/core/play/policies/simulated';
import type { Policy } from '../../../src/core/play/policy';
import { reportOf } from '../../../src/core/play/report';
import { laterOutcome, outcomeOf, playedOutcome } from '../../../src/core/review/played';
import type { Episode } from '../../../src/shared/play';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { figuresOfPlays } = await import('../../../src/vscode/run/pushFigures');

const outcome = (winRate: number, simulated: boolean) => ({ winRate, regret: 0.1, plays: 8, simulated });

it('what no model played never takes the place of what a model did; everything else gives way to what is newer', () => {
  const [measured, learner] = [outcome(0.5, false), outcome(0.9, true)];
  expect(laterOutcome(measured, learner)).toBe(measured);
  expect(laterOutcome(learner, measured)).toBe(measured);
  expect(laterOutcome(learner, outcome(0.2, true)).winRate).toBe(0.2);
  expect(laterOutcome(measured, outcome(0.2, false)).winRate).toBe(0.2);
  expect(laterOutcome(null, learner)).toBe(learner);
});

const episode = (seed: number, value: number | null, status: Episode['status'] = 'terminated'): Episode => ({
  seed, steps: [], finalObservation: '', return: value, runReturn: value ?? 0, status, error: null,
});
const played = (policy: Policy, noHint: readonly Episode[]) =>
  reportOf({ file: 'env.py', policy, mode: 'paired', hint: null, simulatedHint: false, episodes: { noHint, hint: [] } });
const model: Policy = { ...noopPolicy(), name: 'qwen3-8b', simulated: false };

it('plays count where they have a return: what failed, was stopped or paid no number makes no larger n', () => {
  const report = played(model, [episode(0, 1), episode(1, 0), episode(2, null), episode(3, null, 'cancelled'), episode(4, null, 'policy-failed')]);
  expect(outcomeOf(report)).toEqual({ winRate: 0.5, regret: 0, plays: 2, simulated: false });
  expect(figuresOfPlays(report)).toMatchObject({ winRate: 0.5, provenance: { plays: 2, simulated: false }, source: { plays: 2 } });
  expect(outcomeOf(played(model, [episode(0, null, 'cancelled')]))).toBeNull();
});

it('only a model makes a measured outcome: the solution, a script, the cheats, chance, nothing and a person do not', () => {
  const others = [oraclePolicy(), scriptPolicy(['x']), cheatPolicy(), randomPolicy(0), noopPolicy(), humanPolicy(() => Promise.resolve(null)), simulatedLearner({ chance: 1, chanceWithHint: 1, seed: 0 })];
  const all = [...others, takeOver(model, 1, humanPolicy(() => Promise.resolve(null)))];
  expect(all.map((policy) => [policy.name, outcomeOf(played(policy, [episode(0, 1)]))?.simulated])).toEqual(all.map(({ name }) => [name, true]));
  expect(all.flatMap((policy) => provenanceWarnings(figuresOfPlays(played(policy, [episode(0, 1)]))?.provenance).map(({ id }) => id))).toEqual(all.map(() => 'simulated'));
  expect(outcomeOf(played(model, [episode(0, 1)]))?.simulated).toBe(false);
});

it('plays for which a hint changes nothing say nothing of the regret of a file under review', () => {
  const said = (policy: Policy) => {
    const episodes = { noHint: [episode(0, 0), episode(1, 1)], hint: [episode(0, 1), episode(1, 1)] };
    return playedOutcome(reportOf({ file: 'env.py', policy, mode: 'paired', hint: 'Look.', simulatedHint: false, episodes }), policy.usesHint);
  };
  expect(said({ ...model, usesHint: true })).toMatchObject({ regret: { value: 0.5 }, disagreement: 0.5 });
  expect([oraclePolicy(), randomPolicy(0), cheatPolicy()].map(said)).toEqual([null, null, null]);
});
