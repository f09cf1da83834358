/** The launch flags of linked runs, kept in the workspace. */
import { StoredLaunch, type Launch } from '../../shared/launch';
import type { FileStore } from '../ports';
import { WORKSPACE_FOLDER } from '../workspaceFolder';
import { digest } from './memoryFile';
import { join } from './paths';

async function pathOf(workspace: string, memoryFile: string): Promise<string> {
  return join(workspace, WORKSPACE_FOLDER, 'runs', `${await digest(memoryFile)}.json`);
}

/** The flags that were kept of a run; null when there are none that can be read. */
export async function loadLaunch(files: FileStore, workspace: string, memoryFile: string): Promise<Launch | null> {
  const text = await files.read(await pathOf(workspace, memoryFile)).catch(() => undefined);
  try {
    return text === undefined ? null : StoredLaunch.parse(JSON.parse(text)).launch;
  } catch {
    return null;
  }
}

/** Keeps the flags of a run for the next time. */
export async function storeLaunch(files: FileStore, workspace: string, memoryFile: string, launch: Launch): Promise<void> {
  await files.makeFolder(join(workspace, WORKSPACE_FOLDER, 'runs'));
  await files.replace(await pathOf(workspace, memoryFile), `${JSON.stringify({ v: 1, memoryFile, launch }, null, 2)}\n`);
}
