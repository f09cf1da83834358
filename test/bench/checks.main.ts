import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { checkFile } from '../../src/core/checks/checkFile';
import type { SandboxProvider } from '../../src/core/ports';
import { createSandboxProvider } from '../../src/node/sandbox/provider';
import type { ProbePlan } from '../../src/shared/hostProtocol';
import { pythonParser } from '../helpers/pythonParser';
import { report, summarise } from './measure';

const ROOT = join(import.meta.dirname, '..', '..');
const SOUND = join(ROOT, 'test', 'fixtures', 'sound');
const silent = (): void => undefined;
const sandbox = createSandboxProvider({ choice: 'native', assetsDir: join(ROOT, 'src'), logger: { info: silent, warn: silent, error: silent } });

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

afterAll(() => sandbox.dispose());

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

it('full battery of one environment, warm, and beside the bare calls', async () => {
  const parser = await pythonParser();
  const texts = readdirSync(SOUND).filter((name) => name.endsWith('.py')).map((name) => readFileSync(join(SOUND, name), 'utf8'));
  const check = (text: string, plans: ProbePlan[]): Promise<unknown> => (
    checkFile({ parser, sandbox: recording(plans) }, { file: 'env.py', text }, new AbortController().signal)
  );
  for (let round = 0; round < WARM_ROUNDS; round += 1) for (const text of texts) await check(text, []);
  const samples: number[] = [];
  const ratios: number[] = [];
  const used: number[] = [];
  let [whole, alone] = [0, 0];
  for (const text of texts) {
    const plans: ProbePlan[] = [];
    const started = performance.now();
    await check(text, plans);
    samples.push(performance.now() - started);
    const before = processorTime();
    for (let time = 0; time < TIMES; time += 1) await check(text, []);
    // Sessions that were ended are counted once they are gone.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const after = processorTime();
    const { stdout } = spawnSync('python3', ['-B', join(ROOT, 'test', 'bench', 'bare_plan.py'), join(ROOT, 'src', 'python')], {
      input: JSON.stringify({ source: text, plans }), encoding: 'utf8', maxBuffer: 1 << 26,
    });
    const [wall, processor] = JSON.parse(stdout) as [number, number];
    ratios.push(samples.at(-1)! / wall);
    if (before !== null && after !== null) {
      used.push((after - before) / TIMES / processor);
      [whole, alone] = [whole + (after - before) / TIMES, alone + processor];
    }
  }
  report('full battery of one environment, warm', summarise(samples), '300 ms median');
  const told = ({ median, p95 }: { median: number; p95: number }): string => `ratio ${median.toFixed(2)} median, ${p95.toFixed(2)} at the 95th percentile`;
  process.stdout.write(`battery beside the bare calls, by the clock: ${told(summarise(ratios))} (mark: below 2)\n`);
  if (used.length > 0) process.stdout.write(`battery beside the bare calls, processor time of all processes: ${told(summarise(used))}, ${(whole / alone).toFixed(2)} over all\n`);
});

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

it('full checks of many files on all cores', async () => {
  const parser = await pythonParser();
  const texts = batch();
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) await checkFile({ parser, sandbox }, { file: 'env.py', text }, new AbortController().signal);
  }));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${BATCH} files on ${availableParallelism()} cores: ${(BATCH / seconds).toFixed(1)} files a second, ${((user + system) / 1000 / BATCH).toFixed(0)} ms of this process's own time a file\n`);
});
