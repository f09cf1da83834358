import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { RunMemory } from '../../src/core/run/push';
import { locateRun } from '../../src/core/run/runFolder';
import { memoryText, recordText } from '../../src/core/memory/writeMemory';
import { systemClock } from '../../src/node/clock';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import { report, summarise } from './measure';

const PUSHES = 100;
const folder = mkdtempSync(join(tmpdir(), 'envwright-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const record = (name: string) => ({ game_file: `${name}.py`, skill: 'Optimization', code: `# ${name}\n`.repeat(400), actor_win_rate: 0.5, regret: 0.25 });

it('a push into a full buffer', async () => {
  const files = new NodeFileStore();
  writeFileSync(join(folder, 'env_memory.json'), memoryText(Array.from({ length: 200 }, (_, index) => recordText(record(`old ${index}`)))));
  let id = 0;
  const memory = new RunMemory({ files, clock: systemClock, workspace: folder, newId: () => String(id) }, await locateRun(files, folder));
  const times: number[] = [];
  for (; id < PUSHES; id += 1) {
    const start = performance.now();
    const { state } = await memory.push({ record: record(`new ${id}`), provenance: { plays: 32 } }, { force: true });
    times.push(performance.now() - start);
    expect(state).toBe('written');
  }
  report('push into a full buffer', summarise(times), 'under 30 ms');
});
