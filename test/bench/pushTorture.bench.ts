import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { playedDisk, realDisk } from '../helpers/disk';
import { bundleWriter, torture, type Tortured } from '../helpers/torture';

/** Pushes in all, by `ENVWRIGHT_TORTURE_PUSHES`; a round has a run and a disk of its own. */
const PUSHES = Number(process.env['ENVWRIGHT_TORTURE_PUSHES'] ?? 10_000);
const ROUND = 500;
const MEGABYTES = 24;

const folder = mkdtempSync(join(tmpdir(), 'envwright-torture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('pushes of four writers beside a live run', () => {
  it.each([
    { route: 'link', life: [300, 2500], full: [1500, 250] },
    { route: 'bare', life: [1000, 8000], full: [4000, 400] },
  ] as const)('$route', { timeout: 4 * 3_600_000 }, async ({ route, life, full }) => {
    const script = await bundleWriter(folder);
    const sum = { kills: 0, fillings: 0, failed: 0, records: 0 };
    let isReal = true;
    const start = performance.now();
    for (let done = 0; done < PUSHES; done += ROUND) {
      const place = join(folder, `${route}-${done}`);
      const real = realDisk(place, MEGABYTES);
      isReal &&= real !== null;
      const disk = real ?? playedDisk(place);
      const pushes = Math.min(ROUND, PUSHES - done);
      try {
        add(sum, await torture(script, { route, pushes, seed: `${route} ${done}`, disk, life, full }));
      } finally {
        disk.remove();
      }
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stdout.write(`torture ${route}: ${PUSHES} pushes in ${seconds} s, ${sum.kills} kills, a ${isReal ? 'real' : 'played'} disk full ${sum.fillings} times, ${sum.failed} pushes refused, ${sum.records} records; nothing torn, lost, doubled or out of order\n`);
  });
});

function add(sum: { -readonly [key in keyof Tortured]: number }, { kills, fillings, failed, records }: Tortured): void {
  sum.kills += kills;
  sum.fillings += fillings;
  sum.failed += failed;
  sum.records += records;
}
