import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives all unit tests one temporary folder, open to every user as the system's own is, that goes away with them. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'ew-'));
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
