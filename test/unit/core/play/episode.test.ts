import { describe, expect, it } from 'vitest';
import type { Episode } from '../../../../src/shared/play';
import { startArms, type ArmsOptions } from '../../../../src/core/play/arms';
import type { PlayEvent } from '../../../../src/core/play/events';
import { scriptPolicy, type ScriptedMove } from '../../../../src/core/play/policies/fixed';
import type { Policy } from '../../../../src/core/play/policy';
import { ModelError } from '../../../../src/core/models/errors';
import { message } from '../../../../src/shared/message';
import { hastyClock } from '../../../fakes/clocks';
import { overWallTime, scriptedSandbox, type FakeEnvironment, type FakeStep } from '../../../fakes/scriptedSandbox';

/** An environment whose steps give these results in turn, the last again and again. */
function giving(...steps: FakeStep[]): () => FakeEnvironment {
  return () => {
    let at = 0;
    return { reset: (seed) => `seed ${seed}`, step: () => steps[Math.min(at++, steps.length - 1)]!, solution: () => 'x' };
  };
}

async function playOne(make: (maxTurns: number) => FakeEnvironment, policy: Policy | ScriptedMove[], options: Partial<ArmsOptions> = {}): Promise<Episode & { events: PlayEvent[]; opened: number; leaked: number }> {
  const sandbox = scriptedSandbox(make);
  const events: PlayEvent[] = [];
  const play = startArms({
    file: { name: 'env.py', source: '' }, sandbox, policy: Array.isArray(policy) ? scriptPolicy(policy) : policy,
    hint: null, mode: 'paired', seeds: [7], plays: 1, clock: hastyClock(), ...options,
  }, (event) => events.push(event), new AbortController().signal);
  const report = await play.result;
  return { ...(report.arms.hint ?? report.arms.noHint).episodes.at(-1)!, events, opened: sandbox.opened, leaked: sandbox.open };
}

const failing = (error: Error): Policy => ({ name: 'failing', simulated: false, usesHint: false, note: null, move: () => Promise.reject(error) });
const cut: Policy = { name: 'cut', simulated: false, usesHint: true, note: null, move: () => Promise.resolve({ reply: 'so \\boxed{4', cut: true }) };

describe('an episode’s return', () => {
  it.each([
    ['the last reward when terminated', [['a', 0.5, false, false], ['b', 0.25, true, false]], 0.25, 'terminated'],
    ['clipped', [['a', 7, true, false]], 1, 'terminated'],
    ['0 when truncated only, even for a win', [['a', 1, false, true]], 0, 'truncated'],
    ['flags through bool', [['a', 1, 1, 0]], 1, 'terminated'],
    ['a reward of True as 1', [['a', true, true, false]], 1, 'terminated'],
    ['a reward that is a text of a number', [['a', '0.5', true, false]], 0.5, 'terminated'],
  ] as [string, FakeStep[], number, string][])('is %s', async (_, steps, value, status) => {
    expect(await playOne(giving(...steps), ['a', 'b', 'c'])).toMatchObject({ return: value, runReturn: value, status, leaked: 0 });
  });

  it('is null for NaN, which the run takes for 1', async () => {
    const episode = await playOne(giving(['a', NaN, true, false]), ['a']);
    expect(episode).toMatchObject({ return: null, runReturn: 1, status: 'terminated' });
    expect(episode.steps[0]?.reward).toBe('NaN');
  });

  it('is -1 in the run when a step raises, and not a plain return', async () => {
    const make = () => ({ reset: () => 'go', step: () => { throw new RangeError('boom'); } });
    const episode = await playOne(make, ['a']);
    expect(episode).toMatchObject({ return: null, runReturn: -1, status: 'step-raised', error: 'RangeError: boom', opened: 1 });
    expect(episode.steps[0]).toMatchObject({ reward: -1, terminated: true });
  });

  it.each([['a reward that is no number', 'much'], ['a reward of None', null]])('is -1 in the run for %s', async (_, reward) => {
    expect(await playOne(giving(['a', reward, true, false]), ['a'])).toMatchObject({ runReturn: -1, status: 'step-raised' });
  });
});

