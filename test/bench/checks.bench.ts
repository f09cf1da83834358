import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

afterAll(() => sandbox.dispose());

it('full battery of one environment, warm, and beside the bare calls', async () => {
  const parser = await pythonParser();
  const texts = readdirSync(SOUND).filter((name) => name.endsWith('.py')).map((name) => readFileSync(join(SOUND, name), 'utf8'));
  const samples: number[] = [];
  const ratios: number[] = [];
  for (const text of [...texts.slice(0, 3), ...texts]) {
    const plans: ProbePlan[] = [];
    const started = performance.now();
    await checkFile({ parser, sandbox: recording(plans) }, { file: 'env.py', text }, new AbortController().signal);
    const whole = performance.now() - started;
    const bare = spawnSync('python3', ['-B', join(ROOT, 'test', 'bench', 'bare_plan.py'), join(ROOT, 'src', 'python')], {
      input: JSON.stringify({ source: text, plans }), encoding: 'utf8', maxBuffer: 1 << 26,
    });
    samples.push(whole);
    ratios.push(whole / Number(bare.stdout));
  }
  report('full battery of one environment, warm', summarise(samples.slice(3)), '300 ms median');
  const { median, p95 } = summarise(ratios.slice(3));
  process.stdout.write(`battery beside the bare calls: ratio ${median.toFixed(1)} median, ${p95.toFixed(1)} at the 95th percentile (mark: below 2)\n`);
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
