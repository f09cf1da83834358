import { randomBytes } from 'node:crypto';
import { open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file beside `path` and renames it over: a reader sees the old content or the whole new one. The mode of an existing file is
 * kept and a link is followed. Every byte is written or the call rejects: on a disk that fills up, the system writes a part and calls
 * that a success, which a single `write` would put in place of the old file.
 */
export async function replaceFile(path: string, content: string | Uint8Array, flush: boolean): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  const mode = found && found.mode & 0o7777;
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await file.writeFile(content, 'utf8');
      if (mode !== undefined) await file.chmod(mode);
      if (flush) await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, target);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}
