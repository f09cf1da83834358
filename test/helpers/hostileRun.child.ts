/**
 * Runs every hostile file in one sandbox and prints what became of it: `node hostileRun.cjs BACKEND ASSETS CACHE HOSTILE PYTHON`.
 * A program of its own, so that it can be started as another user. Bundled by the test.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox, SandboxChoice } from '../../src/core/ports';
import { SandboxError } from '../../src/core/sandboxError';
import { createSandboxProvider } from '../../src/node/sandbox/provider';

const [, , backend = '', assetsDir = '', cacheDir = '', hostile = '', python = ''] = process.argv;
const AT_ONCE = 3;
/** An honest game: what it answers tells whether the others are served on. */
const HONEST = 'class PlainEnv:\n    def __init__(self, max_turns=5): self.max_turns = max_turns\n    def reset(self, seed=None): return "count", {}\n    def step(self, action): return action, 1.0, True, False, {}\n';
const TIGHT = { loadMs: 60_000, cpuSeconds: 5, memoryBytes: 256 * 1024 * 1024, outputBytes: 256 * 1024 };

async function outcome(sandbox: Sandbox, source: string, callMs: number): Promise<string> {
  const session = await sandbox.open({ limits: { ...TIGHT, callMs } });
  try {
    await session.load({ source, file: 'game.py', construction: 'play', maxTurns: 25, thread: 'worker' });
    await session.reset(1);
    await session.step('go');
    return 'survived';
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    if (error.raised === null) console.error(error.message);
    return error.raised ? 'raised' : error.end!.reason;
  } finally {
    await session.close();
  }
}

async function main(): Promise<void> {
  const logger = { info: () => undefined, warn: (text: string) => console.error(text), error: (text: string) => console.error(text) };
  const provider = createSandboxProvider({ choice: backend as SandboxChoice, assetsDir, cacheDir, pythonPath: python, logger });
  const sandbox = await provider.get();
  const files = Object.entries(JSON.parse(readFileSync(path.join(hostile, 'expected.json'), 'utf8')) as Record<string, { group: string }>);
  const outcomes: Record<string, string> = {};
  const unserved: string[] = [];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let next = files.shift(); next; next = files.shift()) {
      const [name, { group }] = next;
      outcomes[name] = await outcome(sandbox, readFileSync(path.join(hostile, `${name}.py`), 'utf8'), group === 'time' ? 1_000 : 60_000);
      const honest = await outcome(sandbox, HONEST, 60_000);
      if (honest !== 'survived') unserved.push(`${name}: ${honest}`);
    }
  }));
  const selfTest = sandbox.health.find(({ name }) => name.includes('self-test'));
  console.log(JSON.stringify({ user: process.getuid?.(), backend: sandbox.backend, selfTest: selfTest?.ok, attacks: Number.parseInt(selfTest?.detail ?? ''), outcomes, unserved }));
  provider.dispose();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
