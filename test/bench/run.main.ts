/**
 * `npm run bench -- [name…]`: runs the benches of those names one after the other, all of them without a name. A bench is a program
 * `<name>.main.ts` in this folder, or a `<name>.bench.ts` of Vitest; further words after `--` go to the programs.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
/** Run only when named: it takes long. */
const ON_DEMAND = new Set(['soak']);

function benches(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of readdirSync(path.join(ROOT, 'test/bench')).sort()) {
    const [, name = '', kind] = /^(\w+)\.(main|bench)\.ts$/.exec(file) ?? [];
    if (kind === 'main' && name !== 'run') found.set(name, [process.execPath, '--expose-gc', path.join(__dirname, `${name}.main.js`)]);
    else if (kind === 'bench' && !found.has(name)) found.set(name, ['npx', 'vitest', 'run', '--config', 'test/bench/vitest.config.ts', `${name}.bench`]);
  }
  return found;
}

function main(): number {
  const words = process.argv.slice(2);
  const cut = words.indexOf('--');
  const [names, rest] = cut < 0 ? [words, []] : [words.slice(0, cut), words.slice(cut + 1)];
  const known = benches();
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    console.error(`no bench ${unknown.join(', ')}; there are ${[...known.keys()].join(', ')}`);
    return 2;
  }
  const wanted = names.length > 0 ? names : [...known.keys()].filter((name) => !ON_DEMAND.has(name));
  let code = 0;
  for (const name of wanted) {
    console.log(`\n== ${name}`);
    const [program = '', ...args] = known.get(name)!;
    const { status } = spawnSync(program, program === process.execPath ? [...args, ...rest] : args, { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) code = 1;
  }
  return code;
}

process.exitCode = main();
