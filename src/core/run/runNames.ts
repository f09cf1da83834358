/** The names that a run gives its files (run contract §8). */
import type { FileStore } from '../ports';
import type { RunGame } from './inventory';
import { baseName, join, parentOf, stem } from './paths';

export const GAME = /^game_(\d{5,})_(\d{3,})_(.*)\.py$/;
export const STEP = /^step_(\d{5,})$/;
export const REFUSED = /^reject_(\d{5,})_\d{3,}_.*_([^_]+)\.py$/;
export const REJECTED = /^rej_r(\d+)_.*\.py$/;
export const HINT_END = '_hint.txt';

/** The name of a game without its skill, which stands beside it; of another file without its extension. */
export function shortName(gameFile: string | null): string {
  return stem(gameFile ?? '\u2013').replace(/^(game_\d+_\d+)_.*$/, '$1');
}

/** Folders in which the hint of an environment may lie: its own; for a game in play also that of its copy, since hints are kept with the copies. */
export function hintFolders(file: string): string[] {
  const [folder, rollout] = [parentOf(file), GAME.exec(baseName(file))?.[1]];
  if (rollout === undefined || STEP.test(baseName(folder))) return [folder];
  const caches = new Set([`${folder}_cache`, join(parentOf(folder), 'spade_games_cache')]);
  return [folder, ...[...caches].map((cache) => join(cache, `step_${rollout}`))];
}

/** The game that a file name stands for, none for other names. `hints` are the names of hint files beside it. */
export function gameOf(folder: string, name: string, inPlay: boolean, hints: ReadonlySet<string>): RunGame[] {
  const found = GAME.exec(name);
  if (!found) return [];
  const hint = `${stem(name)}${HINT_END}`;
  return [{
    file: join(folder, name), rollout: Number(found[1]), index: Number(found[2]), slug: found[3] ?? '', inPlay, hint: hints.has(hint) ? join(folder, hint) : null,
  }];
}

/** First line of a file that failed validation: a comment with the error. */
export async function firstComment(files: FileStore, path: string): Promise<string | null> {
  const first = (await files.read(path).catch(() => undefined))?.split('\n', 1)[0] ?? '';
  return first.startsWith('#') ? first.slice(1).trim() : null;
}
