import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxProvider } from '../../../../src/node/sandbox/provider';
import type { Sandbox } from '../../../../src/core/ports';
import type { PlanOp, ProbePlan } from '../../../../src/shared/hostProtocol';
import { folder, pyodide, removeFolders } from './kit';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const CASES = path.join(ROOT, 'test/fixtures/cases');
const SAMPLES = path.join(ROOT, 'media/sample-workspace/environments');

let native: Sandbox;
let embedded: Sandbox;
beforeAll(async () => {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const provider = createSandboxProvider({ choice: 'native', assetsDir: path.join(ROOT, 'src'), cacheDir: await folder(), logger });
  [native, embedded] = await Promise.all([provider.get(), pyodide()]);
}, 240_000);
afterAll(async () => {
  native?.dispose();
  embedded?.dispose();
  await removeFolders();
});

async function pythonFiles(under: string): Promise<string[]> {
  const names = await fs.readdir(under, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.py')).map((name) => path.join(under, name)).sort();
}

/** The loader's probe, and three plays of a fixed sequence of actions; numbers come from a generator of fixed start. */
function plan(): ProbePlan {
  let state = 7;
  const next = (below: number): number => ((state = (state * 1103515245 + 12345) % 2 ** 31), state % below);
  const actions = Array.from({ length: 6 }, () => ({ text: ['yes', 'no', String(next(50)), 'A', 'north', '<answer>4</answer>'][next(6)]!, boxed: next(3) > 0 }));
  const common = { on: 0, stopAtEnd: true };
  const run = (id: string, thread: 'worker' | 'main', ops: PlanOp[]): ProbePlan['runs'][number] => ({ id, thread, goOn: true, ops: [{ op: 'disturb', seed: 11 }, ...ops] });
  return {
    runs: [
      run('probe', 'worker', [
        { op: 'construct', on: 0, construction: 'validate', maxTurns: null }, { op: 'reset', on: 0, seed: 42 },
        { op: 'steps', ...common, actions: ['1', 'test', '42'].map((text) => ({ text, boxed: true })), count: 3, trace: true }, { op: 'snapshot', on: 0 }, { op: 'reset', on: 0, seed: 123 },
      ]),
      ...[0, 1].map((seed) => run(`play ${seed}`, 'worker', [
        { op: 'construct', on: 0, construction: 'play', maxTurns: 25 }, { op: 'reset', on: 0, seed }, { op: 'steps', ...common, actions, count: 6, trace: false },
        { op: 'solution', on: 0 }, { op: 'steps', ...common, actions: [{ text: '<solution()>', boxed: true }], count: 1, trace: false }, { op: 'snapshot', on: 0 },
      ])),
    ],
  };
}

/** Text of what a run gave, without times, addresses and the place of the standard library. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (/[mM]s$/.test(key) && typeof inner === 'number' ? 0 : inner), 1)
    .replace(/0x[0-9a-f]+/g, '0x')
    .replace(/"file": "[^"]*\/([^"/]+\/[^"/]+\.py)"/g, '"file": "$1"');
}

const files = [...(await pythonFiles(CASES)), ...(await pythonFiles(SAMPLES))].map((file) => [path.relative(ROOT, file), file] as const);

/** Why a file is not compared: what it does depends on string hashes, or on the version of Python. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'test/fixtures/cases/04-hash-order/env.py': 'the order of a set of texts: hashes are of 64 bits in one and of 32 in the other',
  'test/fixtures/cases/14-fstring-needs-312/env.py': 'syntax of Python 3.12',
  'test/fixtures/cases/14-fstring-needs-312/env_backslash.py': 'syntax of Python 3.12',
};

/** Files whose state holds functions: the digest of a snapshot covers their byte code, which each version of Python has its own of. */
const HOLD_FUNCTIONS = new Set(['test/fixtures/cases/21-tool-criteria/env.py', 'media/sample-workspace/environments/meeting_desk_env.py']);

describe('both sandboxes give the same', () => {
  it('have files to compare', () => {
    expect(files.length).toBeGreaterThanOrEqual(28);
  });

  it.each(files.filter(([name]) => !(name in DIFFERENT)))('for %s', async (name, file) => {
    const source = await fs.readFile(file, 'utf8');
    const [one, other] = await Promise.all([native, embedded].map(async (sandbox) => {
      const session = await sandbox.open({ hashSeed: 0, limits: { callMs: 60_000, loadMs: 60_000 } });
      const outcome = await session.plan(source, 'game.py', plan());
      await session.close();
      return outcome;
    }));
    const compared = (outcome: unknown): string => (HOLD_FUNCTIONS.has(name) ? plain(outcome).replace(/"digest": "[0-9a-f]+"/g, '"digest": ""') : plain(outcome));
    expect(compared(other)).toBe(compared(one));
  }, 120_000);
});
