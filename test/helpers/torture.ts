/** Four writers and a fake live run at one memory, killed at random points, on a disk that fills. Short as a test, long as a bench. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { readMemory } from '../../src/core/memory/readMemory';
import { seededRandom } from '../../src/core/play/random';
import { RunMemory } from '../../src/core/run/push';
import { locateRun } from '../../src/core/run/runFolder';
import { systemClock } from '../../src/node/clock';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import type { Disk } from './disk';

const root = join(import.meta.dirname, '..', '..');
const WRITERS = ['a', 'b', 'c', 'd'] as const;

/** `bare`: pushes go into the file, also while the run is live and overwrites it. `link`: through the inbox of the link module. */
export type Route = 'bare' | 'link';

/** Sizes of a torture; `pushes` are shared by the writers. Times in milliseconds. */
export interface Torture {
  readonly route: Route;
  readonly pushes: number;
  readonly seed: string;
  readonly disk: Disk;
  /** Shortest and longest life of a process. */
  readonly life: readonly [number, number];
  /** Time between two fillings of the disk, and how long it stays full. */
  readonly full: readonly [every: number, lasting: number];
}

/** What was done, for the report. */
export interface Tortured {
  readonly kills: number;
  readonly fillings: number;
  readonly failed: number;
  readonly records: number;
}

/** What a writer was told of its pushes; what is in neither was killed on the way. */
interface Told {
  readonly ok: Set<number>;
  readonly no: Map<number, string>;
  next: number;
}

/** The bundle of the writer. */
export async function bundleWriter(folder: string): Promise<string> {
  const script = join(folder, 'torturer.cjs');
  await build({ entryPoints: [join(root, 'test/fakes/torturer.ts')], bundle: true, platform: 'node', format: 'cjs', outfile: script, logLevel: 'silent' });
  return script;
}

/** Runs one torture and expects that nothing is torn, lost, doubled or out of order. */
export async function torture(script: string, { route, pushes, seed, disk, life, full }: Torture): Promise<Tortured> {
  const random = seededRandom(seed);
  const between = ([least, most]: readonly [number, number]): number => least + random() * (most - least);
  const [dir, workspaces] = [join(disk.folder, 'run'), ['own-a', 'own-b', 'shared', 'shared'].map((name) => join(disk.folder, name))];
  const cache = join(dir, 'spade_games_cache');
  for (const folder of [cache, ...workspaces]) mkdirSync(folder, { recursive: true });
  const count = { kills: 0, fillings: 0 };
  const state = { writing: true, isFull: false };
  const run = new FakeRun(cache, route);
  run.start();
  await until(() => existsSync(join(cache, route === 'link' ? 'envwright/heartbeat.json' : 'step_00000')));

  const told = await Promise.all([
    ...WRITERS.map(async (name, index) => {
      const own: Told = { ok: new Set(), no: new Map(), next: 0 };
      while (own.next < pushes / WRITERS.length) {
        const job = { dir, workspace: workspaces[index], name, from: own.next, to: pushes / WRITERS.length, ended: route === 'bare' && random() < 0.6, full: disk.marker };
        if (await writeUntilKilled(script, job, own, between(life))) count.kills += 1;
      }
      return own;
    }),
  ].map((writer, index, all) => (index === 0 ? withTroubles(writer, all) : writer)));

  /** Beside the writers: the disk fills, the run dies and comes back. */
  async function withTroubles<T>(writer: Promise<T>, all: readonly Promise<T>[]): Promise<T> {
    void Promise.allSettled(all).then(() => { state.writing = false; });
    const troubles = Promise.all([fillings(), deaths()]);
    const result = await writer;
    await troubles;
    return result;
  }

  async function fillings(): Promise<void> {
    while (state.writing) {
      await sleep(full[0]);
      // A run alone saves in place: on a full disk it tears its own file, which is not what is asked here.
      if (route === 'bare') await run.pause();
      state.isFull = true;
      await run.steady();
      disk.fill();
      count.fillings += 1;
      await sleep(full[1]);
      disk.free();
      state.isFull = false;
      run.resume();
    }
  }

  async function deaths(): Promise<void> {
    while (state.writing) {
      await sleep(between(life) * 2);
      if (state.isFull || !state.writing) continue;
      // A run alone is killed between its saves: a kill in the middle of one tears the file, with or without anybody's pushes.
      if (route === 'bare') await run.pause();
      await run.kill();
      count.kills += 1;
      run.resume();
      run.start();
    }
  }

  const own = await run.end();
  const settled = await Promise.all([...new Set(workspaces)].map((workspace) => settle(dir, workspace, route)));
  const text = readFileSync(join(cache, 'env_memory.json'), 'utf8');
  judge(text, own, told, settled.flat());
  return { ...count, failed: told.reduce((sum, { no }) => sum + no.size, 0), records: readMemory(text).entries.length };
}

