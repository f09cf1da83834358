import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { armPlan, startArms, type ArmsOptions } from '../../src/core/play/arms';
import { scriptPolicy } from '../../src/core/play/policies/fixed';
import { SessionRecorder } from '../../src/core/play/recorder';
import { SessionFiles, sessionId } from '../../src/core/play/sessionFiles';
import { policyInRecord, type SavedSession } from '../../src/core/play/sessionRecord';
import { systemClock } from '../../src/node/clock';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import { createSandboxProvider } from '../../src/node/sandbox/provider';
import { EpisodeBoard } from '../../src/vscode/play/episodeBoard';
import { scriptedSandbox } from '../fakes/scriptedSandbox';
import { report, summarise } from './measure';

const TURNS = 200;
const EPISODES = 8;
const silent = (): void => undefined;
const folder = mkdtempSync(join(tmpdir(), 'envwright-bench-'));
const sandbox = createSandboxProvider({ choice: 'native', assetsDir: join(import.meta.dirname, '..', '..', 'src'), logger: { info: silent, warn: silent, error: silent } });
afterAll(() => {
  sandbox.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const SOURCE = `class LongEnv:
    def __init__(self, max_turns=10000):
        self.max_turns = max_turns

    def reset(self, seed=None):
        self.turn = 0
        return "Go on.", {}

    def step(self, action):
        self.turn += 1
        return "Turn %d." % self.turn, 0.0, self.turn == ${TURNS}, False, {}
`;

/** Plays and saves, as the editor does. */
async function played(options: ArmsOptions): Promise<SavedSession> {
  const files = new SessionFiles(new NodeFileStore(), folder);
  const id = sessionId(systemClock.now(), options.file.name);
  const settings = { policy: 'script' as const, hint: null, seeds: '0', plays: 1, mode: options.mode, chance: 0, chanceHint: 0 };
  const header = {
    id, at: systemClock.now(), file: options.file.name, hash: '', source: options.file.source, settings, policy: policyInRecord(options.policy), simulatedHint: false,
    maxTurns: options.maxTurns ?? 25, thinking: false, origin: null,
  };
  const recorder = new SessionRecorder(await files.begin(header, armPlan(options)), (error) => { throw error; });
  await startArms(options, (event) => recorder.take(event), new AbortController().signal).result;
  await recorder.end(systemClock.now(), 0);
  return files.read(id);
}

it('a turn of an instant policy, sandbox and record included', async () => {
  await sandbox.get();
  const perTurn: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const started = performance.now();
    const session = await played({
      file: { name: 'long.py', source: SOURCE }, sandbox, policy: scriptPolicy(Array.from({ length: TURNS }, (_, n) => `\\boxed{${n}}`)), hint: null, mode: 'paired',
      seeds: Array.from({ length: EPISODES }, (_, seed) => seed), plays: 1, maxTurns: 10_000, concurrency: 1, trace: true, clock: systemClock,
    });
    const turns = [...session.episodes.values()].reduce((sum, { episode }) => sum + episode.steps.length, 0);
    expect(turns).toBe(TURNS * EPISODES);
    // The first round warms up.
    if (round > 0) perTurn.push((performance.now() - started) / turns);
  }
  report('overhead a turn with an instant policy', summarise(perTurn), 'under 2 ms');
});

it('a saved session of 100 episodes of 50 steps is read and put on the board', async () => {
  const long = 'An observation of some length, as environments write them. '.repeat(8);
  const session = await played({
    file: { name: 'saved.py', source: '' }, policy: scriptPolicy(Array.from({ length: 50 }, () => '\\boxed{1}')), hint: 'A hint.', mode: 'paired',
    sandbox: scriptedSandbox(() => { let turns = 0; return { reset: () => long, step: () => { turns += 1; return [long, 0, turns === 50, false]; } }; }),
    seeds: Array.from({ length: 50 }, (_, seed) => seed), plays: 1, maxTurns: 100, concurrency: 8, clock: systemClock,
  });
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const started = performance.now();
    const again = await new SessionFiles(new NodeFileStore(), folder).read(session.header.id);
    expect(EpisodeBoard.ofSaved(again).slots()).toHaveLength(50);
    times.push(performance.now() - started);
  }
  report('a saved session of 100 episodes, from the file to its snapshot', summarise(times), 'a part of the 300 ms to the first paint');
});
