import { execFile } from 'node:child_process';
import { access, constants, readdir, readlink, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { ZygoteStart } from './zygoteHost';

const ASK_MS = 10_000;
const Folders = z.array(z.string());

/** Builds the command that runs a zygote inside bubblewrap; undefined where bubblewrap is not installed or the interpreter does not tell its folders. */
export async function bubblewrap(python: string, pythonFolder: string, signal?: AbortSignal): Promise<ZygoteStart['wrap']> {
  const program = await installed();
  const folders = program && (await foldersOf(python, pythonFolder, signal));
  if (!program || !folders) return undefined;
  const [links, interpreter] = await Promise.all([rootLinks(), realpath(python)]);
  const behindLinks = (path: string): string => {
    const [, top = '', ...rest] = path.split('/');
    const target = links.get(top);
    return target === undefined ? path : join('/', target, ...rest);
  };
  const walls = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--dev-bind', '/dev/null', '/dev/null'];
  const shown = [...folders, interpreter, pythonFolder].map(behindLinks).flatMap((path) => ['--ro-bind-try', path, path]);
  const symlinks = [...links].flatMap(([name, target]) => ['--symlink', target, `/${name}`]);
  return ([, ...args], folder) => [program, ...walls, ...symlinks, ...shown, '--bind', folder, folder, '--chdir', join(folder, 'e'), interpreter, ...args];
}

async function installed(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)) {
    const program = join(folder, 'bwrap');
    if (await access(program, constants.X_OK).then(() => true, () => false)) return program;
  }
  return undefined;
}

/** Folders that a zygote of this interpreter reads, by its own word; undefined when it does not answer. */
export function foldersOf(python: string, pythonFolder: string, signal?: AbortSignal): Promise<string[] | undefined> {
  const main = join(pythonFolder, 'envwright_host', 'native', 'main.py');
  return new Promise((resolve) => {
    execFile(python, ['-s', '-S', '-B', main, '--folders', python], { cwd: '/', env: {}, timeout: ASK_MS, signal }, (error, stdout) => {
      const parsed = error ? undefined : Folders.safeParse(JSON.parse(stdout));
      resolve(parsed?.success ? parsed.data : undefined);
    });
  });
}

/** Links directly below the root, such as `/lib`, with what they point at. */
async function rootLinks(): Promise<Map<string, string>> {
  const entries = await readdir('/', { withFileTypes: true });
  const links = entries.filter((entry) => entry.isSymbolicLink());
  return new Map(await Promise.all(links.map(async ({ name }) => [name, await readlink(join('/', name))] as const)));
}
