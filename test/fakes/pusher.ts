/** Pushes records without end, until it is killed: `node pusher.js DIR WORKSPACE NAME`. Prints the number of each push once it has returned. */
import { RunMemory } from '../../src/core/run/push';
import { locateRun } from '../../src/core/run/runFolder';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';

async function main([dir = '', workspace = '', name = '']: readonly string[]): Promise<void> {
  const files = new NodeFileStore(2_000);
  let count = 0;
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const memory = new RunMemory({ files, clock, workspace, newId: () => `${name}${count}` }, await locateRun(files, dir));
  for (;; count += 1) {
    const record = { game_file: `${name}${count}.py`, skill: 'Optimization', code: `# ${name} ${count}\n`.repeat(40), actor_win_rate: 0.5, regret: 0.25 };
    await memory.push({ record, provenance: { plays: 32 } }, { ended: true, force: true, settings: { capacity: 100_000, snippetChars: 2_000, draws: { seeds: 2, negatives: 1 } } });
    process.stdout.write(`${count}\n`);
  }
}

void main(process.argv.slice(2));
