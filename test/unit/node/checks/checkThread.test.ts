import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFile } from '../../../../src/core/checks/checkFile';
import type { Sandbox, SandboxProvider, SandboxSession } from '../../../../src/core/ports';
import { SandboxError } from '../../../../src/core/sandboxError';
import { CheckThread } from '../../../../src/node/checks/checkThread';
import { createPythonParser } from '../../../../src/node/checks/parser';
import { createSandboxProvider } from '../../../../src/node/sandbox/provider';
import { message } from '../../../../src/shared/message';
import { environment } from '../../core/checks/static/harness';

const folder = mkdtempSync(join(tmpdir(), 'checks-'));
let thread: CheckThread;

beforeAll(async () => {
  for (const name of ['web-tree-sitter', 'tree-sitter-python']) cpSync(`node_modules/${name}/${name}.wasm`, join(folder, `${name}.wasm`));
  await build({
    entryPoints: ['src/node/checks/check.worker.ts'], outfile: join(folder, 'check.worker.js'), bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent',
    alias: { 'web-tree-sitter': join(process.cwd(), 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
  });
  thread = new CheckThread({ assetsDir: folder, workerScript: join(folder, 'check.worker.js') });
});

afterAll(() => {
  thread.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const text = environment({ step: '    def step(self, action):\n        return "x", 0.0, 1, False, {}' });
const never = new AbortController().signal;

function sandboxOf(get: () => Promise<Sandbox>): SandboxProvider {
  return { get, health: () => Promise.resolve([]), dispose: () => undefined };
}

/** A session that never answers and counts how often it was ended. */
function silent(): { provider: SandboxProvider; asked: Promise<void>; ended: () => number } {
  let ended = 0;
  let told: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (told = resolve));
  const session = { plan: () => { told(); return new Promise(() => undefined); }, kill: () => (ended += 1), close: () => Promise.resolve() } as unknown as SandboxSession;
  const sandbox = { backend: 'native', python: '3.11.0', packages: {}, health: [], dispose: () => undefined, open: () => Promise.resolve(session) } as Sandbox;
  return { provider: sandboxOf(() => Promise.resolve(sandbox)), asked, ended: () => ended };
}

describe('full checks on a thread', () => {
  it('give the same report as in place, with what the user decided', async () => {
    const refused = sandboxOf(() => Promise.reject(new SandboxError('sandbox/none', message('No layer'), message('Install it'))));
    const input = { file: 'env.py', text, severityOverrides: { 'terminated-not-bool': 'info' as const }, suppressions: [{ scope: 'workspace' as const, id: 'solution-missing' }] };
    const here = await checkFile({ parser: await createPythonParser(folder), sandbox: refused }, input, never);
    const there = await thread.check(input, refused, never);
    expect({ ...there, timing: null }).toEqual({ ...here, timing: null });
    expect(there.verdict).toBe('cannot-run');
    expect(there.findings.find(({ id }) => id === 'terminated-not-bool')?.severity).toBe('info');
  });

  it('give the same report as in place when the file is run, whose first plays are told of before the others', async () => {
    const silent = (): void => undefined;
    const sandbox = createSandboxProvider({ choice: 'native', assetsDir: join(process.cwd(), 'src'), logger: { info: silent, warn: silent, error: silent } });
    try {
      const input = { file: 'env.py', text: readFileSync('test/fixtures/checks/solution-does-not-win/fires.py', 'utf8') };
      const here = await checkFile({ parser: await createPythonParser(folder), sandbox }, input, never);
      const there = await thread.check(input, sandbox, never);
      expect({ ...there, timing: null }).toEqual({ ...here, timing: null });
      expect(there.findings.map(({ id }) => id)).toContain('solution-does-not-win');
    } finally {
      sandbox.dispose();
    }
  }, 60_000);

  it('an aborted check rejects at once and ends its session', async () => {
    const { provider, asked, ended } = silent();
    const abort = new AbortController();
    const checking = thread.check({ file: 'env.py', text }, provider, abort.signal);
    await asked;
    abort.abort();
    await expect(checking).rejects.toMatchObject({ name: 'AbortError' });
    expect(ended()).toBeGreaterThan(0);
    await expect(thread.check({ file: 'env.py', text }, provider, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('a thread that dies fails its checks, and the next one begins anew', async () => {
    const { provider, asked } = silent();
    const broken = new CheckThread({ assetsDir: folder, workerScript: join(folder, 'missing.js') });
    await expect(broken.check({ file: 'env.py', text }, provider, never)).rejects.toThrow(/missing\.js/);
    broken.dispose();
    const checking = thread.check({ file: 'env.py', text }, provider, never);
    await asked;
    thread.dispose();
    await expect(checking).rejects.toMatchObject({ name: 'AbortError' });
    expect((await thread.check({ file: 'env.py', text, staticOnly: true }, provider, never)).class).not.toBeNull();
  });
});
