import { describe, expect, it } from 'vitest';
import type { Episode } from '../../../../src/shared/play';
import { episodeKey, startArms, type ArmsOptions } from '../../../../src/core/play/arms';
import type { PlayEvent } from '../../../../src/core/play/events';
import { oraclePolicy, scriptPolicy } from '../../../../src/core/play/policies/fixed';
import { simulatedLearner } from '../../../../src/core/play/policies/simulated';
import type { Policy } from '../../../../src/core/play/policy';
import { SandboxError } from '../../../../src/core/sandboxError';
import { message } from '../../../../src/shared/message';
import { hastyClock } from '../../../fakes/clocks';
import { scriptedSandbox, type FakeEnvironment } from '../../../fakes/scriptedSandbox';

/** Wins with the seed in a box, three tries. */
const echo = (): FakeEnvironment & { seeds: (number | null)[] } => {
  let answer = '';
  let turns = 0;
  const seeds: (number | null)[] = [];
  return {
    seeds,
    reset: (seed) => { seeds.push(seed); answer = String(seed); turns = 0; return `say ${seed}`; },
    step: (action) => {
      turns += 1;
      const won = action.includes(`\\boxed{${answer}}`);
      return [won ? 'yes' : 'no', won ? 1 : 0, won, !won && turns >= 3];
    },
    solution: () => answer,
  };
};

const options = (over: Partial<ArmsOptions> = {}): ArmsOptions => ({
  file: { name: 'env.py', source: '' }, sandbox: scriptedSandbox(echo), policy: oraclePolicy(), hint: 'say the seed', mode: 'paired',
  seeds: [3, 1, 2], plays: 2, clock: hastyClock(), ...over,
});
const never = new AbortController().signal;
const quiet = () => undefined;

describe('paired plays', () => {
  it('put both arms on the same seeds, in the same order', async () => {
    const { arms, paired, designer } = await startArms(options(), quiet, never).result;
    expect(arms.noHint.episodes.map(({ seed }) => seed)).toEqual([3, 3, 1, 1, 2, 2]);
    expect(arms.hint?.episodes.map(({ seed }) => seed)).toEqual([3, 3, 1, 1, 2, 2]);
    expect({ mean: arms.hint?.mean, pairs: paired?.pairs, regret: paired?.regret }).toEqual({ mean: 1, pairs: 6, regret: 0 });
    expect(designer?.regretTerm).toBe(0);
  });

  it('play one arm when there is no hint', async () => {
    const report = await startArms(options({ hint: null }), quiet, never).result;
    expect(report).toMatchObject({ hint: null, paired: null, arms: { hint: null } });
    expect(report.arms.noHint.episodes).toHaveLength(6);
  });

  it('never run more episodes at once than allowed', async () => {
    let running = 0;
    let most = 0;
    const slow: Policy = {
      name: 'slow', simulated: false, usesHint: false, note: null,
      move: async ({ setting }) => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return { reply: `\\boxed{${setting.seed}}` };
      },
    };
    await startArms(options({ policy: slow, concurrency: 3 }), quiet, never).result;
    expect(most).toBe(3);
  });
});

describe('plays as the run plays', () => {
  it('give the hint arm a seed of its own a play, and the other arm one unseeded instance after a warm reset', async () => {
    const seen: (number | null)[][] = [];
    const sandbox = scriptedSandbox(() => { const env = echo(); seen.push(env.seeds); return env; });
    const asRun = { hintPlays: 4, noHintPlays: 2, drawSeed: 5 };
    const play = startArms(options({ sandbox, mode: 'as-run', asRun, concurrency: 1 }), quiet, never);
    const report = await play.result;
    expect(new Set(report.arms.hint?.episodes.map(({ seed }) => seed)).size).toBe(4);
    expect(report.arms.noHint.episodes.map(({ seed }) => seed)).toEqual([null, null]);
    expect(seen.every(([first]) => first === 123)).toBe(true);
    expect(report).toMatchObject({ mode: 'as-run', paired: null, unpaired: { regret: 0 } });
    expect(report.notes.join()).toContain('Unpaired, as the run');
    expect(startArms(options({ mode: 'as-run', asRun }), quiet, never).plan).toEqual(play.plan);
  });
});

