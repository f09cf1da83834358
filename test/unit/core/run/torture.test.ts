import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playedDisk } from '../../../helpers/disk';
import { tempFolder } from '../../../helpers/tempFolder';
import { bundleWriter, torture } from '../../../helpers/torture';

const routes = [
  { route: 'bare', pushes: 80, life: [300, 1200], full: [1500, 300] },
  { route: 'link', pushes: 240, life: [80, 400], full: [400, 150] },
] as const;

const torment = (writer: string, sizes: Omit<Parameters<typeof torture>[1], 'seed' | 'disk'>): ReturnType<typeof torture> =>
  torture(writer, { ...sizes, seed: sizes.route, disk: playedDisk(join(tempFolder(), 'disk')) });

describe('four writers and a live run, killed at random points, on a disk that fills', () => {
  it.each(routes)('tear nothing, lose nothing, double nothing and keep the order ($route)', { timeout: 180_000 }, async (sizes) => {
    const writer = await bundleWriter(tempFolder());
    let { pushes } = sizes;
    let suffered = await torment(writer, { ...sizes, pushes });
    // A fast machine is done before much has befallen it: then it gets more to do.
    while ((suffered.kills <= 2 || suffered.fillings === 0) && pushes < sizes.pushes * 64) suffered = await torment(writer, { ...sizes, pushes: (pushes *= 4) });
    expect(suffered.kills).toBeGreaterThan(2);
    expect(suffered.fillings).toBeGreaterThan(0);
    // Enough must get through for the rest to mean something; how many do depends on the machine's speed.
    expect(suffered.records).toBeGreaterThan(pushes / 8);
  });
});
