import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxSession, SessionLimits } from '../../../../src/core/ports';
import { isCancelled } from '../../../../src/core/errors';
import { SandboxError } from '../../../../src/core/sandboxError';
import { createSandboxProvider } from '../../../../src/node/sandbox/provider';
import { PlanRun } from '../../../../src/shared/hostProtocol';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const HOSTILE = path.join(ROOT, 'test/fixtures/hostile');
const FRIENDLY = readFileSync(path.join(ROOT, 'test/fixtures/cases/18-answer-in-observation/env.py'), 'utf8');
const TIGHT: Partial<SessionLimits> = { callMs: 1_000, loadMs: 30_000, cpuSeconds: 3, memoryBytes: 256 * 1024 * 1024, outputBytes: 256 * 1024 };
const expected = JSON.parse(readFileSync(path.join(HOSTILE, 'expected.json'), 'utf8')) as Record<string, { group: string; outcomes: string[] }>;

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const provider = createSandboxProvider({ choice: 'native', assetsDir: path.join(ROOT, 'src'), logger });
let sandbox: Sandbox;

const load = (session: SandboxSession, source: string, thread: 'worker' | 'main' = 'worker') =>
  session.load({ source, file: 'game.py', construction: 'play', maxTurns: 25, thread });

async function playsWell(): Promise<void> {
  const session = await sandbox.open();
  await load(session, FRIENDLY);
  await session.reset(42);
  const answer = (await session.solution()).text.text;
  expect((await session.step(`\\boxed{${answer}}`)).reward.number).toBe(1);
  await session.close();
}

/** What a hostile step comes to: `survived`, `raised`, or the reason of the session's end. */
async function outcome(source: string, thread: 'worker' | 'main', callMs: number): Promise<string> {
  const session = await sandbox.open({ limits: { ...TIGHT, callMs } });
  try {
    await load(session, source, thread);
    await session.reset(1);
    await session.step('go');
    return 'survived';
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return error.raised ? 'raised' : error.end!.reason;
  } finally {
    await session.close();
  }
}

/** Processes whose command line holds a text. */
const processesWith = (text: string): number => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(text)).length;

