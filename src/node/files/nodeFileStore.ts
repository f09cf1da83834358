import { mkdir, open, opendir, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import { EnvwrightError } from '../../core/errors';
import type { FileStore } from '../../core/ports';
import { message } from '../../shared/message';
import { fileLines } from './fileLines';
import { replaceFile } from './replaceFile';

/** A lock whose owner was killed is taken over after this; an owner that lives renews it twice as often. */
const STALE_MS = 10_000;
const RETRIES = { retries: 200, factor: 1.2, minTimeout: 15, maxTimeout: 250, randomize: true };

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A folder of tens of thousands of files comes in pieces of this size, so that no piece keeps the process busy for long. */
const LISTED_AT_ONCE = 512;

const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

/** An answer, or undefined when the file or folder is not there. */
async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return undefined;
    throw error;
  }
}

/** What went wrong with a file, with the next step for the errors that a person can do something about. */
function fileError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  const next = {
    ENOSPC: message('The disk is full. Free some space and try again; nothing was changed.'),
    EDQUOT: message('The disk quota is used up. Free some space and try again; nothing was changed.'),
    EACCES: message('You may not write there. Ask for the right, or choose another folder.'),
    EPERM: message('You may not write there. Ask for the right, or choose another folder.'),
    EISDIR: message('A folder stands there. Choose another name.'),
    ENOENT: message('There is no such folder. Make it, or choose another one.'),
    ENOTDIR: message('A part of that path is a file and no folder. Choose another folder.'),
    EROFS: message('That disk cannot be written to. Choose another folder.'),
  }[code];
  return next ? new EnvwrightError(`files/${code.toLowerCase()}`, message('{path} could not be written ({code}).', { path, code }), next, { cause: error }) : error;
}

async function reported<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Files of this machine, or of a disk that it has mounted. */
export class NodeFileStore implements FileStore {
  constructor(private readonly staleMs = STALE_MS) {}

  async read(path: string): Promise<string | undefined> {
    const bytes = await unlessAbsent(readFile(path));
    if (bytes === undefined) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw new EnvwrightError('files/not-utf-8', message('{path} is no UTF-8 text.', { path }), message('Nothing was changed. Save it as UTF-8.'), { cause: error });
    }
  }

  async replace(path: string, text: string, { flush = true }: { readonly flush?: boolean } = {}): Promise<void> {
    await reported(path, replaceFile(path, text, flush));
  }

  async withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
    let lost: Error | undefined;
    const release = await this.lock(path, (error) => (lost = error));
    try {
      const result = await work();
      if (lost) throw lost;
      return result;
    } finally {
      // A lock that was lost has no owner to give it back.
      await release().catch((error: unknown) => { if (codeOf(error) !== 'ERELEASED' && codeOf(error) !== 'ENOTACQUIRED') throw error; });
    }
  }

  private async lock(path: string, onCompromised: (error: Error) => void): Promise<() => Promise<void>> {
    try {
      return await lockfile.lock(path, { realpath: false, stale: this.staleMs, retries: RETRIES, onCompromised });
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED') throw fileError(error, path);
      throw new EnvwrightError(
        'files/locked', message('Another program holds the lock of {path}.', { path }),
        message('Try again when it is done. If none is running, delete {lock}.', { lock: `${path}.lock` }), { cause: error },
      );
    }
  }

  async list(folder: string): Promise<{ name: string; folder: boolean }[] | undefined> {
    const entries = await unlessAbsent(opendir(folder, { bufferSize: LISTED_AT_ONCE }));
    if (!entries) return undefined;
    const listed: { name: string; folder: boolean }[] = [];
    for await (const entry of entries) listed.push({ name: entry.name, folder: entry.isDirectory() });
    return listed;
  }

  async stat(path: string): Promise<{ size: number; modifiedMs: number; folder: boolean } | undefined> {
    const found = await unlessAbsent(stat(path));
    return found && { size: found.size, modifiedMs: found.mtimeMs, folder: found.isDirectory() };
  }

  async append(path: string, lines: string, { flush = true }: { readonly flush?: boolean } = {}): Promise<void> {
    await this.makeFolder(dirname(path));
    await reported(path, appendLines(path, lines, flush));
  }

  async makeFolder(path: string): Promise<void> {
    await reported(path, mkdir(path, { recursive: true }));
  }

  async remove(path: string): Promise<boolean> {
    return (await unlessAbsent(unlink(path).then(() => true))) ?? false;
  }

  lines(path: string, signal?: AbortSignal): AsyncIterable<{ text: string; utf8: boolean }> {
    return fileLines(path, signal);
  }
}

async function appendLines(path: string, lines: string, flush: boolean): Promise<void> {
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const last = size === 0 ? '\n' : (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString();
    // Not `write`, which on a disk that fills up writes a part and calls it a success.
    await file.writeFile(`${last === '\n' ? '' : '\n'}${lines}`);
    if (flush) await file.sync();
  } finally {
    await file.close();
  }
}
