import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { checkFile } from '../../src/core/checks/checkFile';
import { createSandboxProvider } from '../../src/node/sandbox/provider';
import { pythonParser } from '../helpers/pythonParser';
const ROOT = join(import.meta.dirname, '..', '..');
const SOUND = join(ROOT, 'test', 'fixtures', 'sound');
const silent = (): void => undefined;
const sandbox = createSandboxProvider({ choice: 'native', assetsDir: join(ROOT, 'src'), logger: { info: silent, warn: silent, error: silent } });
afterAll(() => sandbox.dispose());
it('t', async () => {
  (globalThis as any).__N = 0;
  const parser = await pythonParser();
  const names = readdirSync(SOUND).filter((n) => n.endsWith('.py'));
  for (let round = 0; round < 5; round++) for (const n of names) {
    const T: any[] = []; (globalThis as any).__D = round === 4 ? [] : undefined; (globalThis as any).__T = T;
    const t0 = performance.now(); const c0 = process.cpuUsage();
    await checkFile({ parser, sandbox }, { file: 'env.py', text: readFileSync(join(SOUND, n), 'utf8') }, new AbortController().signal);
    const end = performance.now(); const c = process.cpuUsage(c0);
    if (round < 4) continue;
    writeFileSync('/tmp/me/plan-' + n + '.json', JSON.stringify((globalThis as any).__D));
    console.log(n, 'total', (end - t0).toFixed(1), 'node cpu', ((c.user + c.system) / 1000).toFixed(1));
    for (const e of T) if (e[0] === 'mark') console.log('   ', (e[2] - t0).toFixed(1), e[1]);
      else console.log('   ', (e[2] - t0).toFixed(1), '-', (e[3] - t0).toFixed(1), 'plan s' + e[1], 'packed', e[4].toFixed(1), JSON.stringify(e[5], (k, v) => typeof v === 'number' ? +v.toFixed(1) : v), e[6], 'runs');
  }
}, 600000);
