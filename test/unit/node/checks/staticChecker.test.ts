import { getEventListeners } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StaticChecker } from '../../../../src/node/checks/staticChecker';
import { environment } from '../../core/checks/static/harness';

const folder = mkdtempSync(join(tmpdir(), 'static-'));
let checker: StaticChecker;

beforeAll(async () => {
  for (const name of ['web-tree-sitter', 'tree-sitter-python']) cpSync(`node_modules/${name}/${name}.wasm`, join(folder, `${name}.wasm`));
  await build({
    entryPoints: ['src/node/checks/static.worker.ts'], outfile: join(folder, 'static.worker.js'), bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent',
    alias: { 'web-tree-sitter': join(process.cwd(), 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
  });
  checker = await StaticChecker.start({ assetsDir: folder, workerScript: join(folder, 'static.worker.js') });
});

afterAll(() => {
  checker.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const context = { profile: null, interpreter: null };
const small = environment({ step: '    def step(self, action):\n        return "x", 0.0, 1, False, {}' });
/** Long by a text, which is read in one go: of thousands of comments after a block, the grammar reads the rest anew at each. */
const large = `${small}\n"""\n${'a long remark that says nothing at all\n'.repeat(2_000)}"""\n`;

describe('static checks on a thread', () => {
  it('give the same as in place', async () => {
    const here = await checker.check('small', small, context);
    const there = await checker.check('large', large, context);
    expect(there).toEqual(here);
    expect(there.findings.map(({ id }) => id)).toEqual(['terminated-not-bool']);
  });
  it('follow edits of one file', async () => {
    expect((await checker.check('large', large.replace(', 1, False', ', True, False'), context)).findings).toEqual([]);
    expect((await checker.check('large', large, context)).findings).toHaveLength(1);
    checker.forget('large');
    expect((await checker.check('large', large, context)).findings).toHaveLength(1);
  });
  it('are given up when their signal aborts, and go on after', async () => {
    const abort = new AbortController();
    const given = checker.check('large', large, context, abort.signal);
    abort.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    await expect(checker.check('small', small, context, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect((await checker.check('large', large, context)).findings).toHaveLength(1);
  });
  it('skip what was cancelled while another was under way', async () => {
    const abort = new AbortController();
    const first = checker.check('large', large, context);
    const stale = Array.from({ length: 20 }, (_, at) => checker.check('large', `${large}#${at}\n`, context, abort.signal));
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    const newest = checker.check('large', large.replace(', 1, False', ', True, False'), context);
    expect((await Promise.allSettled(stale)).every(({ status }) => status === 'rejected')).toBe(true);
    expect([(await first).findings.length, (await newest).findings.length]).toEqual([1, 0]);
  });
  it('use what is known of the interpreter', async () => {
    const text = `import math_verify\n${large}`;
    const { findings } = await checker.check('large', text, { profile: null, interpreter: { python: '3.11.7', packages: { 'math-verify': null } } });
    expect(findings.map(({ id }) => id)).toContain('missing-dependency');
  });
  it('fail with an error, not for ever, when the thread cannot start', async () => {
    const broken = await StaticChecker.start({ assetsDir: folder, workerScript: join(folder, 'missing.js') });
    await expect(broken.check('large', large, context)).rejects.toThrow(/missing\.js/);
    broken.dispose();
  });
});