describe('an episode ends', () => {
  it('at the turn budget, which counts replies whatever the class says', async () => {
    const episode = await playOne(giving(['again', 1, false, false]), Array<string>(12).fill('x'), { maxTurns: 5 });
    expect(episode).toMatchObject({ status: 'turn-limit', return: 0, runReturn: 0 });
    expect(episode.steps).toHaveLength(5);
  });

  it('when the script has no further action, with the reason', async () => {
    expect(await playOne(giving(['again', 1, false, false]), ['x'])).toMatchObject({ status: 'turn-limit', return: 0, error: 'the policy has no further actions' });
  });

  it('with a step that timed out, which is not tried again', async () => {
    const make = () => ({ reset: () => 'go', step: () => { throw overWallTime(); } });
    expect(await playOne(make, ['a'])).toMatchObject({ status: 'step-timeout', return: null, runReturn: 0, opened: 1, leaked: 0 });
  });

  it('with a reply cut at the token limit, in the arm without a hint', async () => {
    const episode = await playOne(giving(['a', 1, true, false]), cut);
    expect(episode).toMatchObject({ status: 'reply-cut', return: 0 });
    expect(episode.steps[0]).toMatchObject({ reward: null, truncated: true });
  });

  it('but not in the arm with the hint, where the run plays the cut reply', async () => {
    expect(await playOne(giving(['a', 1, true, false]), cut, { hint: 'look' })).toMatchObject({ status: 'terminated', return: 1 });
  });

  it('with a full context, which is no failure', async () => {
    const full = new ModelError('context-full', message('too long'), message('shorten'));
    expect(await playOne(giving(['a', 1, true, false]), failing(full))).toMatchObject({ status: 'context-full', return: 0, opened: 1 });
  });

  it('with a policy that failed twice, and is then no return at all', async () => {
    const episode = await playOne(giving(['a', 1, true, false]), failing(new ModelError('server-error', message('down'), message('look'))));
    expect(episode).toMatchObject({ status: 'policy-failed', return: null, runReturn: 0, error: 'down look', opened: 2, leaked: 0 });
  });

  it('with a reset that raised, tried once more', async () => {
    const make = () => ({ reset: () => { throw new TypeError('no'); }, step: (): FakeStep => ['a', 0, true, false] });
    expect(await playOne(make, ['a'])).toMatchObject({ status: 'step-raised', return: null, runReturn: 0, opened: 2 });
  });
});

describe('what the agent is shown', () => {
  it('is the observation, with the hint below it in the arm of the hint', async () => {
    const { steps } = await playOne(giving(['a', 1, true, false]), ['x'], { hint: 'count the legs' });
    expect(steps[0]?.observation).toBe('seed 7\n\nHINT: count the legs');
  });

  it('comes in events in the order of play', async () => {
    const { events } = await playOne(giving(['a', 0, false, false], ['b', 1, true, false]), ['x', 'y']);
    expect(events.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual(['started', 'loaded', 'shown', 'step', 'shown', 'step', 'ended']);
    expect(events.at(-1)).toEqual({ type: 'progress', done: 1, failed: 0, running: 0, total: 1, tokens: 0 });
  });

  it('ends with what the environment said last', async () => {
    expect((await playOne(giving(['well done', 1, true, false]), ['x'])).finalObservation).toBe('well done');
  });
});

describe('tool use', () => {
  const desk = () => {
    const made: unknown[] = [];
    return {
      reset: () => 'order oats', tools: [],
      tool: (name: string, args: Record<string, unknown>) => { made.push([name, args]); return `${name} ok ${made.length}`; },
      step: (action: string): FakeStep => [JSON.stringify(made), action.includes('<answer>done') ? 1 : -0.1, action.includes('<answer>'), false],
    };
  };
  const call = (name: string, args: unknown) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

  it('makes calls outside of step: they pay nothing and count as replies', async () => {
    const episode = await playOne(desk, [call('order', { item: 'oats' }), '<answer>done</answer>']);
    expect(episode).toMatchObject({ status: 'terminated', return: 1, finalObservation: '[["order",{"item":"oats"}]]' });
    expect(episode.steps.map(({ reward, calls, observation }) => [reward, calls.length, observation])).toEqual([[null, 1, 'order oats'], [1, 0, 'order ok 1']]);
  });

  it('plays native calls like written ones', async () => {
    const episode = await playOne(desk, [{ reply: '', calls: [{ id: 'c', name: 'order', arguments: { item: 'oats' } }] }, '<answer>done</answer>']);
    expect(episode.finalObservation).toBe('[["order",{"item":"oats"}]]');
  });

  it('drops the calls of a reply that holds an answer, and says so', async () => {
    const episode = await playOne(desk, [`${call('order', {})}<answer>done</answer>`]);
    expect(episode).toMatchObject({ finalObservation: '[]', return: 1 });
    expect(episode.steps[0]?.notices).toContain('answer-drops-calls');
  });

  it('passes nested arguments as written and says that the run loses them; as the run, they are lost', async () => {
    const nested = [call('book', { who: { first: 'Ana' } }), '<answer>done</answer>'];
    const written = await playOne(desk, nested);
    expect(written.finalObservation).toBe('[["book",{"who":{"first":"Ana"}}]]');
    expect(written.steps[0]?.notices).toContain('nested-arguments-lost');
    const asRun = await playOne(desk, nested, { mode: 'as-run', asRun: { hintPlays: 0, noHintPlays: 1, drawSeed: 0 } });
    expect(asRun.finalObservation).toBe('[["book",{}]]');
  });

  it('sends a reply without a call to step, where it costs', async () => {
    const { steps } = await playOne(desk, ['hmm', '<answer>done</answer>']);
    expect(steps.map(({ reward }) => reward)).toEqual([-0.1, 1]);
  });
});
