import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateFolder, removePrivateFolder, removeStale } from '../../../../src/node/sandbox/privateFolder';

const DAY_MS = 24 * 3600 * 1000;
/** No process has this id: it is beyond what systems hand out. */
const NOBODY = 2 ** 30;
let parent: string;
beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), 'private-'))));
afterEach(() => rmSync(parent, { recursive: true }));

describe('a private folder', () => {
  it('is for this user only and goes when it is removed', () => {
    const folder = makePrivateFolder(parent);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    removePrivateFolder(folder);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('goes at the latest when the process exits', async () => {
    const script = path.join(parent, 'make.cjs');
    await build({
      stdin: { contents: "import { makePrivateFolder } from './privateFolder'; makePrivateFolder(process.argv[2]); process.exit(3)", resolveDir: path.resolve(import.meta.dirname, '../../../../src/node/sandbox') },
      bundle: true, platform: 'node', outfile: script, logLevel: 'silent',
    });
    expect(() => execFileSync(process.execPath, [script, parent])).toThrow();
    expect(readdirSync(parent)).toEqual(['make.cjs']);
  });

  it('that a killed process left goes after a day, and nothing else does', () => {
    for (const name of [`envwright-host-${NOBODY}-abc`, `envwright-host-${process.pid}-abc`, 'envwright-host-x-abc', 'other']) mkdirSync(path.join(parent, name));
    removeStale(parent);
    expect(readdirSync(parent)).toHaveLength(4);
    removeStale(parent, Date.now() + 2 * DAY_MS);
    expect(readdirSync(parent).sort()).toEqual([`envwright-host-${process.pid}-abc`, 'envwright-host-x-abc', 'other']);
  });
});
