import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxError } from '../../../../src/core/sandboxError';
import type { Sandbox, SandboxSession } from '../../../../src/core/ports';
import { createSandboxProvider } from '../../../../src/node/sandbox/provider';
import { pyodide, removeFolders } from '../pyodide/kit';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
/** Files whose results may differ, and why: they depend on string hashes or on the interpreter's version. */
const differing = JSON.parse(readFileSync(path.join(ROOT, 'test/fixtures/parity.json'), 'utf8')) as Record<string, string>;
const SEEDS = [0, 1, 42];
const STEPS = 6;

function environments(): [string, string][] {
  const cases = path.join(ROOT, 'test/fixtures/cases');
  const samples = path.join(ROOT, 'media/sample-workspace/environments');
  return [
    ...readdirSync(cases).map((name): [string, string] => [name, path.join(cases, name, 'env.py')]),
    ...readdirSync(samples).map((name): [string, string] => [name, path.join(samples, name)]),
  ].flatMap(([name, file]): [string, string][] => {
    try {
      return [[name, readFileSync(file, 'utf8')]];
    } catch {
      return [];
    }
  });
}

/** The same actions for both, drawn with a fixed seed: digits, letters, words of the observation, tool calls, no box at all. */
function actionsFor(seed: number): (observation: string) => string {
  let state = seed * 2654435761 + 12345;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (observation) => {
    const words = observation.split(/\W+/).filter(Boolean);
    switch (draw(7)) {
      case 0: return `\\boxed{${draw(10)}}`;
      case 1: return `\\boxed{${'ABCD'[draw(4)]}}`;
      case 2: return `\\boxed{${words[draw(words.length)] ?? ''}}`;
      case 3: return '<tool_call>{"name": "list", "arguments": {}}</tool_call>';
      case 4: return `<answer>${words[draw(words.length)] ?? 'done'}</answer>`;
      case 5: return 'I do not know';
      default: return '\\boxed{\\frac{1}{2}} é😀²';
    }
  };
}

/** A result without what time and version change: durations, and digests, which cover the bytecode of lambdas. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (/^(ms|importMs|constructMs|digest)$/.test(key) ? undefined : part)));
}

async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return comparable(await work());
  } catch (error) {
    if (!(error instanceof SandboxError) || error.raised === null) throw error;
    const { code, type, traceback, package: missing } = error.raised;
    return { code, type, missing, lines: traceback.filter(({ inFile }) => inFile).map(({ line }) => line) };
  }
}

/** Everything that a session says of a file. */
async function story(sandbox: Sandbox, source: string): Promise<unknown[]> {
  const session: SandboxSession = await sandbox.open({ hashSeed: 0 });
  try {
    const told = [await attempt(() => session.load({ source, file: 'env.py', construction: 'play', maxTurns: 25, thread: 'worker' }))];
    for (const seed of SEEDS) {
      const reset = await attempt(() => session.reset(seed));
      told.push(reset, await attempt(() => session.solution()), await attempt(() => session.snapshot()));
      let observation = (reset as { observation?: { text: string } }).observation?.text ?? '';
      const next = actionsFor(seed);
      for (let step = 0; step < STEPS; step += 1) {
        const result = await attempt(() => session.step(next(observation), { trace: step === 0 }));
        told.push(result);
        observation = (result as { observation?: { text: string } }).observation?.text ?? '';
      }
      told.push(await attempt(() => session.snapshot()));
    }
    return told;
  } finally {
    await session.close();
  }
}

describe.runIf(process.platform === 'linux')('both sandboxes', () => {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const provider = createSandboxProvider({ choice: 'native', assetsDir: path.join(ROOT, 'src'), logger });
  let native: Sandbox;
  let embedded: Sandbox;

  beforeAll(async () => {
    [native, embedded] = await Promise.all([provider.get(), pyodide()]);
  }, 120_000);
  afterAll(async () => {
    provider.dispose();
    embedded.dispose();
    await removeFolders();
  });

  it.each(environments().filter(([name]) => !(name in differing)))('tell the same story of %s', async (_, source) => {
    expect(await story(embedded, source)).toEqual(await story(native, source));
  });

  it('differ only in files that exist', () => {
    expect(environments().map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(differing)));
  });
});
