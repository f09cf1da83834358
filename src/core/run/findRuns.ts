/** Runs among the files of a workspace. */
import type { FileStore } from '../ports';
import { fewAtATime } from './breath';
import { locateRun, type RunFolder } from './runFolder';
import { parentOf } from './paths';

const AT_ONCE = 8;

/** The runs that these files belong to, each once, by their folders; files that belong to none are passed over. */
export async function findRuns(files: FileStore, paths: readonly string[]): Promise<RunFolder[]> {
  const folders = [...new Set(paths.map(parentOf))];
  const found = await fewAtATime(folders, AT_ONCE, (folder) => locateRun(files, folder).catch(() => undefined));
  const byMemory = new Map(found.flatMap((run) => (run ? [[run.memoryFile, run] as const] : [])));
  return [...byMemory.values()].sort((a, b) => (a.dir < b.dir ? -1 : 1));
}
