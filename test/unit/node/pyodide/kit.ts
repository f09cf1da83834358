import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { startPyodide, type PyodideOptions } from '../../../../src/node/sandbox/pyodide/backend';
import { DEFAULT_LIMITS } from '../../../../src/node/sandbox/limits';
import type { Sandbox, SandboxSession } from '../../../../src/core/ports';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const made: string[] = [];

/** An empty folder that `removeFolders` removes. */
export async function folder(): Promise<string> {
  const made_ = await fs.mkdtemp(path.join(os.tmpdir(), 'envwright-test-'));
  made.push(made_);
  return made_;
}

export async function removeFolders(): Promise<void> {
  for (const one of made.splice(0)) await fs.rm(one, { recursive: true, force: true });
}

/** Bundles the child program as the build does. */
export async function bundledChild(plugins: Plugin[] = []): Promise<string> {
  const out = path.join(await folder(), 'pyodide.child.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'src/node/sandbox/pyodide/pyodide.child.ts')], outfile: out, bundle: true, platform: 'node', target: 'node20.17', format: 'esm', logLevel: 'silent', plugins,
  });
  return out;
}

/** Snapshots live longer than a test file: they are named by all that they depend on. */
const SNAPSHOTS = path.join(os.tmpdir(), `envwright-test-snapshots-${os.userInfo().uid}`);

/** What the backend is started with in tests. */
export async function pyodideOptions(changes: Partial<PyodideOptions> & { cache?: string } = {}): Promise<PyodideOptions> {
  const { cache = SNAPSHOTS, ...rest } = changes;
  return {
    folders: { pyodide: path.join(ROOT, 'node_modules/pyodide'), python: path.join(ROOT, 'src/python'), cache },
    script: rest.script ?? (await bundledChild()),
    wheels: [], limits: DEFAULT_LIMITS, maxSessions: 64, maxChildren: 2, ...rest,
  };
}

export async function pyodide(changes: Partial<PyodideOptions> & { cache?: string } = {}): Promise<Sandbox> {
  return startPyodide(await pyodideOptions(changes));
}

/** A game whose `step` runs the action as Python, with `self` and `result` at hand. */
export const OBEDIENT = `
class ObedientEnv:
    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.turns = 0

    def reset(self, seed=None):
        self.turns = 0
        return f"seed {seed}", {}

    def step(self, action):
        self.turns += 1
        scope = {"self": self, "result": "done"}
        exec(action, scope)
        return str(scope["result"]), 0.5, False, self.turns >= self.max_turns, {}

    def solution(self):
        return "pass"
`;

/** Loads the obedient game, or another, and resets it. */
export async function loaded(session: SandboxSession, options: { source?: string; thread?: 'worker' | 'main' } = {}): Promise<SandboxSession> {
  const { source = OBEDIENT, thread = 'worker' } = options;
  await session.load({ source, file: 'game.py', construction: 'play', maxTurns: null, thread });
  await session.reset(1);
  return session;
}

/** What the obedient game answers to some Python. */
export async function run(session: SandboxSession, code: string): Promise<string> {
  return (await session.step(code)).observation.text;
}

/** Resolves when no process of that id is left; rejects when it stays. */
export async function gone(pid: number): Promise<void> {
  for (let wait = 1; wait < 3000; wait *= 2) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  throw new Error(`process ${pid} is still there`);
}
