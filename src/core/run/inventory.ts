import type { FileStore } from '../ports';
import { join, stem } from './paths';
import type { RunFolder } from './runFolder';

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

const GAME = /^game_(\d{5,})_(\d{3,})_(.*)\.py$/;
const STEP = /^step_(\d{5,})$/;
const REFUSED = /^reject_(\d{5,})_\d{3,}_.*_([^_]+)\.py$/;
const REJECTED = /^rej_r(\d+)_.*\.py$/;
const HINT_END = '_hint.txt';

async function names(files: FileStore, folder: string): Promise<string[]> {
  return ((await files.list(folder)) ?? []).filter((entry) => !entry.folder).map(({ name }) => name).sort();
}

function gameOf(folder: string, name: string, inPlay: boolean, hints: ReadonlySet<string>): RunGame[] {
  const found = GAME.exec(name);
  if (!found) return [];
  const hint = `${stem(name)}${HINT_END}`;
  return [{
    file: join(folder, name), rollout: Number(found[1]), index: Number(found[2]), slug: found[3] ?? '', inPlay, hint: hints.has(hint) ? join(folder, hint) : null,
  }];
}

async function stepsOf(files: FileStore, cacheDir: string): Promise<RunStep[]> {
  const folders = ((await files.list(cacheDir)) ?? []).filter(({ folder, name }) => folder && STEP.test(name));
  const steps = await Promise.all(folders.map(async ({ name }) => {
    const folder = join(cacheDir, name);
    return { rollout: Number(STEP.exec(name)?.[1]), folder, modifiedMs: (await files.stat(folder))?.modifiedMs ?? 0 };
  }));
  return steps.sort((a, b) => a.rollout - b.rollout);
}

/** First line of a file that failed validation: a comment with the error. */
async function firstComment(files: FileStore, path: string): Promise<string | null> {
  const first = (await files.read(path).catch(() => undefined))?.split('\n', 1)[0] ?? '';
  return first.startsWith('#') ? first.slice(1).trim() : null;
}

async function rejectsOf(files: FileStore, run: RunFolder): Promise<RunReject[]> {
  const refused = (await names(files, run.refusedDir)).flatMap((name) => {
    const found = REFUSED.exec(name);
    return found ? [{ file: join(run.refusedDir, name), rollout: Number(found[1]), stage: found[2] ?? '' }] : [];
  });
  const rejected = (await names(files, run.rejectedDir)).flatMap((name) => {
    const found = REJECTED.exec(name);
    return found ? [{ file: join(run.rejectedDir, name), rollout: Number(found[1]), stage: 'validation' }] : [];
  });
  return [
    ...(await Promise.all(refused.map(async (reject) => ({
      ...reject, reason: (await files.read(reject.file.replace(/\.py$/, '.reason.txt')).catch(() => undefined))?.trim() ?? null,
    })))),
    ...(await Promise.all(rejected.map(async (reject) => ({ ...reject, reason: await firstComment(files, reject.file) })))),
  ];
}

/** Lists a run's folders. A game that is in play and in a step counts once, as in play, with the hint of its step. */
export async function takeInventory(files: FileStore, run: RunFolder): Promise<RunInventory> {
  const steps = await stepsOf(files, run.cacheDir);
  const cached = await Promise.all(steps.map(async ({ folder }) => {
    const all = await names(files, folder);
    const hints = new Set(all.filter((name) => name.endsWith(HINT_END)));
    return { games: all.flatMap((name) => gameOf(folder, name, false, hints)), hints: [...hints].map((name) => join(folder, name)) };
  }));
  const byStem = new Map(cached.flatMap(({ games }) => games).map((game) => [stem(game.file), game]));
  for (const game of (await names(files, run.gamesDir)).flatMap((name) => gameOf(run.gamesDir, name, true, new Set()))) {
    byStem.set(stem(game.file), { ...game, hint: byStem.get(stem(game.file))?.hint ?? null });
  }
  return {
    games: [...byStem.values()].sort((a, b) => a.rollout - b.rollout || a.index - b.index),
    rejects: await rejectsOf(files, run),
    hints: cached.flatMap(({ hints }) => hints),
    steps,
    gamesModifiedMs: (await files.stat(run.gamesDir))?.modifiedMs ?? null,
  };
}
