import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { JournalEntry } from '../../../../../src/core/review/audit/journal';
import { tempFolder } from '../../../../helpers/tempFolder';

const ROOT = join(import.meta.dirname, '../../../../..');
const FILES = 60;
/** Files judged at once by the program: as many are under way when it is killed. */
const AT_ONCE = 4;

const linesOf = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter((line) => line !== '') : []);

it('an audit that is killed again and again repeats nothing that it had kept, and ends with every file', { timeout: 120_000 }, async () => {
  const [folder, work] = [tempFolder(), tempFolder()];
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(folder, `game_00000_${String(n).padStart(3, '0')}_optimization.py`), `class X${n}Env:\n    def reset(self, seed=None): return "${n}", {}\n    def step(self, action): return "", 0.0, True, False, {}\n`);
  const [program, journal, log] = [join(work, 'audit.cjs'), join(work, 'audit.jsonl'), join(work, 'log')];
  await build({ entryPoints: [join(ROOT, 'test/helpers/audit.child.ts')], outfile: program, bundle: true, platform: 'node', target: 'node20.17', logLevel: 'silent' });

  /** Runs the audit; with `until` it is killed once it has judged so many in all. */
  const run = (until = Infinity): Promise<{ signal: NodeJS.Signals | null; out: string }> => new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, folder, journal, log], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (data: Buffer) => { out += data.toString(); });
    const look = setInterval(() => { if (linesOf(log).filter((line) => line.startsWith('judged')).length >= until) child.kill('SIGKILL'); }, 1);
    child.on('error', reject).on('close', (_code, signal) => {
      clearInterval(look);
      resolve({ signal, out });
    });
  });

  const kept = (): string[] => linesOf(journal).flatMap((line) => {
    try {
      return JournalEntry.parse(JSON.parse(line)).key;
    } catch {
      return [];
    }
  });
  let kills = 0;
  for (const until of [5, 20, 35]) {
    const before = new Set(kept());
    if ((await run(until)).signal === 'SIGKILL') kills += 1;
    // Nothing that was kept is lost, and a line that was torn takes no other with it.
    for (const key of before) expect(kept()).toContain(key);
  }
  expect(kills).toBeGreaterThan(0);
  const had = kept().length;
  const { items, judged, reused } = JSON.parse((await run()).out) as { items: number; judged: number; reused: number };
  expect([items, judged, reused]).toEqual([FILES, FILES - had, had]);
  const keys = kept();
  expect([keys.length, new Set(keys).size]).toEqual([FILES, FILES]);
  // Only what was under way at a kill is begun again.
  expect(linesOf(log).filter((line) => line.startsWith('begun')).length).toBeLessThanOrEqual(FILES + kills * AT_ONCE);
});
