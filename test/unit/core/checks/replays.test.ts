import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplayFiles } from '../../../../src/core/checks/replayFiles';
import { compareOutcomes, counterexampleOf, movesOf, playCounterexample, type Replay, type ReplayOutcome } from '../../../../src/core/checks/replays';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { scriptedSandbox, type FakeEnvironment } from '../../../fakes/scriptedSandbox';
import { tempFolder } from '../../../helpers/tempFolder';

const signal = new AbortController().signal;
const file = { name: 'env.py', source: '' };

async function outcomeIn(environment: FakeEnvironment, actions: readonly string[]): Promise<ReplayOutcome> {
  const provider = scriptedSandbox(() => environment);
  const outcome = await playCounterexample(await provider.get(), file, { seed: 3, actions: [...actions], maxTurns: null }, signal);
  expect(provider.open).toBe(0);
  return outcome;
}

const counting = (pay: number): FakeEnvironment => ({ reset: (seed) => `seed ${seed}`, step: (action) => [`got ${action}`, action === 'b' ? pay : 0, false, false] });

describe('a counterexample', () => {
  it('is what evidence with a seed and whole actions holds', () => {
    expect(counterexampleOf({ evidence: { seed: 1, actions: ['a'], maxTurns: 2 } })).toEqual({ seed: 1, actions: ['a'], maxTurns: 2 });
    expect(counterexampleOf({ evidence: { seed: null, actions: [] } })).toEqual({ seed: null, actions: [], maxTurns: null });
    expect(counterexampleOf({ evidence: { seed: 1 } })).toBeNull();
    expect(counterexampleOf({ evidence: null })).toBeNull();
    expect(counterexampleOf({ evidence: { seed: 1, actions: [`${'a'.repeat(7999)}…`] } })).toBeNull();
  });

  it('plays past the end, and what it gave compares by step', async () => {
    const before = await outcomeIn(counting(1), ['a', 'b', 'c']);
    expect(before.first).toBe('seed 3');
    expect(before.steps).toHaveLength(3);
    expect(compareOutcomes(before, await outcomeIn(counting(1), ['a', 'b', 'c']))).toEqual({ same: true });
    expect(compareOutcomes(before, await outcomeIn(counting(0.5), ['a', 'b', 'c']))).toMatchObject({ same: false, step: 1 });
  });

  it('an exception is an outcome, without addresses that change', async () => {
    const raising = (address: string): FakeEnvironment => ({ reset: () => 'go', step: () => { throw new Error(`bad <object at ${address}>`); } });
    const before = await outcomeIn(raising('0x7f00aa11bb22'), ['x']);
    expect(before.failure).toContain('bad');
    expect(compareOutcomes(before, await outcomeIn(raising('0x7f99cc33dd44'), ['x']))).toEqual({ same: true });
    expect(compareOutcomes(before, await outcomeIn({ ...counting(0), reset: () => 'go' }, ['x']))).toMatchObject({ same: false, step: 0 });
  });

  it('makes calls of tools where the file has tools, and nowhere else', async () => {
    expect(movesOf(['find({"id":1})', 'plain'], true)).toEqual([{ reply: '', calls: [{ id: 'replay_1', name: 'find', arguments: { id: 1 } }] }, { reply: 'plain' }]);
    expect(movesOf(['find({"id":1})'], false)).toEqual([{ reply: 'find({"id":1})' }]);
    const outcome = await outcomeIn({ ...counting(0), tool: (name, args) => `${name} ${JSON.stringify(args)}` }, ['find({"id":1})']);
    expect(outcome.steps[0]?.observation).toBe('find {"id":1}');
  });

  it('an outcome is the same as itself, and comparing does not depend on the side', () => {
    const step = fc.record({ observation: fc.string(), reward: fc.constantFrom('0.0', '1.0'), terminated: fc.constantFrom('True', 'False'), truncated: fc.constant('False') });
    const outcome = fc.record({ first: fc.option(fc.string()), steps: fc.array(step, { maxLength: 4 }), failure: fc.option(fc.string()) });
    fc.assert(fc.property(outcome, outcome, (one, other) => {
      expect(compareOutcomes(one, structuredClone(one)).same).toBe(true);
      expect(compareOutcomes(one, other).same).toBe(compareOutcomes(other, one).same);
      if (JSON.stringify(one) !== JSON.stringify(other) && one.first === other.first && one.steps.length !== other.steps.length) {
        expect(compareOutcomes(one, other).same).toBe(false);
      }
    }));
  });
});

describe('kept counterexamples', () => {
  const replay: Replay = {
    schema: 1, check: 'trivial-win', file: 'env.py', hash: 'a'.repeat(64), said: 'wins', seed: 0, actions: ['x'], maxTurns: null, expected: null, actual: null,
    outcome: { first: 'go', steps: [], failure: null },
  };

  it('are found by their file, kept once, and a damaged one hides no other', async () => {
    const folder = tempFolder();
    const files = new ReplayFiles(new NodeFileStore(), folder);
    expect(await files.all()).toEqual({ replays: [], unreadable: [] });
    const name = await files.keep(replay);
    expect(await files.keep({ ...replay, said: 'wins again' })).toBe(name);
    await files.keep({ ...replay, file: 'other.py' });
    writeFileSync(join(folder, '.envwright', 'replays', 'damaged.json'), '{');
    expect((await files.of('env.py')).map(({ replay: { said } }) => said)).toEqual(['wins again']);
    const all = await files.all();
    expect([all.replays.length, all.unreadable.length]).toEqual([2, 1]);
    await files.remove(name);
    expect(await files.of('env.py')).toEqual([]);
  });

  it('go along with a file or folder that is renamed', async () => {
    const files = new ReplayFiles(new NodeFileStore(), tempFolder());
    for (const file of ['old/env.py', 'older/env.py']) await files.keep({ ...replay, file });
    expect(await files.moved('old', 'new')).toEqual(new Set(['new/env.py']));
    expect((await files.all()).replays.map(({ replay: { file } }) => file).sort()).toEqual(['new/env.py', 'older/env.py']);
    // Kept once more it is still one: its name follows from where its file is.
    await files.keep({ ...replay, file: 'new/env.py' });
    expect((await files.of('new/env.py')).length).toBe(1);
  });

  it('never leave their folder, whatever the check is called', async () => {
    const files = new ReplayFiles(new NodeFileStore(), tempFolder());
    expect(await files.keep({ ...replay, check: '../../escape' })).toMatch(/^escape-[0-9a-f]{16}\.json$/);
  });
});
