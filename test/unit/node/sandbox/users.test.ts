import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EMBEDDED_ATTACKS } from '../../../../src/node/sandbox/pyodide/attacks';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const HOSTILE = path.join(ROOT, 'test/fixtures/hostile');
const Expected = z.record(z.string(), z.object({ group: z.string(), outcomes: z.array(z.string()) }));
const expected = Expected.parse(JSON.parse(readFileSync(path.join(HOSTILE, 'expected.json'), 'utf8')));
const Report = z.object({
  user: z.int(), backend: z.string(), selfTest: z.literal(true), attacks: z.int(), outcomes: z.record(z.string(), z.string()), unserved: z.array(z.string()),
});

/** The user that owns nothing, on every Unix. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
/** An ordinary user is whoever runs this, or, when that is root, nobody; root is tried as well where it can be. */
const users: [string, number | undefined][] = isRoot ? [['root', undefined], ['an ordinary user', NOBODY]] : [['an ordinary user', undefined]];
const LONG_MS = 600_000;

let folder: string;
let program: string;

/** Copies all that a run needs to where every user can read it. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'users-'));
  chmodSync(folder, 0o755);
  const built = (from: string, to: string, format: 'cjs' | 'esm') =>
    build({ entryPoints: [path.join(ROOT, from)], outfile: path.join(folder, to), bundle: true, platform: 'node', target: 'node20.17', format, logLevel: 'silent' });
  await Promise.all([built('test/helpers/hostileRun.child.ts', 'run.cjs', 'cjs'), built('src/node/sandbox/pyodide/pyodide.child.ts', 'workers/pyodide.child.mjs', 'esm')]);
  const copy = (from: string, to: string): void => cpSync(path.join(ROOT, from), path.join(folder, to), { recursive: true, dereference: true });
  copy('src/python', 'python');
  copy('node_modules/pyodide', 'pyodide');
  copy('test/fixtures/hostile', 'hostile');
  program = path.join(folder, 'node');
  cpSync(process.execPath, program, { dereference: true });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An interpreter that the user can run; one in the home folder of root is of no use to others. */
function pythonFor(uid: number | undefined): string {
  for (const python of ['python3', '/usr/bin/python3', '/usr/local/bin/python3']) {
    try {
      execFileSync(python, ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { cwd: '/', stdio: 'ignore', ...asUser(uid) });
      return python;
    } catch {
      continue;
    }
  }
  throw new Error(`no Python that user ${uid} can run`);
}

const asUser = (uid: number | undefined) => (uid === undefined ? {} : { uid, gid: uid });

function run(backend: string, uid: number | undefined): Promise<z.infer<typeof Report>> {
  const home = path.join(folder, `${backend}-${uid ?? 'self'}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  if (uid !== undefined) chownSync(home, uid, uid);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home };
  const args = [path.join(folder, 'run.cjs'), backend, folder, home, path.join(folder, 'hostile'), pythonFor(uid)];
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: home, env, timeout: LONG_MS, ...asUser(uid) }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(Report.parse(JSON.parse(stdout))));
  });
}

describe.each(users)('run by %s', (_who, uid) => {
  it.each(['native', 'pyodide'])('the %s sandbox stands its self-test and every hostile file', { timeout: LONG_MS }, async (backend) => {
    const report = await run(backend, uid);
    expect(report).toMatchObject({ user: uid ?? process.getuid!(), backend, unserved: [] });
    expect(report.attacks).toBeGreaterThanOrEqual(60);
    const wrong = Object.entries(expected).filter(([name, { outcomes }]) => !outcomes.includes(report.outcomes[name] ?? 'not run'));
    expect(wrong.map(([name, { outcomes }]) => `${name}: ${report.outcomes[name]}, not ${outcomes.join(' or ')}`)).toEqual([]);
  });
});

describe('the attacks', () => {
  const registered = execFileSync('python3', ['-c', 'import json; from envwright_host.attacks import ATTACKS; print(json.dumps([[a.group, a.name] for a in ATTACKS]))'],
    { cwd: path.join(ROOT, 'src/python'), encoding: 'utf8' });
  const all = [
    ...z.array(z.tuple([z.string(), z.string()])).parse(JSON.parse(registered)),
    ...EMBEDDED_ATTACKS.map(({ group, name }): [string, string] => [`embedded: ${group}`, name]),
    ...Object.entries(expected).map(([name, { group }]): [string, string] => [`hostile: ${group}`, name]),
  ];

  it('are many more than sixty, each in a group by what it aims at', () => {
    expect(new Set(all.map((one) => one.join('/'))).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(180);
    const groups = new Set(all.map(([group]) => group));
    for (const group of ['files', 'processes', 'network', 'memory', 'signals', 'kernel', 'embedded', 'hostile: time', 'hostile: memory', 'hostile: output', 'hostile: crash', 'hostile: host']) {
      expect(groups).toContain(group);
    }
  });
});
