import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeInventory } from '../../../../src/core/run/inventory';
import { judgeLiveness, regenerationInterval } from '../../../../src/core/run/liveness';
import { locateRun } from '../../../../src/core/run/runFolder';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { LIVE, makeRun, STOPPED } from '../../../helpers/runFolder';
import { tempFolder } from '../../../helpers/tempFolder';

const files = new NodeFileStore();

describe('finding a run', () => {
  it('by its output folder, its cache, its games or its memory file', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const memoryFile = join(dir, 'spade_games_cache', 'env_memory.json');
    for (const path of [dir, join(dir, 'spade_games_cache'), join(dir, 'spade_games'), memoryFile]) {
      expect(await locateRun(files, path)).toMatchObject({ dir, memoryFile, gamesDir: join(dir, 'spade_games'), cacheDir: join(dir, 'spade_games_cache') });
    }
  });

  it('by a cache folder alone', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'env_memory.json'), '[]');
    expect(await locateRun(files, dir)).toMatchObject({ dir, memoryFile: join(dir, 'env_memory.json') });
  });

  it('a folder that is none is refused, unless a run is to be seeded there', async () => {
    const dir = tempFolder();
    mkdirSync(join(dir, 'src'));
    writeFileSync(join(dir, 'notes.txt'), '');
    await expect(locateRun(files, dir)).rejects.toMatchObject({ code: 'run/not-a-run-folder' });
    await expect(locateRun(files, join(dir, 'notes.txt'))).rejects.toMatchObject({ code: 'run/not-a-run-folder' });
    await expect(locateRun(files, join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'run/not-a-run-folder' });
    expect(await locateRun(files, join(dir, 'nowhere'), true)).toMatchObject({ memoryFile: join(dir, 'nowhere', 'env_memory.json') });
  });
});

describe('what lies in a run', () => {
  it('games with their hints, steps, rejects with their reasons', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED });
    mkdirSync(join(dir, 'spade_games_rejected'));
    writeFileSync(join(dir, 'spade_games_rejected', 'reject_00012_005_logical_deduction_validate.py'), '');
    writeFileSync(join(dir, 'spade_games_rejected', 'reject_00012_005_logical_deduction_validate.reason.txt'), 'not a bool\n');
    mkdirSync(join(dir, 'spade_games', 'rejected'));
    writeFileSync(join(dir, 'spade_games', 'rejected', 'rej_r12_g3_a0_Optimization.py'), '# NameError: x\nclass A: pass\n');
    const inventory = await takeInventory(files, await locateRun(files, dir));
    expect(inventory.games.map(({ rollout, inPlay, hint }) => [rollout, inPlay, hint !== null])).toEqual([[0, false, true], [4, false, true], [8, false, true], [12, true, true]]);
    expect(inventory.hints).toHaveLength(4);
    expect(inventory.rejects.map(({ rollout, stage, reason }) => ({ rollout, stage, reason }))).toEqual([
      { rollout: 12, stage: 'validate', reason: 'not a bool' }, { rollout: 12, stage: 'validation', reason: 'NameError: x' },
    ]);
  });
});

describe('liveness', () => {
  const minute = 60_000;
  const now = 1_000_000 * minute;
  const inventory = (agesInMinutes: readonly number[]) => ({
    games: [], gamesModifiedMs: null, steps: agesInMinutes.map((age, index) => ({ rollout: index * 4, folder: '', modifiedMs: now - age * minute })),
  });
  const stateOf = (ages: readonly number[], memoryAge: number | null = null): string =>
    judgeLiveness(inventory(ages), memoryAge === null ? null : now - memoryAge * minute, now).state;

  it('is judged by the run\'s own pace', () => {
    expect(stateOf([])).toBe('not-started');
    expect(stateOf(LIVE)).toBe('live');
    expect(stateOf(STOPPED)).toBe('stopped');
    expect(stateOf([400, 280, 160])).toBe('live');
    expect(stateOf([200, 180, 160])).toBe('stopped');
  });

  it('a memory that somebody else wrote lately counts', () => {
    expect(stateOf(STOPPED, 5)).toBe('live');
    expect(stateOf(STOPPED, 1400)).toBe('stopped');
  });

  it('a single step is given an hour', () => {
    expect(stateOf([50])).toBe('live');
    expect(stateOf([70])).toBe('stopped');
  });

  it('a copy, whose steps all carry one time, is no live run', () => {
    expect(stateOf([0.01, 0.005, 0])).toBe('stopped');
    expect(stateOf([30, 29.99, 1])).toBe('live');
  });

  it('the interval is the usual difference of steps', () => {
    expect(regenerationInterval([0, 4, 8, 16])).toBe(4);
    expect(regenerationInterval([3])).toBeNull();
  });
});
