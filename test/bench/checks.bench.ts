import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
        backend: inner.backend, python: inner.python, health: inner.health, dispose: silent,
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
