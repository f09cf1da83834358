import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { baseName, join, parentOf } from './paths';

export const MEMORY_FILE = 'env_memory.json';
const GAMES = 'spade_games';
const CACHE = 'spade_games_cache';
const REJECTED = 'spade_games_rejected';

/** Where a run keeps its files (run contract §8). Folders may not exist yet. */
export interface RunFolder {
  /** The output folder, or the cache folder where there is no more than that. */
  readonly dir: string;
  readonly gamesDir: string;
  readonly cacheDir: string;
  /** Refused by a gate or the model screen. */
  readonly refusedDir: string;
  /** Failed validation. */
  readonly rejectedDir: string;
  readonly memoryFile: string;
}

const STEP = /^step_\d{5,}$/;
const GAME = /^game_\d{5,}_\d{3,}_.*\.py$/;

function folderAt(dir: string, gamesDir: string, cacheDir: string, memoryFile = join(cacheDir, MEMORY_FILE)): RunFolder {
  return { dir, gamesDir, cacheDir, refusedDir: join(parentOf(gamesDir), REJECTED), rejectedDir: join(gamesDir, 'rejected'), memoryFile };
}

/** The run around a cache folder: its games lie beside it under the launchers' names. */
async function aroundCache(files: FileStore, cacheDir: string, memoryFile?: string): Promise<RunFolder> {
  const parent = parentOf(cacheDir);
  const own = baseName(cacheDir);
  const games = own.endsWith('_cache') ? own.slice(0, -'_cache'.length) : GAMES;
  const besides = (await files.list(parent)) ?? [];
  const hasGames = besides.some(({ name, folder }) => folder && name === games);
  return folderAt(own === CACHE || hasGames ? parent : cacheDir, join(parent, games), cacheDir, memoryFile);
}

/**
 * Finds the run that a path stands for: its output folder, its cache or games folder, or its memory file. With `create` a folder
 * without a run, or none at all, is taken as the cache folder of a run that has not started. Throws an `EnvwrightError` with the code `run/not-a-run-folder`.
 */
export async function locateRun(files: FileStore, path: string, create = false): Promise<RunFolder> {
  const found = await files.stat(path);
  if (found && !found.folder) {
    if (baseName(path).endsWith('.json')) return aroundCache(files, parentOf(path), path);
    throw notARun(path);
  }
  const entries = found ? ((await files.list(path)) ?? []) : [];
  if (found && baseName(path) === CACHE) return aroundCache(files, path);
  const has = (test: (name: string) => boolean, folder: boolean): boolean => entries.some((entry) => entry.folder === folder && test(entry.name));
  if (has((name) => name === CACHE || name === GAMES, true)) return folderAt(path, join(path, GAMES), join(path, CACHE));
  if (has((name) => name === MEMORY_FILE, false) || has((name) => STEP.test(name), true)) return aroundCache(files, path);
  if (has((name) => GAME.test(name), false)) return folderAt(parentOf(path), path, join(parentOf(path), `${baseName(path)}_cache`));
  if (create) return aroundCache(files, path);
  throw notARun(path);
}

function notARun(path: string): EnvwrightError {
  return new EnvwrightError(
    'run/not-a-run-folder',
    message('{path} is no run: neither {memory} nor {cache} nor {games} is there. Nothing was changed.', { path, memory: MEMORY_FILE, cache: CACHE, games: GAMES }),
    message('Give the output folder or the cache folder of a run.'),
  );
}
