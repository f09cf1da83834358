/** Figures of the checks, as they are built to ship, with the bare Python time of the same calls beside them: `node out/test/bench/checks.main.js`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkFile } from '../../src/core/checks/checkFile';
import { median } from '../../src/core/collections';
import type { PythonParser, SandboxProvider } from '../../src/core/ports';
import { createPythonParser } from '../../src/node/checks/parser';
import { createSandboxProvider } from '../../src/node/sandbox/provider';
import type { ProbePlan } from '../../src/shared/hostProtocol';
import { report, summarise } from './measure';

const ROOT = join(__dirname, '..', '..', '..');
const SOUND = join(ROOT, 'test', 'fixtures', 'sound');
const silent = (): void => undefined;
const sandbox = createSandboxProvider({ choice: 'native', assetsDir: join(ROOT, 'dist'), logger: { info: silent, warn: silent, error: silent } });

/** The sandbox, with every plan written down. */
function recording(plans: ProbePlan[]): SandboxProvider {
  return {
    get: async (signal) => {
      const inner = await sandbox.get(signal);
      return {
        backend: inner.backend, python: inner.python, packages: inner.packages, health: inner.health, dispose: silent,
        open: async (options, opening) => {
          const session = await inner.open(options, opening);
          return new Proxy(session, {
            get: (target, key) => {
              if (key === 'plan') {
                return (...args: Parameters<typeof target.plan>) => {
                  plans.push(args[2]);
                  return target.plan(...args);
                };
              }
              const value: unknown = Reflect.get(target, key, target);
              return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
            },
          });
        },
      };
    },
    health: () => sandbox.health(),
    dispose: silent,
  };
}

/** Rounds over all files before anything is measured: Node compiles what it runs often, as in an editor that has been open for a while. */
const WARM_ROUNDS = 3;
/** Checks of a file for its processor time, which the system counts in hundredths of a second. */
const TIMES = 5;
/** Times that a check and the bare calls are measured, each in turn: single times vary by a third where other programs run. */
const MEASURED = 3;
/** Milliseconds after which sessions that were ended are gone, and those in their place ready. */
const SETTLED = 100;

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLED));

/** Processor time that this process and all that it started have used, milliseconds; null where the system does not tell. */
function processorTime(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  const stats = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const [, id = '', rest = ''] = /^(\d+) \(.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const fields = rest.split(' ').map(Number);
      // Ticks in user and in system mode, of the process and of its children that have ended; a hundred to the second.
      return [{ pid: Number(id), parent: fields[1]!, ms: 10 * (fields[11]! + fields[12]! + fields[13]! + fields[14]!) }];
    } catch {
      return [];
    }
  });
  const mine = new Set([process.pid]);
  for (let size = 0; size < mine.size;) {
    size = mine.size;
    for (const { pid, parent } of stats) if (mine.has(parent)) mine.add(pid);
  }
  return stats.filter(({ pid }) => mine.has(pid)).reduce((sum, { ms }) => sum + ms, 0);
}

/** Wall and processor time of the bare calls of these plans, milliseconds. */
function bareCalls(source: string, plans: readonly ProbePlan[]): [number, number] {
  const { stdout } = spawnSync('python3', ['-B', join(ROOT, 'test', 'bench', 'bare_plan.py'), join(ROOT, 'src', 'python')], {
    input: JSON.stringify({ source, plans }), encoding: 'utf8', maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout) as [number, number];
}

async function fullBattery(parser: PythonParser): Promise<void> {
  const texts = readdirSync(SOUND).filter((name) => name.endsWith('.py')).map((name) => readFileSync(join(SOUND, name), 'utf8'));
  const check = async (text: string, plans: ProbePlan[] = []): Promise<number> => {
    const started = performance.now();
    await checkFile({ parser, sandbox: recording(plans) }, { file: 'env.py', text }, new AbortController().signal);
    return performance.now() - started;
  };
  for (let round = 0; round < WARM_ROUNDS; round += 1) for (const text of texts) await check(text);
  const samples: number[] = [];
  const ratios: number[] = [];
  const used: number[] = [];
  const sums = { wall: 0, bareWall: 0, processor: 0, bareProcessor: 0 };
  for (const text of texts) {
    const [walls, bare]: [number[], [number, number][]] = [[], []];
    for (let time = 0; time < MEASURED; time += 1) {
      const plans: ProbePlan[] = [];
      walls.push(await check(text, plans));
      await settled();
      bare.push(bareCalls(text, plans));
    }
    const before = processorTime();
    for (let time = 0; time < TIMES; time += 1) await check(text);
    await settled();
    const after = processorTime();
    const [wall, bareWall, bareProcessor] = [median(walls)!, median(bare.map(([first]) => first))!, median(bare.map(([, second]) => second))!];
    samples.push(wall);
    ratios.push(wall / bareWall);
    sums.wall += wall;
    sums.bareWall += bareWall;
    if (before !== null && after !== null) {
      used.push((after - before) / TIMES / bareProcessor);
      sums.processor += (after - before) / TIMES;
      sums.bareProcessor += bareProcessor;
    }
  }
  report('full battery of one environment, warm', summarise(samples), '300 ms median');
  const told = (all: readonly number[], whole: number): string => {
    const { median: middle, p95 } = summarise(all);
    return `ratio ${middle.toFixed(2)} median, ${p95.toFixed(2)} at the 95th percentile, ${whole.toFixed(2)} over all`;
  };
  process.stdout.write(`battery beside the bare calls, by the clock: ${told(ratios, sums.wall / sums.bareWall)} (mark: below 2)\n`);
  if (used.length > 0) process.stdout.write(`battery beside the bare calls, processor time of all processes: ${told(used, sums.processor / sums.bareProcessor)}\n`);
}

/** How many files the batch has; fewer for a quick look. */
const BATCH = Number(process.env['ENVWRIGHT_BENCH_FILES'] ?? 500);

/** Sound and faulty fixtures in turn, each a file of its own. */
function batch(): string[] {
  const faulty = readdirSync(join(ROOT, 'test', 'fixtures', 'checks')).filter((id) => !/timeout|memory-limit|process-died/.test(id))
    .flatMap((id) => readdirSync(join(ROOT, 'test', 'fixtures', 'checks', id)).filter((name) => name.startsWith('fires')).map((name) => join(ROOT, 'test', 'fixtures', 'checks', id, name)));
  const sound = readdirSync(SOUND).filter((name) => name.endsWith('.py')).map((name) => join(SOUND, name));
  const pool = sound.flatMap((path, at) => [path, faulty[at % faulty.length]!]).map((path) => readFileSync(path, 'utf8'));
  return Array.from({ length: BATCH }, (_, at) => `${pool[at % pool.length]!}\n# file ${at}\n`);
}

async function manyFiles(parser: PythonParser): Promise<void> {
  const texts = batch();
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) await checkFile({ parser, sandbox }, { file: 'env.py', text }, new AbortController().signal);
  }));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${BATCH} files on ${availableParallelism()} cores: ${(BATCH / seconds).toFixed(1)} files a second, ${((user + system) / 1000 / BATCH).toFixed(0)} ms of this process's own time a file\n`);
}

async function main(): Promise<void> {
  try {
    const parser = await createPythonParser(join(ROOT, 'dist'));
    await fullBattery(parser);
    await manyFiles(parser);
  } finally {
    sandbox.dispose();
  }
}

void main();