function judge(text: string, own: readonly string[], told: readonly Told[], states: readonly (readonly [gameFile: string, state: string])[]): void {
  const { entries, problems } = readMemory(text);
  expect(problems).toEqual([]);
  const names = entries.map(({ gameFile }) => gameFile ?? '');
  expect(names.filter((name, index) => names.indexOf(name) !== index), 'doubled').toEqual([]);
  expect(own.filter((name) => !names.includes(name)), 'records of the run that are gone').toEqual([]);
  const present = new Set(names);
  told.forEach(({ ok, no }, index) => {
    const file = (number: number): string => `${WRITERS[index]}-${number}.py`;
    expect([...ok].filter((number) => !present.has(file(number))), 'lost').toEqual([]);
    expect([...no].filter(([number]) => present.has(file(number))), 'there in spite of a refusal').toEqual([]);
    const numbers = names.filter((name) => name.startsWith(`${WRITERS[index]}-`)).map((name) => Number(/\d+/.exec(name)?.[0]));
    expect(numbers, 'order').toEqual(numbers.toSorted((a, b) => a - b));
  });
  for (const [gameFile, state] of states) expect([gameFile, state, present.has(gameFile)]).toEqual([gameFile, state, !['failed', 'cancelled', 'queued', 'lost'].includes(state)]);
  expect(states.filter(([, state]) => state === 'queued' || state === 'lost')).toEqual([]);
}

/** What the workspace says of its pushes when everything is over. */
async function settle(dir: string, workspace: string, route: Route): Promise<(readonly [string, string])[]> {
  const files = new NodeFileStore();
  const memory = new RunMemory({ files, clock: systemClock, workspace, newId: () => 'none' }, await locateRun(files, dir));
  await memory.sync({ ended: route === 'bare' || !existsSync(join(dir, 'spade_games_cache', 'envwright', 'inbox')) });
  const { pushes } = await memory.sync({ ended: true });
  return pushes.map(({ gameFile, state }) => [gameFile, state] as const);
}

/** Resolves with true when the writer was killed before it was done. */
function writeUntilKilled(script: string, job: object, told: Told, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let rest = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      timer ??= setTimeout(() => child.kill('SIGKILL'), ms);
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) hear(told, line);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code !== 0 && signal === null) reject(new Error(`writer ended with ${code}`));
      else resolve(signal !== null);
    });
  });
}

function hear(told: Told, line: string): void {
  const [word, number = '', ...why] = line.split(' ');
  if (word === 'try') told.next = Number(number) + 1;
  else if (word === 'ok') told.ok.add(Number(number));
  else told.no.set(Number(number), why.join(' '));
}

async function until(holds: () => boolean, patience = 60_000): Promise<void> {
  const end = Date.now() + patience;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited too long: ${holds.toString()}`);
    await sleep(10);
  }
}

/** The Python process that stands for a run. */
class FakeRun {
  private child: ChildProcess | undefined;
  private out = '';
  private starts = 0;

  constructor(private readonly cache: string, private readonly route: Route) {}

  start(): void {
    this.starts += 1;
    const script = join(root, 'test/fakes/live_run.py');
    const first = this.starts === 1 ? 0 : this.starts * 10_000;
    this.child = spawn('python3', ['-B', script, this.cache, this.route, `r${this.starts}x`, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child.stdout?.on('data', (chunk: Buffer) => { this.out += chunk.toString(); });
  }

  async pause(): Promise<void> {
    writeFileSync(join(this.cache, 'pause'), '');
    await until(() => existsSync(join(this.cache, 'paused')));
  }

  resume(): void {
    for (const marker of ['pause', 'paused']) rmSync(join(this.cache, marker), { force: true });
  }

  /** Resolves once the process is there and at work, so that no kill meets a disk that fills. */
  async steady(): Promise<void> {
    await until(() => this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  }

  /** Lets it save for the last time; the records of its own that it then holds. */
  async end(): Promise<string[]> {
    const { child } = this;
    if (!child) return [];
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    writeFileSync(join(this.cache, 'stop'), '');
    expect(await closed).toBe(0);
    return JSON.parse(this.out) as string[];
  }
}
