import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxError } from '../../../../src/core/sandboxError';
import type { Sandbox, SessionEnd, SessionLimits } from '../../../../src/core/ports';
import { loaded, OBEDIENT, pyodide, removeFolders, run } from './kit';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await pyodide();
}, 240_000);
afterAll(async () => {
  sandbox?.dispose();
  await removeFolders();
});

/** How the session ends when the game runs this code. */
async function endOf(code: string, limits: Partial<SessionLimits> = {}): Promise<SessionEnd> {
  const session = await loaded(await sandbox.open({ limits: { callMs: 20_000, ...limits } }));
  const error: unknown = await session.step(code).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SandboxError);
  expect((error as SandboxError).end).toEqual(await session.ended);
  return session.ended;
}

describe('the embedded sandbox', () => {
  it('says what it is and that its self-test let nothing through', () => {
    expect(sandbox.backend).toBe('pyodide');
    expect(sandbox.python).toMatch(/^3\.\d+\.\d+/);
    const tested = sandbox.health.find(({ name }) => name.includes('self-test'))!;
    expect(tested.ok).toBe(true);
    expect(Number.parseInt(tested.detail)).toBeGreaterThan(100);
  });

  it('loads, resets, steps and solves', async () => {
    const session = await sandbox.open();
    expect(session.greeting.layers).toContain('import-lock');
    const load = await session.load({ source: OBEDIENT, file: 'game.py', construction: 'play', maxTurns: null, thread: 'worker' });
    expect([load.className, load.maxTurns, load.hasSolution]).toEqual(['ObedientEnv', 5, true]);
    expect((await session.reset(7)).observation.text).toBe('seed 7');
    const step = await session.step('result = 6 * 7');
    expect([step.observation.text, step.reward.number, step.truncated.json]).toEqual(['42', 0.5, false]);
    expect((await session.solution()).text.text).toBe('pass');
    await session.close();
    expect((await session.ended).reason).toBe('closed');
  });

  it('traces the lines that ran', async () => {
    const session = await loaded(await sandbox.open());
    const { trace } = await session.step('pass', { trace: true });
    expect(trace).toEqual({ lines: [12, 13, 14, 15], returnLine: 15 });
    await session.close();
  });

  it('logs what is printed, and nothing that is written past Python', async () => {
    const printed: string[] = [];
    const session = await loaded(await sandbox.open({ onLog: (text) => printed.push(text) }));
    await run(session, 'print("to be seen")\nimport os\nos.write(1, b"not to be seen")');
    expect(printed.join('')).toBe('to be seen\n');
    await session.close();
  });

  it('reports a package that is not there as missing', async () => {
    const session = await sandbox.open();
    const error = await session.load({ source: 'import numpy\n', file: 'game.py', construction: 'play', maxTurns: null, thread: 'worker' }).catch((thrown: unknown) => thrown as SandboxError);
    expect((error as SandboxError).raised).toMatchObject({ code: 'import', package: 'numpy' });
    await session.close();
  });

  it('lets signal handlers be set on the main thread only', async () => {
    const code = 'import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.alarm(1)';
    const main = await loaded(await sandbox.open(), { thread: 'main' });
    expect(await run(main, code)).toBe('done');
    const worker = await loaded(await sandbox.open(), { thread: 'worker' });
    const error: SandboxError = await worker.step(code).then(() => expect.fail('it was set'), (thrown: SandboxError) => thrown);
    expect(error.raised).toMatchObject({ type: 'ValueError', message: 'signal only works in main thread of the main interpreter' });
    await Promise.all([main.close(), worker.close()]);
  });

  it('hashes texts by the seed that was asked for', async () => {
    const hashes = [];
    for (const hashSeed of [0, 0, 3]) {
      const session = await loaded(await sandbox.open({ hashSeed }));
      expect(session.greeting.hashSeed).toBe(String(hashSeed));
      hashes.push(await run(session, 'result = hash("text")'));
      await session.close();
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
  }, 120_000);

  it('gives every session fresh randomness, real time and nothing of the session before', async () => {
    const seen = new Set<string>();
    for (let turn = 0; turn < 3; turn++) {
      const session = await loaded(await sandbox.open());
      seen.add(await run(session, 'import random\nresult = random.random()'));
      expect(await run(session, 'import builtins, random\nresult = hasattr(builtins, "left") or random.choice is None')).toBe('False');
      await run(session, 'import builtins, random\nbuiltins.left = 1\nrandom.choice = None');
      expect(Math.abs(Number(await run(session, 'import time\nresult = time.time()')) * 1000 - Date.now())).toBeLessThan(10_000);
      await session.close();
    }
    expect(seen.size).toBe(3);
  });

  it('keeps what many sessions hold while they take turns on two children', async () => {
    const sessions = await Promise.all(Array.from({ length: 7 }, () => sandbox.open()));
    await Promise.all(sessions.map(async (session, i) => {
      await loaded(session);
      await run(session, `self.kept = list(range(${i}, 2000))\nself.file = open(next(p for p in __import__("sys").path if p.endswith(".zip")), "rb")\nself.file.read(${i})`);
    }));
    const sums = await Promise.all(sessions.map((session) => run(session, 'result = (sum(self.kept), self.file.tell(), self.turns)')));
    expect(sums).toEqual(sessions.map((_, i) => `(${Array.from({ length: 2000 - i }, (__, k) => i + k).reduce((a, b) => a + b, 0)}, ${i}, 2)`));
    await Promise.all(sessions.map((session) => session.close()));
  }, 60_000);
});

describe('a session of the embedded sandbox that goes wrong', () => {
  it.each([
    ['a plain loop', 'while True: pass'],
    ['a loop that catches everything', 'while True:\n    try:\n        while True: pass\n    except BaseException: pass'],
    ['a regular expression that never comes back', 'import re\nre.match("(a+)+$", "a" * 64 + "b")'],
    ['a huge integer', 'x = 10 ** 10 ** 9'],
    ['a sleep', 'import time\ntime.sleep(3600)'],
  ])('is stopped by the clock: %s', async (_name, code) => {
    expect(await endOf(code, { callMs: 300 })).toMatchObject({ reason: 'wall-time', limit: 'sandbox.callSeconds' });
  });

  it('is stopped when its processor time is used up, over several calls', async () => {
    const session = await loaded(await sandbox.open({ limits: { cpuSeconds: 1 } }));
    const work = 'import time\nend = time.perf_counter() + 0.4\nwhile time.perf_counter() < end: pass';
    let calls = 0;
    await expect((async () => {
      for (; calls < 10; calls++) await session.step(work);
    })()).rejects.toBeInstanceOf(SandboxError);
    expect(await session.ended).toMatchObject({ reason: 'cpu', limit: 'sandbox.cpuSeconds' });
    expect(calls).toBeGreaterThanOrEqual(1);
    expect(calls).toBeLessThan(4);
  });

  it('gets a MemoryError at its limit and can go on', async () => {
    const session = await loaded(await sandbox.open({ limits: { memoryBytes: 96 << 20, callMs: 20_000 } }));
    const error: SandboxError = await session.step('x = []\nwhile True: x.append(bytearray(1 << 22))').then(() => expect.fail('no limit'), (thrown: SandboxError) => thrown);
    expect(error.raised).toMatchObject({ code: 'memory', type: 'MemoryError' });
    expect(await run(session, 'result = "alive"')).toBe('alive');
    await session.close();
  });

  it('ends when it prints without end', async () => {
    expect(await endOf('while True: print("x" * 1000)', { outputBytes: 100_000 })).toMatchObject({ reason: 'output' });
  });

  it('ends when it floods the descriptor of the host', async () => {
    const end = await endOf('import os\nwhile True:\n    for fd in range(3, 12):\n        try: os.write(fd, b"x" * (1 << 20))\n        except OSError: pass');
    expect(['output', 'crashed']).toContain(end.reason);
  });

  it.each([
    ['its process', 'import os\nos._exit(0)', 'ended its own process'],
    ['a foreign call', 'import gc\nfor finder in [o for o in gc.get_objects() if type(o).__name__ == "JsFinder"]:\n    for proxy in finder.jsproxies.values(): proxy.constructor', 'reached for'],
    ['recursion without a limit', 'import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n): return f(n + 1)\nf(0)', 'recursed too deep'],
    ['a nest of a million lists', 'x = []\nfor _ in range(10 ** 6): x = [x]\nrepr(x)', 'recursed too deep'],
    ['an abort', 'import os\nos.abort()', 'interpreter failed'],
  ])('ends and says why: %s', async (_name, code, why) => {
    const end = await endOf(code);
    expect(end).toMatchObject({ reason: 'crashed', limit: null });
    expect(end.detail).toContain(why);
  });

  it.each([
    ['ordinary recursion', 'def f(n): return f(n + 1)\nf(0)', 'recursion'],
    ['an attribute that asks for itself', 'class A:\n    def __getattr__(self, name): return getattr(self, name)\nA().x', 'recursion'],
    ['SystemExit', 'import sys\nsys.exit(3)', 'raised'],
    ['KeyboardInterrupt', 'raise KeyboardInterrupt', 'raised'],
    ['a thread', 'import threading\nthreading.Thread(target=print).start()', 'raised'],
  ])('raises and lives on: %s', async (_name, code, expected) => {
    const session = await loaded(await sandbox.open({ limits: { callMs: 20_000 } }));
    const error: SandboxError = await session.step(code).then(() => expect.fail('nothing was raised'), (thrown: SandboxError) => thrown);
    expect(error.raised?.code).toBe(expected);
    expect(await run(session, 'result = "alive"')).toBe('alive');
    await session.close();
  });

  it('is killed at any moment, at once, and the next one finds a child', async () => {
    const session = await loaded(await sandbox.open({ limits: { callMs: 60_000 } }));
    const looping = session.step('while True: pass').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    session.kill();
    expect(await looping).toBeInstanceOf(SandboxError);
    expect(performance.now() - start).toBeLessThan(50);
    expect((await session.ended).reason).toBe('killed');
    const next = await loaded(await sandbox.open());
    expect(await run(next, 'result = "alive"')).toBe('alive');
    await next.close();
  });

  it('leaves the others alone, parked or at work', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, async () => loaded(await sandbox.open())));
    const bad = await loaded(await sandbox.open({ limits: { callMs: 200 } }));
    const ends = await Promise.allSettled([bad.step('while True: pass'), ...others.map((one) => one.step('self.mark = 1'))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', ...others.map(() => 'fulfilled')]);
    expect(await Promise.all(others.map((one) => run(one, 'result = (self.mark, self.turns)')))).toEqual(others.map(() => '(1, 2)'));
    await Promise.all(others.map((one) => one.close()));
  }, 60_000);

  it('is ended by an aborted signal, with what an abort rejects with', async () => {
    const session = await loaded(await sandbox.open({ limits: { callMs: 60_000 } }));
    const abort = new AbortController();
    const looping = session.step('while True: pass', { signal: abort.signal }).catch((error: unknown) => error);
    setTimeout(() => abort.abort(), 50);
    expect(await looping).toMatchObject({ name: 'AbortError' });
    expect((await session.ended).reason).toBe('killed');
  });

  it('gives the evidence of a plan up to the call that did not come back', async () => {
    const session = await sandbox.open({ limits: { callMs: 300 } });
    const steps = (text: string) => ({ op: 'steps' as const, on: 0, actions: [{ text, boxed: false }], count: 1, stopAtEnd: true, trace: false });
    const ops = [{ op: 'construct' as const, on: 0, construction: 'play' as const, maxTurns: null }, { op: 'reset' as const, on: 0, seed: 1 }, steps('result = 1'), steps('while True: pass')];
    const outcome = await session.plan(OBEDIENT, 'game.py', { runs: [{ id: 'a', thread: 'worker', goOn: false, ops }] });
    expect(outcome.end).toMatchObject({ reason: 'wall-time', run: 'a', op: 3 });
    expect(outcome.runs[0]!.ops.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});
