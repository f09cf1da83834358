import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder of the user for what is kept between starts: snapshots and wheels of the embedded Python. */
export function defaultCacheDir(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'envwright');
}
