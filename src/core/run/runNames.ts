/** The names that a run gives its files (run contract §8). */
import type { FileStore } from '../ports';
import type { RunGame } from './inventory';
import { join, stem } from './paths';

export const GAME = /^game_(\d{5,})_(\d{3,})_(.*)\.py$/;
export const STEP = /^step_(\d{5,})$/;
export const REFUSED = /^reject_(\d{5,})_\d{3,}_.*_([^_]+)\.py$/;
export const REJECTED = /^rej_r(\d+)_.*\.py$/;
export const HINT_END = '_hint.txt';

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
