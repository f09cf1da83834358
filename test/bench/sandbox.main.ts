/**
 * Figures of the sandboxes, with the bare in-process Python time of the same calls beside each:
 * `node out/test/bench/sandbox.main.js [native] [pyodide]`. Prints one line a figure, with the mark it should keep.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import path from 'node:path';
import { checkFile } from '../../src/core/checks/checkFile';
import type { Sandbox, SandboxChoice, SandboxProvider, SandboxSession } from '../../src/core/ports';
import { createPythonParser } from '../../src/node/checks/parser';
import { createSandboxProvider } from '../../src/node/sandbox/provider';

const ROOT = path.resolve(__dirname, '../../..');
const ENV_FILE = path.join(ROOT, 'test/fixtures/cases/18-answer-in-observation/env.py');
const SOURCE = readFileSync(ENV_FILE, 'utf8');
const WARMING = 5_000;
const STEPS = 5_000;
const FRESH = 30;
const HELD = 40;
const MEGABYTE = 1024 * 1024;
const logger = { info: () => undefined, warn: (text: string) => console.error(text), error: (text: string) => console.error(text) };

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const load = (session: SandboxSession) => session.load({ source: SOURCE, file: 'env.py', construction: 'play', maxTurns: 25, thread: 'worker' });

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
}

function say(what: string, value: string, mark = '', bare = ''): void {
  console.log(`${what.padEnd(40)} ${value.padStart(12)}   ${mark.padEnd(14)} ${bare}`);
}

function bareTimes(): { load: number; steps: number } {
  return JSON.parse(execFileSync('python3', [path.join(ROOT, 'test/bench/bench_env.py'), ENV_FILE, String(STEPS)], { encoding: 'utf8' })) as { load: number; steps: number };
}

/** Bytes that are free for new work, as the kernel sees it. */
function available(): number {
  return Number(/MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? Number.NaN) * 1024;
}

/** Private bytes of all processes below this one, where the system tells them. */
function privateBytes(): number | null {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    } catch {
      continue;
    }
  }
  const below = (pid: number): number[] => (parents.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  try {
    return below(process.pid).reduce((sum, pid) => {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return sum + [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce((all, match) => all + Number(match[1]) * 1024, 0);
    }, 0);
  } catch {
    return null;
  }
}

async function freshSessions(sandbox: Sandbox): Promise<void> {
  const opened: number[] = [];
  const ready: number[] = [];
  for (let turn = 0; turn < FRESH; turn += 1) {
    const [opening, session] = await timed(() => sandbox.open({ limits: { memoryBytes: 512 * MEGABYTE + turn } }));
    const [loading] = await timed(() => load(session));
    opened.push(opening);
    ready.push(opening + loading);
    await session.close();
  }
  const marks: Partial<Record<string, string>> = { native: '< 20 ms', pyodide: '< 3 ms' };
  say('fresh session, nothing kept ready', `${median(opened).toFixed(2)} ms`, marks[sandbox.backend] ?? '');
  say('fresh session with the file loaded', `${median(ready).toFixed(2)} ms`, '', `bare load ${(bareTimes().load * 1000).toFixed(2)} ms`);
}

/** Microseconds of one call, in rounds of a hundred: least, median and greatest. */
async function eachTakes(call: () => Promise<unknown>): Promise<{ least: number; middle: number; most: number }> {
  const rounds: number[] = [];
  for (let turn = 0; turn < STEPS / 100; turn += 1) {
    const [ms] = await timed(async () => {
      for (let step = 0; step < 100; step += 1) await call();
    });
    rounds.push(ms * 10);
  }
  return { least: Math.min(...rounds), middle: median(rounds), most: Math.max(...rounds) };
}

/** What an exchange of a step's size with any other process costs on this machine: no sandbox can be faster. */
async function bareExchange(): Promise<string> {
  const child = spawn('python3', [path.join(ROOT, 'test/bench/echo.py'), '460'], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const socket = child.stdio[3] as Duplex;
  const { middle } = await eachTakes(() => new Promise((resolve) => {
    socket.once('data', resolve);
    socket.write('x'.repeat(70));
  }));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  socket.destroy();
  await ended;
  return `${middle.toFixed(1)} µs`;
}

async function steps(sandbox: Sandbox): Promise<void> {
  const session = await sandbox.open();
  await load(session);
  await session.reset(1);
  // Whoever steps for long does so with code that the engine has optimised.
  for (let step = 0; step < WARMING; step += 1) await session.step('no answer');
  const { least, middle, most } = await eachTakes(() => session.step('no answer'));
  say('step, round trip', `${middle.toFixed(1)} µs`, '< 100 µs', `from ${least.toFixed(1)} to ${most.toFixed(1)}; bare ${((bareTimes().steps * 1e6) / STEPS).toFixed(1)} µs, bare exchange with another process ${await bareExchange()}`);
  await session.close();
}

async function memory(sandbox: Sandbox): Promise<void> {
  const before = privateBytes() ?? -available();
  const sessions = await Promise.all(Array.from({ length: HELD }, () => sandbox.open()));
  for (const session of sessions) {
    await load(session);
    await session.reset(1);
    await session.step('no answer');
  }
  const after = privateBytes() ?? -available();
  say('memory a session', `${((after - before) / HELD / MEGABYTE).toFixed(2)} MB`, sandbox.backend === 'native' ? '< 3 MB' : '');
  await Promise.all(sessions.map((session) => session.close()));
}

/** Full checks of the sound samples, one after the other. */
async function probes(provider: SandboxProvider): Promise<void> {
  const folder = path.join(ROOT, 'media/sample-workspace/environments');
  const names = readdirSync(folder).filter((name) => name.endsWith('.py'));
  const parser = await createPythonParser(path.join(ROOT, 'dist'));
  const [ms] = await timed(async () => {
    for (const file of names) await checkFile({ parser, sandbox: provider }, { file, text: readFileSync(path.join(folder, file), 'utf8') }, new AbortController().signal);
  });
  say('full check of a sample', `${(ms / names.length).toFixed(0)} ms`, '', `${((names.length * 1000) / ms).toFixed(2)} a second and core`);
}

async function measure(choice: SandboxChoice): Promise<void> {
  console.log(`\n${choice}`);
  const provider = createSandboxProvider({ choice, assetsDir: path.join(ROOT, 'dist'), logger });
  try {
    const [start, sandbox] = await timed(() => provider.get());
    say('host start with self-test', `${start.toFixed(0)} ms`, '', `Python ${sandbox.python}`);
    await freshSessions(sandbox);
    await steps(sandbox);
    await memory(sandbox);
    await probes(provider);
  } finally {
    provider.dispose();
  }
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2) as SandboxChoice[];
  for (const choice of wanted.length > 0 ? wanted : (['native', 'pyodide'] as const)) await measure(choice);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
