import { message } from '../../shared/message';
import { EnvwrightError } from '../errors';
import type { FileStore } from '../ports';
import { join } from '../run/paths';

/** Folders that hold no environments of a pool. */
const LEFT_OUT = new Set(['node_modules', 'site-packages', '__pycache__', 'venv', 'rejected']);

/**
 * The Python files below some folders, in the order of their paths; a path that is a file stands for itself. Folders whose name begins
 * with a dot, and those of packages and rejects, are left out. @throws EnvwrightError `review/no-such-folder`.
 */
export async function findPythonFiles(files: FileStore, roots: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  for (const root of roots) {
    const stat = await files.stat(root);
    if (!stat) throw new EnvwrightError('review/no-such-folder', message('There is no folder {path}.', { path: root }), message('Check the path.'));
    if (!stat.folder) found.add(root);
    else for await (const file of below(files, root, signal)) found.add(file);
  }
  return [...found].sort();
}

async function* below(files: FileStore, folder: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  signal?.throwIfAborted();
  const entries = (await files.list(folder)) ?? [];
  for (const { name, folder: isFolder } of entries) {
    if (isFolder) {
      if (!name.startsWith('.') && !LEFT_OUT.has(name)) yield* below(files, join(folder, name), signal);
    } else if (name.endsWith('.py') && !name.startsWith('.')) {
      yield join(folder, name);
    }
  }
}
