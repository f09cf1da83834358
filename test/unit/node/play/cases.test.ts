import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode } from '../../../../src/shared/play';
import { startArms, type ArmsOptions } from '../../../../src/core/play/arms';
import { oraclePolicy, scriptPolicy } from '../../../../src/core/play/policies/fixed';
import { simulatedLearner } from '../../../../src/core/play/policies/simulated';
import { createSandboxProvider } from '../../../../src/node/sandbox/provider';
import { fixture, fixturePath } from '../../../helpers/fixtures';

interface CasePlay {
  seed?: number;
  actions?: string[];
  calls?: [string, Record<string, unknown>][];
  then?: string;
  max_turns?: number;
  steps?: [number | string, boolean, boolean][];
  return?: number;
  spade_episode_return?: number;
  status?: string;
  host_stops_after?: number;
}

const root = join(import.meta.dirname, '../../../..');
const sandbox = createSandboxProvider({
  choice: 'native', assetsDir: join(root, 'src'), logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
});
afterAll(() => sandbox.dispose());

async function play(source: string, options: Partial<ArmsOptions>): Promise<Episode[]> {
  const report = await startArms({
    file: { name: 'env.py', source }, sandbox, policy: oraclePolicy(), hint: null, mode: 'paired', seeds: [42], plays: 1,
    clock: { now: () => performance.now() }, ...options,
  }, () => undefined, new AbortController().signal).result;
  return report.arms.noHint.episodes;
}

const played = readdirSync(fixturePath('cases')).flatMap((name) => {
  if (!/^\d/.test(name)) return [];
  const expected = fixture<{ play?: CasePlay }>(`cases/${name}/expected.json`);
  return expected.play ? [[name, expected.play] as const] : [];
});

describe('a case from the field plays as it says', () => {
  it.each(played)('%s', async (name, expected) => {
    const source = readFileSync(fixturePath(`cases/${name}/env.py`), 'utf8');
    const calls = (expected.calls ?? []).map(([tool, args]) => `<tool_call>${JSON.stringify({ name: tool, arguments: args })}</tool_call>`);
    const actions = [...calls, ...(expected.actions ?? []), ...(expected.then === undefined ? [] : [expected.then])];
    const [episode] = await play(source, {
      policy: scriptPolicy(actions), seeds: [expected.seed ?? 42], ...(expected.max_turns === undefined ? {} : { maxTurns: expected.max_turns }),
    });
    if (expected.return !== undefined) expect(episode).toMatchObject({ return: expected.return, runReturn: expected.return });
    if (expected.spade_episode_return !== undefined) expect(episode).toMatchObject({ return: null, runReturn: expected.spade_episode_return });
    if (expected.status !== undefined) expect(episode?.status).toBe(expected.status);
    if (expected.host_stops_after !== undefined) expect(episode?.steps).toHaveLength(expected.host_stops_after);
    if (expected.steps) expect(episode?.steps.map(({ reward, terminated, truncated }) => [reward, terminated, truncated])).toEqual(expected.steps);
  });

  it('covers every case that has a play', () => expect(played.length).toBeGreaterThanOrEqual(8));
});

describe('the sample workspace', () => {
  const environment = (name: string) => readFileSync(join(root, 'media/sample-workspace/environments', name), 'utf8');

  it.each(['clock_angle_env.py', 'buried_chest_env.py', 'invoice_desk_env.py', 'meeting_desk_env.py'])('%s is won by its own solution on every seed', async (name) => {
    const episodes = await play(environment(name), { seeds: [0, 1, 2, 3] });
    expect(episodes.map(({ status, return: value }) => [status, value])).toEqual(Array(4).fill(['terminated', 1]));
  });

  it('a solution in prose is said to be one', async () => {
    const [episode] = await play(environment('canal_locks_env.py'), {});
    expect(episode).toMatchObject({ status: 'policy-failed', return: null });
    expect(episode?.error).toContain('an explanation');
  });

  it('is lost by a simulated learner that does not know', async () => {
    const episodes = await play(environment('invoice_desk_env.py'), { policy: simulatedLearner({ chance: 0, chanceWithHint: 0, seed: 1 }), seeds: [0, 1] });
    expect(episodes.map(({ return: value }) => value)).toEqual([0, 0]);
  });
});

describe('what an environment does to a play', () => {
  const env = (step: string, reset = "return 'go', {}") =>
    `class LoopEnv:\n    def __init__(self, max_turns=5, **kwargs):\n        self.max_turns = max_turns\n    def reset(self, seed=None):\n        ${reset}\n    def step(self, action):\n        ${step}\n`;

  it('a step that never returns times out, and the session is gone', async () => {
    const [episode] = await play(env('while True: pass'), { policy: scriptPolicy(['x']), limits: { callMs: 700 } });
    expect(episode).toMatchObject({ status: 'step-timeout', return: null, runReturn: 0 });
  });

  it('a step that raises pays -1 to the run', async () => {
    const [episode] = await play(env('return 1 / 0'), { policy: scriptPolicy(['x']) });
    expect(episode).toMatchObject({ status: 'step-raised', return: null, runReturn: -1, error: 'ZeroDivisionError: division by zero' });
  });

  it('four values from step are an exception to the run', async () => {
    const [episode] = await play(env("return 'x', 1.0, True, {}"), { policy: scriptPolicy(['x']) });
    expect(episode).toMatchObject({ status: 'step-raised', runReturn: -1 });
  });

  it('an observation of None becomes a text', async () => {
    const [episode] = await play(env('return None, 1.0, True, False, {}'), { policy: scriptPolicy(['x']) });
    expect(episode).toMatchObject({ status: 'terminated', return: 1, finalObservation: 'None' });
  });

  it('is cancelled in the middle of a step', async () => {
    const controller = new AbortController();
    const started = startArms({
      file: { name: 'env.py', source: env('while True: pass') }, sandbox, policy: scriptPolicy(['x']), hint: null, mode: 'paired', seeds: [1], plays: 1,
      clock: { now: () => 0 },
    }, (event) => { if (event.type === 'shown') setTimeout(() => controller.abort(), 50); }, controller.signal);
    expect((await started.result).arms.noHint.episodes[0]).toMatchObject({ status: 'cancelled', return: null });
  });
});
