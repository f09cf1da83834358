import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { readMemory } from '../../../../src/core/memory/readMemory';
import { RunMemory } from '../../../../src/core/run/push';
import { locateRun } from '../../../../src/core/run/runFolder';
import { seededRandom } from '../../../../src/core/play/random';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { makeRun, STOPPED } from '../../../helpers/runFolder';
import { tempFolder } from '../../../helpers/tempFolder';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** Runs a pusher and kills it after a while; resolves with the numbers of the pushes that had returned. */
function killAfter(script: string, args: readonly string[], ms: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (out === '') setTimeout(() => child.kill('SIGKILL'), ms);
      out += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(out.split('\n').slice(0, -1).map(Number)));
  });
}

it('writers that are killed at any point lose nothing, double nothing and tear nothing', { timeout: 90_000 }, async () => {
  const script = join(tempFolder(), 'pusher.cjs');
  await build({ entryPoints: [join(root, 'test/fakes/pusher.ts')], bundle: true, platform: 'node', format: 'cjs', outfile: script, logLevel: 'silent' });
  const [dir, workspace] = [makeRun(tempFolder(), { ages: STOPPED, memory: '[]' }), tempFolder()];
  const random = seededRandom('kills');
  const returned: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const names = [`a${round}n`, `b${round}n`];
    const done = await Promise.all(names.map((name) => killAfter(script, [dir, workspace, name], 150 + random() * 400)));
    done.forEach((numbers, index) => returned.push(...numbers.map((number) => `${names[index]}${number}.py`)));
  }
  const files = new NodeFileStore(2_000);
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const memory = new RunMemory({ files, clock, workspace, newId: () => 'unused' }, await locateRun(files, dir));
  const { pushes } = await memory.sync({ ended: true });
  const inFile = readMemory(readFileSync(memory.run.memoryFile, 'utf8'));
  expect(inFile.problems).toEqual([]);
  const names = inFile.entries.map(({ gameFile }) => gameFile ?? '');
  expect(new Set(names).size).toBe(names.length);
  expect(returned.length).toBeGreaterThan(8);
  expect(names).toEqual(expect.arrayContaining(returned));
  expect(pushes.map(({ gameFile }) => gameFile).sort()).toEqual([...names].sort());
  for (const { state } of pushes) expect(state).toBe('written');
});
