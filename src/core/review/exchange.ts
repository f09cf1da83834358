/** Curricula as files that runs and other tools read, and back. */
import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { fewAtATime } from '../run/breath';
import { baseName, join, parentOf } from '../run/paths';
import { MEMORY_FILE } from '../run/runFolder';
import type { Curriculum, CurriculumEntry } from './curriculum';
import { exportMemory, importMemory } from './memorySet';
import type { SourceStore } from './sourceStore';
import { exportJsonLines, exportPool, importJsonLines, importPool, POOL_MANIFEST, type ImportedSet } from './staticPool';

/** A static pool of games, a memory file with its games, or JSON lines. */
export type SetForm = 'pool' | 'memory' | 'lines';

const LINES_FILE = 'environments.jsonl';
const GAMES = 'games';
const AT_ONCE = 16;

/** The files of an export by their path in the folder, and the entries that a memory file cannot hold: they were never played. */
export interface SetFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly notPlayed: readonly CurriculumEntry[];
}

/** Lays a curriculum out in a form. @param target the folder that the files will lie in: records of a memory name their games by it. */
export async function setFiles(curriculum: Curriculum, texts: ReadonlyMap<string, string>, form: SetForm, target: string): Promise<SetFiles> {
  if (form === 'pool') return { files: await exportPool(curriculum, texts), notPlayed: [] };
  if (form === 'lines') return { files: new Map([[LINES_FILE, exportJsonLines(curriculum, texts)]]), notPlayed: [] };
  const { text, games, notPlayed } = exportMemory(curriculum, texts, (game) => join(target, GAMES, game));
  if (games.size === 0) throw new EnvwrightError('review/nothing-played', message('No environment of {name} was played, and a record needs a win rate.', { name: curriculum.name }), message('Play the curriculum first.'));
  return { files: new Map([[MEMORY_FILE, text], ...[...games].map(([game, source]): [string, string] => [`${GAMES}/${game}`, source])]), notPlayed };
}

/** The kept texts of a curriculum. @throws EnvwrightError `review/source-gone` for one that is not kept any more. */
export async function textsOf({ entries }: Curriculum, sources: SourceStore): Promise<Map<string, string>> {
  const texts = await sources.all(entries.map(({ contentHash }) => contentHash));
  for (const { contentHash, file } of entries) if (!texts.has(contentHash)) await sources.need(contentHash, file);
  return texts;
}

/** Writes an export into a folder that is not there yet. @throws EnvwrightError `review/exists`. */
export async function writeSet(files: FileStore, target: string, contents: ReadonlyMap<string, string>): Promise<void> {
  if (await files.stat(target)) throw new EnvwrightError('review/exists', message('{path} is there already, and an export writes over nothing.', { path: target }), message('Choose another folder, or move it away.'));
  for (const [name, text] of contents) {
    await files.makeFolder(parentOf(join(target, name)));
    await files.replace(join(target, name), text);
  }
}

/** Reads a set from the list of a pool, a memory file or JSON lines, or the folder that holds one; what is damaged is named and the rest is given. */
export async function readSet(given: string, files: FileStore, sources: SourceStore): Promise<ImportedSet> {
  const path = await listOf(given, files);
  const text = await files.read(path);
  if (text === undefined) throw new EnvwrightError('review/no-file', message('There is no file {path}.', { path }), message('Check the path.'));
  const [folder, name] = [parentOf(path), baseName(parentOf(path))];
  if (baseName(path) === POOL_MANIFEST) return importPool(new Map([...(await gamesIn(folder, files)), [POOL_MANIFEST, text]]));
  if (path.endsWith('.jsonl')) return importJsonLines(name, text);
  return importMemory(name, text, async (gameFile) => {
    for (const place of [gameFile, join(folder, GAMES, baseName(gameFile))]) {
      const game = await files.read(place).catch(() => undefined);
      if (game !== undefined) return game;
    }
    const kept = /^([0-9a-f]{64})\.py$/.exec(baseName(gameFile))?.[1];
    return kept === undefined ? undefined : sources.get(kept);
  });
}

/** The file that says what a folder holds; a file says so itself. @throws EnvwrightError `review/no-set`. */
async function listOf(path: string, files: FileStore): Promise<string> {
  if (!(await files.stat(path))?.folder) return path;
  for (const name of [POOL_MANIFEST, MEMORY_FILE, LINES_FILE]) if (await files.stat(join(path, name))) return join(path, name);
  throw new EnvwrightError('review/no-set', message('{path} holds neither {pool}, {memory} nor {lines}.', { path, pool: POOL_MANIFEST, memory: MEMORY_FILE, lines: LINES_FILE }), message('Choose the folder of an export, or the file itself.'));
}

async function gamesIn(folder: string, files: FileStore): Promise<[string, string][]> {
  const names = ((await files.list(folder)) ?? []).filter(({ name, folder: isFolder }) => !isFolder && name.endsWith('.py')).map(({ name }) => name);
  const games = await fewAtATime(names, AT_ONCE, async (name): Promise<[string, string][]> => {
    const game = await files.read(join(folder, name)).catch(() => undefined);
    return game === undefined ? [] : [[name, game]];
  });
  return games.flat();
}
