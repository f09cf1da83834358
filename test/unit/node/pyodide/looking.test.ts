import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildDied, type Child } from '../../../../src/node/sandbox/pyodide/child';
import { ANSWER_HEAD, Kind } from '../../../../src/node/sandbox/pyodide/envelope';
import { ImageStore } from '../../../../src/node/sandbox/pyodide/imageStore';
import { gone, OBEDIENT, pyodideOptions, removeFolders } from './kit';

const bounds = { memoryBytes: 256 * 1024 * 1024, eventBytes: 1024 * 1024 };
const pause = (ms: number): Promise<void> => (ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms)));

describe('a child that looks for the next order before it sleeps', () => {
  let child: Child;
  let next = 1;
  let events = '';
  const ask = async (kind: Kind, request: object): Promise<unknown> => {
    const answer = await child.send(kind, JSON.stringify({ id: next++, ...request }), (event) => (events += event.toString('utf8')));
    return (JSON.parse(answer.toString('utf8', ANSWER_HEAD)) as { result: unknown }).result;
  };
  const step = async (kind: Kind, code: string): Promise<string> => ((await ask(kind, { op: 'step', action: code, plain: true })) as [string])[0];

  beforeAll(async () => {
    const { folders, script } = await pyodideOptions();
    ({ child } = await new ImageStore(folders, { program: process.execPath, flags: ['--no-warnings'], script }).start({ hashSeed: 0, wheels: [], mathPreloaded: false }));
    await child.send(Kind.start, JSON.stringify({ python: { op: 'start', observationChars: 100_000, layers: [] }, bounds }));
    await ask(Kind.request, { op: 'load', source: OBEDIENT, file: 'game.py', construction: 'play', maxTurns: null, thread: 'worker' });
  }, 120_000);
  afterAll(async () => {
    child.kill();
    await gone(child.pid!);
    await removeFolders();
  });

  it('answers every order once and in turn, whether it finds it by looking, is woken for it or missed it', async () => {
    for (const wait of [0, 0, 0, 1, 0, 5, 20, 0]) {
      for (const kind of [Kind.looking, Kind.looking, Kind.request, Kind.looking] as const) {
        await pause(wait);
        const number = next;
        expect(await step(kind, `result = ${number}`)).toBe(String(number));
      }
    }
  });

  it('takes orders of any length, long calls with what they print, and a reset of its session between', async () => {
    const turns = 4 + Number(await step(Kind.looking, 'result = self.turns'));
    expect(await step(Kind.looking, `result = len("""${'x'.repeat(50_000)}""")`)).toBe('50000');
    expect(await step(Kind.looking, 'import time\nprint("one")\ntime.sleep(0.05)\nprint("two")\nresult = "slept"')).toBe('slept');
    expect(events).toContain('two');
    expect(await step(Kind.looking, 'result = "after"')).toBe('after');
    expect((await child.send(Kind.park, '')).length).toBeGreaterThan(0);
    expect(await step(Kind.looking, 'result = self.turns')).toBe(String(turns));
  });

  it('is killed while it looks, or works on what it found', async () => {
    await step(Kind.looking, 'pass');
    const call = step(Kind.looking, 'while True: pass').catch((error: unknown) => error);
    await pause(20);
    child.kill();
    expect(await call).toBeInstanceOf(ChildDied);
    await gone(child.pid!);
  });
});
