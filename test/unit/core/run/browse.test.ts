import { expect, it } from 'vitest';
import { browse, figuresOfMemory, type GameFacts } from '../../../../src/core/run/browse';
import type { RunGame, RunInventory } from '../../../../src/core/run/inventory';
import { readMemory } from '../../../../src/core/memory/readMemory';
import { memoryText, recordText } from '../../../../src/core/memory/writeMemory';

const game = (rollout: number, index: number, slug: string, inPlay = false): RunGame => ({
  file: `${inPlay ? '/run/spade_games' : `/run/step_${rollout}`}/game_0000${rollout}_00${index}_${slug}.py`, rollout, index, slug, inPlay, hint: null,
});

const inventory: RunInventory = {
  games: [game(0, 0, 'optimization'), game(0, 1, 'causal_inference'), game(4, 0, 'optimization', true), game(4, 1, 'spatial_reasoning', true)],
  rejects: [{ file: '/run/rej/reject_00004_002_optimization_gate.py', rollout: 4, stage: 'gate', reason: 'criterion raised KeyError' }, { file: '/run/rej/reject_00000_003_optimization_screen.py', rollout: 0, stage: 'screen', reason: null }],
  hints: [], steps: [{ rollout: 0, folder: '/run/step_0', modifiedMs: 0 }, { rollout: 4, folder: '/run/step_4', modifiedMs: 1 }], gamesModifiedMs: 0,
};
const facts: GameFacts = {
  figures: new Map([['game_00000_001_causal_inference', { winRate: 0.5, regret: 0.1, plays: null }], ['game_00004_001_spatial_reasoning', { winRate: 0.25, regret: 0.6, plays: 32 }]]),
  verdicts: new Map([['game_00004_000_optimization', 'reject']]),
};
const slugs = (games: readonly RunGame[]): string[] => games.map(({ rollout, slug }) => `${rollout} ${slug}`);

it('shows the newest step first, with the games of each', async () => {
  const { playing, steps, rejects, hidden } = await browse(inventory, facts, { filter: '', order: 'number' });
  expect(slugs(playing)).toEqual(['4 optimization', '4 spatial_reasoning']);
  expect(steps.map(({ step, games }) => [step.rollout, games.length])).toEqual([[4, 2], [0, 2]]);
  expect(rejects).toHaveLength(2);
  expect(hidden).toBe(0);
});

it.each([
  ['causal', ['0 causal_inference'], 0],
  ['spatial reasoning', ['4 spatial_reasoning'], 0],
  ['reject', ['4 optimization'], 2],
  ['unchecked optimization', ['0 optimization'], 0],
  ['KEYERROR gate', [], 1],
])('the filter %s leaves what holds all of its words', async (filter, games, rejects) => {
  const shown = await browse(inventory, facts, { filter, order: 'number' });
  expect(slugs(shown.steps.flatMap((step) => [...step.games]))).toEqual(games);
  expect(shown.rejects).toHaveLength(rejects);
  expect(shown.hidden).toBe(4 - games.length + 2 - rejects);
});

it('orders by regret over all steps, the newest first among games without one', async () => {
  const { all, playing, steps } = await browse(inventory, facts, { filter: '', order: 'regret' });
  expect(slugs(all)).toEqual(['4 spatial_reasoning', '0 causal_inference', '4 optimization', '0 optimization']);
  expect(slugs(playing)).toEqual(['4 spatial_reasoning', '4 optimization']);
  expect(steps).toEqual([]);
});

it('takes the figures of a game from its newest record', () => {
  const record = (rate: number, regret: number): string => recordText({ game_file: '/elsewhere/game_00000_000_optimization.py', skill: 'Optimization', code: 'x', actor_win_rate: rate, regret });
  const figures = figuresOfMemory(readMemory(memoryText([record(0.1, 0.2), record(0.3, -0.4), record(0.5, NaN)])).entries);
  expect([...figures]).toEqual([['game_00000_000_optimization', { winRate: 0.5, regret: null, plays: null }]]);
});
