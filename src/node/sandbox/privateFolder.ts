import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^envwright-host-(\d+)-/;
/** A folder of a process that is gone is left alone for so long: that process may live in another container that has the same folder. */
const STALE_MS = 24 * 3600 * 1000;

const made = new Set<string>();
let hooked = false;

/**
 * A new folder below the system's temporary one that only this user can read. It goes with {@link removePrivateFolder}, at the latest
 * when this process exits; what a killed process left is removed by a later one.
 */
export function makePrivateFolder(parent = tmpdir()): string {
  if (!hooked) {
    hooked = true;
    process.on('exit', () => made.forEach(removePrivateFolder));
    removeStale(parent);
  }
  const folder = mkdtempSync(join(parent, `envwright-host-${process.pid}-`));
  made.add(folder);
  return folder;
}

/** Removes a folder that {@link makePrivateFolder} made, with what is in it. */
export function removePrivateFolder(folder: string): void {
  made.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what processes that are gone have left, of this user and long ago. */
export function removeStale(parent: string, now = Date.now()): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      const { uid, mtimeMs } = statSync(join(parent, name));
      if (uid === process.getuid?.() && now - mtimeMs > STALE_MS) rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      continue;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
