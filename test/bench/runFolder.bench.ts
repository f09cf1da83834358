import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, expect, it } from 'vitest';
import { browse, type GameFacts } from '../../src/core/run/browse';
import { locateRun } from '../../src/core/run/runFolder';
import { RunIndex } from '../../src/core/run/runIndex';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import { longestTask, report, summarise } from './measure';

const GAMES = 24;
const STEPS = 670;
const REJECTS = 1_000;
const NEW_STEPS = 20;

const folder = mkdtempSync(join(tmpdir(), 'envwright-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [games, cache, refused] = ['spade_games', 'spade_games_cache', 'spade_games_rejected'].map((name) => join(folder, name)) as [string, string, string];
const name = (step: number, index: number): string => `game_${String(step * 4).padStart(5, '0')}_${String(index).padStart(3, '0')}_optimization`;

/** A regeneration as the run makes it: a step folder with copies and hints, and the games in play. */
function regenerate(step: number): string[] {
  const place = join(cache, `step_${String(step * 4).padStart(5, '0')}`);
  mkdirSync(place);
  return Array.from({ length: GAMES }, (_, index) => {
    writeFileSync(join(place, `${name(step, index)}.py`), '');
    writeFileSync(join(place, `${name(step, index)}_hint.txt`), '');
    writeFileSync(join(games, `${name(step, index)}.py`), '');
    return [join(games, `${name(step, index)}.py`), join(place, `${name(step, index)}.py`)];
  }).flat();
}

/** The regrets of as many games as a memory holds records. */
const figures: GameFacts['figures'] = new Map(Array.from({ length: 200 }, (_, at) => [name(STEPS - 1 - Math.floor(at / GAMES), at % GAMES), { winRate: 0.5, regret: (at % 97) / 97, plays: null }]));

/** What the view of a run works out after each change: by a filter that every game passes, in the order of regrets. */
async function look(index: RunIndex): Promise<void> {
  await browse(await index.inventory(), { figures, verdicts: new Map() }, { filter: 'game', order: 'regret' });
}

it('a run of 50,000 files opens without a task over 50 ms and follows 24 new games a step', { timeout: 600_000 }, async () => {
  for (const place of [games, cache, refused]) mkdirSync(place);
  for (let step = 0; step < STEPS; step += 1) regenerate(step);
  for (let index = 0; index < REJECTS; index += 1) {
    writeFileSync(join(refused, `reject_00000_${String(index).padStart(3, '0')}_optimization_gate.py`), '');
    writeFileSync(join(refused, `reject_00000_${String(index).padStart(3, '0')}_optimization_gate.reason.txt`), 'no');
  }
  const files = new NodeFileStore();
  const run = await locateRun(files, folder);
  const [opening, tasks]: [number[], number[]] = [[], []];
  let index = new RunIndex(files, run);
  for (let count = 0; count < 3; count += 1) {
    index = new RunIndex(files, run);
    const start = performance.now();
    tasks.push(await longestTask(async () => { await index.open(); await look(index); }));
    opening.push(performance.now() - start);
  }
  expect((await index.inventory()).games).toHaveLength(STEPS * GAMES);
  report(`opening a run of ${3 * STEPS * GAMES + 2 * REJECTS} files`, summarise(opening), 'none');
  report('longest task while opening', summarise(tasks), 'under 50 ms');
  const [following, followed]: [number[], number[]] = [[], []];
  for (let step = STEPS; step < STEPS + NEW_STEPS; step += 1) {
    const made = regenerate(step);
    const start = performance.now();
    followed.push(await longestTask(async () => { await index.update(made); await look(index); }));
    following.push(performance.now() - start);
  }
  expect((await index.inventory()).games).toHaveLength((STEPS + NEW_STEPS) * GAMES);
  report('following 24 new games', summarise(following), 'none');
  report('longest task while following', summarise(followed), 'under 50 ms');
});
