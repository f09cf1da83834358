import type { FileStore } from '../ports';
import { fewAtATime } from './breath';
import { join } from './paths';
import type { RunFolder } from './runFolder';
import { RunIndex } from './runIndex';
import { GAME, STEP } from './runNames';

/** A game of a run; numbers are from its name (run contract §8). `hint` is the file beside its copy in the cache. */
export interface RunGame {
  readonly file: string;
  readonly rollout: number;
  readonly index: number;
  readonly slug: string;
  /** In play now; otherwise only the copy of its step is left. */
  readonly inPlay: boolean;
  readonly hint: string | null;
}

/** A file that did not become a game. */
export interface RunReject {
  readonly file: string;
  readonly rollout: number | null;
  readonly stage: string;
  readonly reason: string | null;
}

/** One `step_…` folder and when it was last written to. */
export interface RunStep {
  readonly rollout: number;
  readonly folder: string;
  readonly modifiedMs: number;
}

/** What lies in a run's folders, without the text of games. */
export interface RunInventory {
  readonly games: readonly RunGame[];
  readonly rejects: readonly RunReject[];
  readonly hints: readonly string[];
  readonly steps: readonly RunStep[];
  readonly gamesModifiedMs: number | null;
}

/** Lists a run's folders once. */
export async function takeInventory(files: FileStore, run: RunFolder): Promise<RunInventory> {
  const index = new RunIndex(files, run);
  await index.open();
  return index.inventory();
}

/** Steps that a pulse looks at: enough to know a run's pace. */
const LAST_STEPS = 50;
const AT_ONCE = 16;

/** What tells whether a run is live: the times of its newest steps and of its games, without a look at every file. */
export async function takePulse(files: FileStore, run: RunFolder): Promise<{ readonly steps: readonly RunStep[]; readonly hasGames: boolean; readonly gamesModifiedMs: number | null }> {
  const folders = ((await files.list(run.cacheDir)) ?? []).flatMap(({ name, folder }) => {
    const rollout = folder ? STEP.exec(name)?.[1] : undefined;
    return rollout === undefined ? [] : [{ rollout: Number(rollout), folder: join(run.cacheDir, name) }];
  });
  const newest = folders.sort((a, b) => a.rollout - b.rollout).slice(-LAST_STEPS);
  return {
    steps: await fewAtATime(newest, AT_ONCE, async (step) => ({ ...step, modifiedMs: (await files.stat(step.folder))?.modifiedMs ?? 0 })),
    hasGames: ((await files.list(run.gamesDir)) ?? []).some(({ name, folder }) => !folder && GAME.test(name)),
    gamesModifiedMs: (await files.stat(run.gamesDir))?.modifiedMs ?? null,
  };
}
