import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FollowedRun } from '../../../../src/core/run/followedRun';
import type { RunInventory } from '../../../../src/core/run/inventory';
import { baseName } from '../../../../src/core/run/paths';
import { locateRun } from '../../../../src/core/run/runFolder';
import { RunIndex } from '../../../../src/core/run/runIndex';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { makeRun, STOPPED } from '../../../helpers/runFolder';
import { tempFolder } from '../../../helpers/tempFolder';

const files = new NodeFileStore();

async function followed(dir: string): Promise<FollowedRun> {
  return new FollowedRun(new RunIndex(files, await locateRun(files, dir)));
}

const names = (items: RunInventory['games'] | RunInventory['rejects']): string[] => items.map(({ file }) => baseName(file));

/** A regeneration as the run makes it: the games in play are replaced, and copied into a step with their hints. */
function regenerate(dir: string, rollout: string): void {
  const games = join(dir, 'spade_games');
  rmSync(games, { recursive: true });
  mkdirSync(games);
  const step = join(dir, 'spade_games_cache', `step_${rollout}`);
  mkdirSync(step);
  for (const index of ['000', '001']) {
    const name = `game_${rollout}_${index}_optimization`;
    writeFileSync(join(games, `${name}.py`), '');
    writeFileSync(join(step, `${name}.py`), '');
    writeFileSync(join(step, `${name}_hint.txt`), 'count\n');
  }
  const refused = join(dir, 'spade_games_rejected');
  mkdirSync(refused, { recursive: true });
  writeFileSync(join(refused, `reject_${rollout}_002_optimization_gate.reason.txt`), 'no end\n');
  writeFileSync(join(refused, `reject_${rollout}_002_optimization_gate.py`), '');
}

it('finds a regeneration that no watcher told of', async () => {
  const dir = makeRun(tempFolder(), { ages: STOPPED });
  const run = await followed(dir);
  expect((await run.inventory()).steps).toHaveLength(4);
  expect(await run.catchUp()).toBe(false);
  regenerate(dir, '00016');
  expect(await run.catchUp()).toBe(true);
  const now = await run.inventory();
  expect(now.steps.map(({ rollout }) => rollout)).toEqual([0, 4, 8, 12, 16]);
  expect(names(now.games.filter(({ inPlay }) => inPlay))).toEqual(['game_00016_000_optimization.py', 'game_00016_001_optimization.py']);
  expect(now.games.filter(({ inPlay, hint }) => inPlay && hint !== null)).toHaveLength(2);
  expect(names(now.rejects)).toEqual(['reject_00016_002_optimization_gate.py']);
  expect(now.rejects[0]?.reason).toBe('no end');
});

it('finds what is gone, and a hint that came later into the last step', async () => {
  const dir = makeRun(tempFolder(), { ages: STOPPED });
  const run = await followed(dir);
  const before = await run.inventory();
  rmSync(join(dir, 'spade_games_cache', 'step_00000'), { recursive: true });
  writeFileSync(join(dir, 'spade_games_cache', 'step_00012', 'game_00012_001_optimization_hint.txt'), 'late\n');
  expect(await run.catchUp()).toBe(true);
  const now = await run.inventory();
  expect(now.steps).toHaveLength(before.steps.length - 1);
  expect(now.hints).toHaveLength(before.hints.length);
  expect(now.hints.map(baseName)).toContain('game_00012_001_optimization_hint.txt');
});

it('looks at nothing before it is asked, and keeps changes in order', async () => {
  const dir = makeRun(tempFolder(), { ages: STOPPED });
  const run = await followed(dir);
  await run.update([join(dir, 'spade_games', 'game_00012_000_optimization.py')]);
  const first = run.inventory();
  const [game] = (await first).games.filter(({ inPlay }) => inPlay);
  rmSync(game!.file);
  const gone = run.update([game!.file]);
  writeFileSync(game!.file, '');
  await Promise.all([gone, run.update([game!.file])]);
  expect(names((await run.inventory()).games.filter(({ inPlay }) => inPlay))).toEqual([baseName(game!.file)]);
});

it('opens again after an opening that failed', async () => {
  const dir = makeRun(tempFolder(), { ages: STOPPED });
  const index = new RunIndex(files, await locateRun(files, dir));
  let failures = 1;
  const open = index.open.bind(index);
  index.open = () => (failures-- > 0 ? Promise.reject(new Error('the disk is away')) : open());
  const run = new FollowedRun(index);
  await expect(run.inventory()).rejects.toThrow('the disk is away');
  expect((await run.inventory()).steps).toHaveLength(4);
});
