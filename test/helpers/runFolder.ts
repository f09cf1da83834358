import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A run's folders as a launcher lays them out; `ages` are minutes since each step was written, oldest step first. */
export function makeRun(dir: string, { ages = [], memory, interval = 4 }: { ages?: readonly number[]; memory?: string; interval?: number } = {}): string {
  const games = join(dir, 'spade_games');
  const cache = join(dir, 'spade_games_cache');
  mkdirSync(games, { recursive: true });
  mkdirSync(cache, { recursive: true });
  const memoryFile = join(cache, 'env_memory.json');
  if (memory !== undefined) writeFileSync(memoryFile, memory);
  ages.forEach((age, index) => {
    const rollout = String(index * interval).padStart(5, '0');
    const step = join(cache, `step_${rollout}`);
    mkdirSync(step);
    const name = `game_${rollout}_000_optimization`;
    writeFileSync(join(step, `${name}.py`), 'class AEnv: pass\n');
    writeFileSync(join(step, `${name}_hint.txt`), 'look\n');
    if (index === ages.length - 1) writeFileSync(join(games, `${name}.py`), 'class AEnv: pass\n');
    setAge(step, age);
  });
  const newest = ages.at(-1);
  if (newest !== undefined) setAge(games, newest);
  if (newest !== undefined && memory !== undefined) setAge(memoryFile, newest);
  return dir;
}

function setAge(path: string, minutes: number): void {
  const time = new Date(Date.now() - minutes * 60_000);
  utimesSync(path, time, time);
}

/** Ages of a run that ended a day ago, and of one that wrote five minutes ago, at a pace of half an hour. */
export const STOPPED = [1530, 1500, 1470, 1440] as const;
export const LIVE = [95, 65, 35, 5] as const;
