import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { contentHash } from '../../../src/core/checks/suppression';
import { CLONE_SIMILARITY } from '../../../src/core/review/novelty';
import { NoveltyIndex } from '../../../src/core/review/noveltyIndex';
import { SourceStore } from '../../../src/core/review/sourceStore';
import { locateRun } from '../../../src/core/run/runFolder';
import { NodeFileStore } from '../../../src/node/files/nodeFileStore';
import { Likeness } from '../../../src/vscode/review/likeness';
import { COPIES } from '../../helpers/copies';
import { pythonParser } from '../../helpers/pythonParser';
import { tempFolder } from '../../helpers/tempFolder';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const sample = join(import.meta.dirname, '../../../media/sample-workspace');
const files = new NodeFileStore();
let folder = '';
/** Texts of the games of the run, oldest first. */
let games: readonly string[] = [];

/** Memory of the run with the given snippets; the games that its records name are on another machine. */
function remember(snippets: readonly string[]): void {
  const records = snippets.map((code, index) => ({
    game_file: `/elsewhere/game_00000_${String(index).padStart(3, '0')}_optimization.py`, skill: 'Optimization', code_snippet: code.slice(0, 2000), actor_win_rate: 0.5, regret: 0.1, rollout_id: 0, metadata: {},
  }));
  writeFileSync(join(folder, 'run/spade_games_cache/env_memory.json'), JSON.stringify(records));
}

async function compared(queue: readonly string[], accepted: readonly string[] = []) {
  const parser = await pythonParser();
  const index = new NoveltyIndex(parser);
  const novelty = {
    add: (texts: readonly { key: string; text: string }[]) => Promise.resolve(texts.forEach(({ key, text }) => void index.add(key, text))),
    nearest: (keys: readonly string[], among: readonly string[]) => Promise.resolve(index.nearest(keys, among)), groups: (keys: readonly string[]) => Promise.resolve(index.groups(keys)),
  };
  const ports = { files: () => Promise.resolve(files), novelty: () => Promise.resolve(novelty) } as unknown as ConstructorParameters<typeof Likeness>[0];
  const likeness = new Likeness(ports, { folder: () => locateRun(files, join(folder, 'run')) } as unknown as ConstructorParameters<typeof Likeness>[1]);
  const sources = new SourceStore(files, folder);
  const kept = new Set<string>();
  for (const text of accepted) kept.add(await sources.keep(text));
  const hashes = await Promise.all(queue.map((text) => contentHash(text)));
  const { nearest, groups } = await likeness.compare(new Map(hashes.map((hash, at) => [hash, queue[at]!])), kept, sources);
  return { groups, nearest: hashes.map((hash) => nearest.get(hash) ?? null), textAt: (key: string) => likeness.knownAt(key)?.text };
}

beforeEach(() => {
  folder = tempFolder();
  cpSync(sample, folder, { recursive: true });
  const cache = join(folder, 'run/spade_games_cache');
  games = readdirSync(cache, { recursive: true }).map(String).filter((name) => name.endsWith('.py')).sort().map((name) => readFileSync(join(cache, name), 'utf8'));
  for (const name of readdirSync(join(folder, 'run/spade_games'))) rmSync(join(folder, 'run/spade_games', name));
});

describe('files under review', () => {
  it('are told to be like what the memory of the run holds, however the copy was made', async () => {
    remember(games);
    const source = games[7]!;
    const { nearest, textAt } = await compared(Object.values(COPIES).map((change) => change(source)));
    for (const [at, name] of Object.keys(COPIES).entries()) {
      expect(nearest[at]!.similarity, name).toBeGreaterThanOrEqual(CLONE_SIMILARITY);
      expect(textAt(nearest[at]!.key), name).toBe(source.slice(0, 2000));
    }
  });

  it('of the same kind as records but with another task are not copies of them', async () => {
    remember(games.filter((_, at) => at % 2 === 0));
    const { nearest } = await compared(games.filter((_, at) => at % 2 === 1));
    for (const one of nearest) expect(one?.similarity ?? 0).toBeLessThan(CLONE_SIMILARITY);
  });

  it('are no copies of their own records, so that the games of a run are not all called known', async () => {
    remember(games);
    const { nearest, groups } = await compared(games);
    for (const one of nearest) expect(one?.similarity ?? 0).toBeLessThan(CLONE_SIMILARITY);
    expect(groups).toEqual([]);
  });

  it('longer than a record holds are compared by as much as it holds', async () => {
    const long = `${games[3]!}${games[5]!.replace(/class (\w+)Env/, 'class Second$1Env')}${games[6]!.replace(/class (\w+)Env/, 'class Third$1Env')}`;
    expect(long.length).toBeGreaterThan(2_500);
    remember([...games.filter((_, at) => ![3, 5, 6].includes(at)), long]);
    const { nearest, textAt } = await compared([long.replaceAll('self.turns', 'self.moves').replace('class ', 'class Other')]);
    expect(nearest[0]!.similarity).toBeGreaterThanOrEqual(CLONE_SIMILARITY);
    expect(textAt(nearest[0]!.key)).toBe(long.slice(0, 2000));
  });

  it('are told to be like what was accepted before, and compared with nothing where nothing is known', async () => {
    remember([]);
    const [accepted = '', other = ''] = games;
    const { nearest, textAt } = await compared([COPIES.all!(accepted), other], [accepted]);
    expect(textAt(nearest[0]!.key)).toBe(accepted);
    expect(nearest[0]!.similarity).toBeGreaterThanOrEqual(CLONE_SIMILARITY);
    expect(nearest[1]?.similarity ?? 0).toBeLessThan(CLONE_SIMILARITY);
    writeFileSync(join(folder, 'run/spade_games_cache/env_memory.json'), '[{"torn"');
    expect((await compared([other])).nearest).toEqual([null]);
  });
});
