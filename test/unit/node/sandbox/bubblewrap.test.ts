import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bubblewrap } from '../../../../src/node/sandbox/native/bubblewrap';

const PYTHON = path.resolve(import.meta.dirname, '../../../../src/python');
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const usual = process.env['PATH'];
let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'wrap-'))));
afterEach(() => {
  process.env['PATH'] = usual;
  rmSync(folder, { recursive: true });
});

describe.runIf(process.platform === 'linux')('the outer wall of bubblewrap', () => {
  it('is not there where the program is not', async () => {
    process.env['PATH'] = folder;
    expect(await bubblewrap(python, PYTHON)).toBeUndefined();
  });

  it('shares nothing, keeps no capability, shows the interpreter and the host read-only, and lets only the socket’s folder be written to', async () => {
    writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\n');
    chmodSync(path.join(folder, 'bwrap'), 0o755);
    process.env['PATH'] = `${folder}:${usual}`;
    const command = (await bubblewrap(python, PYTHON))!([python, '-s', 'main.py'], '/tmp/socket-folder');
    expect(command[0]).toBe(path.join(folder, 'bwrap'));
    for (const wall of ['--unshare-all', '--die-with-parent', '--new-session']) expect(command).toContain(wall);
    expect(command.join(' ')).toContain('--cap-drop ALL');
    expect(command.join(' ')).not.toContain('--share');
    const writable = command.flatMap((word, at) => (/^--(dev-)?bind(-try)?$/.test(word) ? [command[at + 2]] : []));
    expect(writable).toEqual(['/dev/null', '/tmp/socket-folder']);
    const readable = command.flatMap((word, at) => (word === '--ro-bind-try' ? [command[at + 2]] : []));
    expect(readable).toContain(PYTHON);
    for (const secret of ['/', '/etc', '/home', '/root', '/tmp', '/proc', '/sys', '/dev', '/run', '/var']) expect(readable).not.toContain(secret);
    expect(command.slice(-3)).toEqual([realpathSync(python), '-s', 'main.py']);
  });
});
