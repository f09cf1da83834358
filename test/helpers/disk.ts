import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

/** A disk that can be filled. `marker` is the file by which writers learn that it counts as full; empty when it really is. */
export interface Disk {
  readonly folder: string;
  readonly marker: string;
  fill(): void;
  free(): void;
  remove(): void;
}

/** A folder whose writers play a full disk. */
export function playedDisk(folder: string): Disk {
  mkdirSync(folder, { recursive: true });
  const marker = join(folder, 'full');
  return {
    folder,
    marker,
    fill: () => writeFileSync(marker, ''),
    free: () => rmSync(marker, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A file system in memory of so many megabytes, really filled. Null where this user may not mount one. */
export function realDisk(folder: string, megabytes: number): Disk | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    marker: '',
    fill: () => {
      const file = openSync(filler, 'w');
      try {
        for (const size of [1 << 20, 1 << 12]) while (writeSync(file, Buffer.alloc(size)) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => execFileSync('umount', ['-l', folder]),
  };
}