describe('cancelling and going on', () => {
  const hanging: Policy = {
    name: 'hanging', simulated: false, usesHint: false, note: null,
    move: ({ setting }, signal) => new Promise((resolve, reject) => {
      if (setting.seed === 1) return resolve({ reply: '\\boxed{1}' });
      signal.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')));
    }),
  };

  it('ends one episode and goes on with the others', async () => {
    const play = startArms(options({ policy: hanging, seeds: [2, 1], plays: 1, hint: null, concurrency: 1 }), (event) => {
      if (event.type === 'shown' && event.ref.seed === 2) setTimeout(() => play.cancel(event.ref));
    }, never);
    const { arms } = await play.result;
    expect(arms.noHint.episodes.map(({ seed, status }) => [seed, status])).toEqual([[2, 'cancelled'], [1, 'terminated']]);
    expect({ mean: arms.noHint.mean, failed: arms.noHint.failed }).toEqual({ mean: 1, failed: 0 });
  });

  it('ends one that still waits at once, and never begins it', async () => {
    const events: string[] = [];
    const play = startArms(options({ seeds: [1, 3, 4], plays: 1, hint: null, concurrency: 1 }), (event) => {
      if (event.type === 'started' || event.type === 'ended') events.push(`${event.type} ${event.ref.seed}`);
      if (event.type === 'started' && event.ref.seed === 1) play.cancel(play.plan.order.find(({ seed }) => seed === 4)!);
    }, never);
    const { arms } = await play.result;
    expect(events).toEqual(['started 1', 'ended 4', 'ended 1', 'started 3', 'ended 3']);
    expect(arms.noHint.episodes.map(({ seed, status }) => [seed, status])).toEqual([[1, 'terminated'], [3, 'terminated'], [4, 'cancelled']]);
  });

  it('ends one that looks for solutions of other seeds, and not those that wait for the same', async () => {
    const asks: Policy = {
      name: 'asks', simulated: true, usesHint: false, note: null,
      move: async (turn) => {
        const found = turn.otherSolutions();
        if (turn.setting.seed === 1) play.cancel(play.plan.order[0]!);
        return { reply: `\\boxed{${(await found)[turn.setting.seed ?? 0]}}` };
      },
    };
    const sandbox = scriptedSandbox(echo);
    const play = startArms(options({ sandbox, policy: asks, seeds: [1, 2, 4], plays: 1, hint: null, concurrency: 2 }), quiet, never);
    const { arms } = await play.result;
    expect(arms.noHint.episodes.map(({ status, return: paid }) => [status, paid])).toEqual([['cancelled', null], ['terminated', 1], ['terminated', 1]]);
    expect(sandbox).toMatchObject({ opened: 4, open: 0 });
  });

  it('ends all, reports what was played, and leaves no session open', async () => {
    const controller = new AbortController();
    const sandbox = scriptedSandbox(echo);
    const play = startArms(options({ sandbox, policy: hanging, seeds: [1, 2, 3, 4], plays: 1, hint: null, concurrency: 2 }), (event) => {
      if (event.type === 'ended') setTimeout(() => controller.abort());
    }, controller.signal);
    const { arms } = await play.result;
    expect(arms.noHint.episodes.map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'terminated']);
    expect(sandbox.open).toBe(0);
  });

  it('goes on where it stopped: ended episodes are not played again, cancelled ones are', async () => {
    const first = await startArms(options({ seeds: [1, 2], plays: 1, hint: null }), quiet, never).result;
    const cancelled: Episode = { ...first.arms.noHint.episodes[1]!, status: 'cancelled', return: null };
    const resume = new Map([
      [episodeKey({ arm: 'noHint', slot: 0, seed: 1, play: 0 }), first.arms.noHint.episodes[0]!],
      [episodeKey({ arm: 'noHint', slot: 1, seed: 2, play: 0 }), cancelled],
    ]);
    const events: PlayEvent[] = [];
    const again = await startArms(options({ seeds: [1, 2, 3], plays: 1, hint: null, resume }), (event) => events.push(event), never).result;
    expect(again.arms.noHint.episodes.map(({ status }) => status)).toEqual(['terminated', 'terminated', 'terminated']);
    expect(events.filter(({ type }) => type === 'started').map((event) => event.type === 'started' && event.ref.seed)).toEqual([2, 3]);
  });

  it('fails as a whole when there is no sandbox', async () => {
    const sandbox = { ...scriptedSandbox(echo), get: () => Promise.reject(new SandboxError('sandbox/none', message('no sandbox'), message('install one'))) };
    await expect(startArms(options({ sandbox }), quiet, never).result).rejects.toMatchObject({ code: 'sandbox/none' });
  });
});

describe('the simulated learner', () => {
  const learner = (chance: number, chanceWithHint: number) => simulatedLearner({ chance, chanceWithHint, seed: 1 });

  it('wins with its two chances, and its report says that it is no model', async () => {
    const seeds = Array.from({ length: 400 }, (_, seed) => seed);
    const report = await startArms(options({ policy: learner(0.2, 0.7), seeds, plays: 1, concurrency: 16 }), quiet, never).result;
    expect(report.arms.noHint.winRate).toBeGreaterThan(0.14);
    expect(report.arms.noHint.winRate).toBeLessThan(0.26);
    expect(report.arms.hint?.winRate).toBeGreaterThan(0.63);
    expect(report.arms.hint?.winRate).toBeLessThan(0.77);
    expect(report.simulated).toBe(true);
    expect(report.notes.join()).toContain('not a model');
    expect(report.arms.noHint.episodes[0]?.steps[0]?.reply).toContain('not a model');
  });

  it('plays the same again from the same seed', async () => {
    const play = () => startArms(options({ policy: learner(0.5, 0.5) }), quiet, never).result;
    expect(await play()).toEqual(await play());
  });

  it('never wins at 0 and always at 1', async () => {
    const report = await startArms(options({ policy: learner(0, 1), plays: 5 }), quiet, never).result;
    expect([report.arms.noHint.winRate, report.arms.hint?.winRate]).toEqual([0, 1]);
  });
});

it('a script that holds the solution wins', async () => {
  const report = await startArms(options({ policy: scriptPolicy(['\\boxed{no}', '\\boxed{<solution()>}']), hint: null }), quiet, never).result;
  expect(report.arms.noHint.winRate).toBe(1);
});
