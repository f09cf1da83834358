/**
 * A writer of the torture test: `node torturer.js '{dir, workspace, name, from, to, ended, full}'`. Pushes records with the numbers
 * `from` to `to`, and says on a line each `try N`, then `ok N` or `no N`. Now and then it brings the queue up to date. `ended`: it
 * believes that the run has ended, whatever is true. While the file `full` is there its disk counts as full.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { RunMemory } from '../../src/core/run/push';
import { locateRun } from '../../src/core/run/runFolder';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import { systemClock } from '../../src/node/clock';

const Job = z.object({
  dir: z.string(), workspace: z.string(), name: z.string(), from: z.int(), to: z.int(), ended: z.boolean(), full: z.string(),
});

/** Pushes between two syncs. */
const SYNC_EVERY = 25;
export const SETTINGS = { capacity: 100_000, snippetChars: 2_000, draws: { seeds: 2, negatives: 1 } };

class FullDisk extends NodeFileStore {
  constructor(private readonly marker: string) {
    super();
  }

  override async replace(path: string, text: string, options?: { flush?: boolean }): Promise<void> {
    this.check();
    await super.replace(path, text, options);
  }

  override async append(path: string, lines: string, options?: { flush?: boolean }): Promise<void> {
    this.check();
    await super.append(path, lines, options);
  }

  private check(): void {
    if (this.marker !== '' && existsSync(this.marker)) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  }
}

async function main(argument: string): Promise<void> {
  const { dir, workspace, name, from, to, ended, full } = Job.parse(JSON.parse(argument));
  const files = new FullDisk(full);
  let number = from;
  const memory = new RunMemory({ files, clock: systemClock, workspace, newId: () => `${name}-${number}` }, await locateRun(files, dir));
  const say = (word: string, ...more: string[]): void => void process.stdout.write(`${[word, number, ...more].join(' ')}\n`);
  for (; number < to; number += 1) {
    say('try');
    const record = { game_file: `${name}-${number}.py`, skill: 'Optimization', code: `# ${name} ${number}\n`, actor_win_rate: 0.5, regret: 0.25 };
    try {
      await memory.push({ record, provenance: { plays: 32 } }, { create: true, ended, force: true, settings: SETTINGS });
      say('ok');
    } catch (error) {
      say('no', String(error).replaceAll('\n', ' '));
    }
    if (number % SYNC_EVERY === SYNC_EVERY - 1) await memory.sync({ ended }).catch(() => undefined);
  }
}

void main(process.argv[2] ?? '');