describe.runIf(process.platform === 'linux')('the native sandbox', () => {
  beforeAll(async () => {
    sandbox = await provider.get();
  });
  afterAll(() => provider.dispose());

  it('was handed out with every layer in force and no attack let through', async () => {
    const health = await provider.health();
    expect(health.find(({ name }) => name === 'native layers')?.detail).toContain('landlock');
    expect(health.find(({ name }) => name === 'native self-test')).toMatchObject({ ok: true });
    const session = await sandbox.open();
    expect(session.greeting.layers).toEqual(['namespaces', 'private-root', 'no-new-privileges', 'landlock', 'seccomp', 'rlimits']);
    await session.close();
  });

  it('tells of a step the same, whether it crosses in short or, traced, in full', async () => {
    const source = 'class AnyEnv:\n  def reset(self, seed=None): return "", {}\n  def step(self, action): return eval(action)\n';
    const session = await sandbox.open();
    await load(session, source);
    await session.reset(1);
    for (const action of [
      '("a", 0.5, False, False, {})', '("", -3, True, False, {"k": [1, "é"]})', '("a", -0.0, False, True, {1: 2})', '("a", 1e300, True, True, {})',
      '("é", 1, False, False, {})', '("a", float("nan"), False, False, {})', '("a", True, 1, None, None)', '("a", 2**60, False, False, {})', '["a", 1.0]',
    ]) {
      const { ms, ...short } = await session.step(action);
      const { ms: traced, trace, ...full } = await session.step(action, { trace: true });
      expect(short).toEqual(full);
      expect([typeof ms, typeof traced, trace?.lines]).toEqual(['number', 'number', [3]]);
    }
    await session.close();
  });

  describe.each(['worker', 'main'] as const)('on the %s thread', (thread) => {
    it.each(Object.entries(expected).filter(([, { group }]) => thread === 'worker' || group !== 'time'))('stands %s', async (name, { group, outcomes }) => {
      const source = readFileSync(path.join(HOSTILE, `${name}.py`), 'utf8');
      // What floods memory on a busy machine must reach that bound before the one of time.
      expect(outcomes).toContain(await outcome(source, thread, group === 'time' ? 1_000 : 15_000));
      await playsWell();
    }, 60_000);
  });

  it('knows the outcome of every hostile file', () => {
    expect(readdirSync(HOSTILE).filter((name) => name.endsWith('.py')).map((name) => name.slice(0, -3)).sort()).toEqual(Object.keys(expected).sort());
  });

  it('keeps the others whole when a session is killed in the middle of a call', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => sandbox.open()));
    await Promise.all(sessions.map((session) => load(session, FRIENDLY)));
    const hanging = await sandbox.open();
    const call = load(hanging, 'while True: pass');
    setTimeout(() => hanging.kill(), 100);
    await expect(call).rejects.toMatchObject({ code: 'sandbox/killed' });
    const texts = await Promise.all(sessions.map(async (session) => (await session.reset(7)).observation.text));
    expect(new Set(texts).size).toBe(1);
    await Promise.all(sessions.map((session) => session.close()));
  });

  it('kills the session of a call whose signal aborts', async () => {
    const session = await sandbox.open();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const error: unknown = await session.load({ source: 'while True: pass', file: 'a.py', construction: 'play', maxTurns: null, thread: 'worker' }, controller.signal).catch((e: unknown) => e);
    expect(isCancelled(error)).toBe(true);
    await session.ended;
  });

  it('passes prints on as they are made, also those before a hang', async () => {
    const log: string[] = [];
    const session = await sandbox.open({ limits: { loadMs: 700 }, onLog: (text) => log.push(text) });
    await expect(load(session, 'print("before")\nwhile True: pass')).rejects.toMatchObject({ code: 'sandbox/wall-time' });
    expect(log.join('')).toBe('before\n');
  });

  it('gives each hash seed its own strings and the same seed the same ones', async () => {
    const source = FRIENDLY.replace('def reset(self, seed=None):', 'def reset(self, seed=None):\n        return str(hash("a")), {}\n');
    const hashes = [];
    for (const hashSeed of [1, 2, 1, undefined, 0]) {
      const session = await sandbox.open(hashSeed === undefined ? {} : { hashSeed });
      await load(session, source);
      hashes.push((await session.reset(1)).observation.text);
      await session.close();
    }
    expect(hashes[0]).toBe(hashes[2]);
    expect(hashes[3]).toBe(hashes[4]);
    expect(new Set(hashes).size).toBe(3);
  });

  it('tells which action of a plan hung, keeps the evidence before it, and carries out the rest in a new session', async () => {
    const source = FRIENDLY.replace('def step(self, action):', 'def step(self, action):\n        while action == "hang": pass\n');
    const run = (id: string, text: string) => PlanRun.parse({
      id, ops: [{ op: 'construct' }, { op: 'reset', seed: 1 }, { op: 'steps', actions: [{ text: 'a' }, { text }], count: 2 }],
    });
    const session = await sandbox.open({ limits: TIGHT });
    const { runs, end } = await session.plan(source, 'game.py', { runs: [run('good', 'b'), run('bad', 'hang'), run('rest', 'b')] });
    expect(end).toMatchObject({ reason: 'wall-time', run: 'bad', op: 2, action: 'hang' });
    expect(runs.map(({ id, complete, ops }) => [id, complete, ops.length])).toEqual([['good', true, 3], ['bad', false, 3]]);
  });

  it('names the memory and processor limits in the end', async () => {
    const busy = await sandbox.open({ limits: { cpuSeconds: 1, callMs: 20_000, loadMs: 20_000 } });
    await expect(load(busy, 'while True: pass')).rejects.toMatchObject({ end: { reason: 'cpu', limit: 'sandbox.cpuSeconds' } });
  });

  it('lets no more sessions in than its bound, and the next when one leaves', async () => {
    const small = createSandboxProvider({ choice: 'native', assetsDir: path.join(ROOT, 'src'), logger, maxSessions: 2 });
    const bounded = await small.get();
    const [first] = await Promise.all([bounded.open(), bounded.open()]);
    let third: SandboxSession | undefined;
    const waiting = bounded.open().then((session) => (third = session));
    const gaveUp = bounded.open({}, AbortSignal.timeout(50)).catch((error: unknown) => error);
    expect(await gaveUp).toBeInstanceOf(DOMException);
    expect(third).toBeUndefined();
    await first.close();
    await waiting;
    small.dispose();
  });

  it('starts its host anew when that died, without the user noticing', async () => {
    const zygotes = (): number[] => execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s.*native\/main\.py/.exec(line)).filter((match) => match?.[2] === String(process.pid)).map((match) => Number(match![1]));
    const others = zygotes();
    const own = createSandboxProvider({ choice: 'native', assetsDir: path.join(ROOT, 'src'), logger });
    const mine = await own.get();
    const before = await mine.open();
    const [mineAlone, ...more] = zygotes().filter((pid) => !others.includes(pid));
    expect(more).toEqual([]);
    process.kill(mineAlone!, 'SIGKILL');
    await expect(before.ended).resolves.toMatchObject({ reason: 'host-died' });
    const after = await mine.open();
    await load(after, FRIENDLY);
    own.dispose();
  });

  it('has its processes take no processor from whoever runs when they wake', async () => {
    const session = await sandbox.open();
    const main = path.join(ROOT, 'src/python/envwright_host/native/main.py');
    // The walls of bubblewrap have it on their command line as well.
    const lines = execFileSync('ps', ['-eo', 'cls,args'], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(` -B ${main}`) && !line.includes('bwrap'));
    const classes = lines.map((line) => line.trim().split(/\s/)[0]);
    expect(classes.length).toBeGreaterThan(2);
    expect(new Set(classes)).toEqual(new Set(['B']));
    await session.close();
  });

  it('leaves no process behind', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'left-'));
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      const own = createSandboxProvider({ choice: 'native', assetsDir: path.join(ROOT, 'src'), logger });
      const mine = await own.get();
      const session = await mine.open();
      void load(session, 'while True: pass').catch(() => undefined);
      await mine.open({ hashSeed: 5 });
      expect(processesWith(folder)).toBeGreaterThan(4);
      own.dispose();
      await expect.poll(() => processesWith(folder), { timeout: 5_000 }).toBe(0);
      await expect.poll(() => readdirSync(folder), { timeout: 5_000 }).toEqual([]);
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
      rmSync(folder, { recursive: true });
    }
  });
});
