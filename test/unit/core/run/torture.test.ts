import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playedDisk } from '../../../helpers/disk';
import { tempFolder } from '../../../helpers/tempFolder';
import { bundleWriter, torture } from '../../../helpers/torture';

const routes = [
  { route: 'bare', pushes: 80, life: [300, 1200], full: [1500, 300] },
  { route: 'link', pushes: 240, life: [80, 400], full: [400, 150] },
] as const;

describe('four writers and a live run, killed at random points, on a disk that fills', () => {
  it.each(routes)('tear nothing, lose nothing, double nothing and keep the order ($route)', { timeout: 180_000 }, async (sizes) => {
    const folder = tempFolder();
    const { kills, fillings, records } = await torture(await bundleWriter(folder), { ...sizes, seed: sizes.route, disk: playedDisk(join(folder, 'disk')) });
    expect(kills).toBeGreaterThan(2);
    expect(fillings).toBeGreaterThan(0);
    // Enough must get through for the rest to mean something; how many do depends on the machine's speed.
    expect(records).toBeGreaterThan(sizes.pushes / 8);
  });
});
