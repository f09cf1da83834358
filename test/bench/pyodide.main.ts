/**
 * Figures of the embedded sandbox: start of the host, a fresh session, a step's round trip, memory, a kill. The round trip is
 * given beside the time that the same call takes inside Python: `npm run bench -- pyodide -- [ASSETS [CACHE]]`; with an empty cache folder
 * the start is a cold one.
 */
import { execFileSync } from 'node:child_process';
import { createSandboxProvider } from '../../src/node/sandbox/provider';
import { SandboxError } from '../../src/core/sandboxError';

const GAME = `
class CountEnv:
    def __init__(self, max_turns=10**9):
        self.max_turns = max_turns
        self.turns = 0
    def reset(self, seed=None):
        self.turns = 0
        return "count", {}
    def step(self, action):
        while action == "loop":
            pass
        self.turns += 1
        return f"{self.turns}", 0.5, False, False, {}
    def solution(self):
        return "1"
`;

const [, , assetsDir = 'dist', cacheDir] = process.argv;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Resident memory of this process's children, in MB; null where `ps` is not to be had. */
function childrenMegabytes(): number[] | null {
  try {
    return execFileSync('ps', ['-o', 'rss=', '--ppid', String(process.pid)], { encoding: 'utf8' }).trim().split('\n').map((line) => Number(line) / 1024).filter((size) => size > 20);
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const provider = createSandboxProvider({ choice: 'pyodide', assetsDir, ...(cacheDir !== undefined && { cacheDir }), logger: silent });
  const { ms: startMs, value: sandbox } = await timed(() => provider.get());
  const load = { source: GAME, file: 'game.py', construction: 'play', maxTurns: null, thread: 'worker' } as const;

  const session = await sandbox.open();
  await session.load(load);
  await session.reset(0);
  for (let i = 0; i < 2000; i++) await session.step('1');
  const trips: number[] = [];
  const inside: number[] = [];
  for (let i = 0; i < 3000; i++) {
    const { ms, value } = await timed(() => session.step('1'));
    trips.push(ms);
    inside.push(value.ms);
  }
  const traced: number[] = [];
  for (let i = 0; i < 500; i++) traced.push((await timed(() => session.step('1', { trace: true }))).ms);
  await session.close();

  const fresh: number[] = [];
  for (let i = 0; i < 40; i++) {
    const { ms, value } = await timed(async () => {
      const one = await sandbox.open();
      await one.plan('1', 'game.py', { runs: [] });
      return one;
    });
    fresh.push(ms);
    await value.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  const looping = await sandbox.open();
  await looping.load(load);
  await looping.reset(0);
  const call = looping.step('loop').catch((error: unknown) => error instanceof SandboxError);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const kill = await timed(async () => {
    looping.kill();
    await call;
  });

  const parked = await Promise.all(Array.from({ length: 12 }, async () => {
    const one = await sandbox.open();
    await one.load(load);
    await one.reset(0);
    return one;
  }));
  const turns: number[] = [];
  for (const one of [...parked, ...parked]) turns.push((await timed(() => one.step('1'))).ms);

  console.log(JSON.stringify({
    startMs: Math.round(startMs), freshSessionMs: median(fresh), stepMs: median(trips), stepInsideMs: median(inside), tracedStepMs: median(traced),
    stepOfParkedSessionMs: median(turns), killMs: kill.ms, childrenMegabytes: childrenMegabytes()?.map(Math.round),
  }, null, 1));
  provider.dispose();
}

void main();
