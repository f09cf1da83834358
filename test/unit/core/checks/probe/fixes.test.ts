import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../../src/core/checks/catalog';
import type { Finding, Fix } from '../../../../../src/shared/findings';
import { applyFix } from '../static/harness';
import { check, FIXTURES, readFixture, stopSandbox, type Fixture } from './harness';

const offering = new Set(catalog.filter(({ fixes }) => fixes).map(({ id }) => id));
const pythonIn = (folder: string): string[] => (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []).filter((name) => name.endsWith('.py')).map((name) => join(folder, name));
const files = [
  ...[...offering].flatMap((id) => pythonIn(join(FIXTURES, 'checks', id))),
  ...readdirSync(join(FIXTURES, 'cases')).flatMap((name) => pythonIn(join(FIXTURES, 'cases', name))),
];

const named = (findings: readonly Finding[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { id } of findings) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

/** What a mended file has more of than the faulty one, the checks that the fault itself kept from being made left out. */
function added(before: Map<string, number>, after: Map<string, number>, unmade: ReadonlySet<string>): string[] {
  return [...after].filter(([id, count]) => count > (before.get(id) ?? 0) && !unmade.has(id)).map(([id]) => id);
}

async function mended({ text, profile }: Fixture, before: readonly Finding[], unmade: ReadonlySet<string>, id: string, fix: Fix): Promise<void> {
  const report = await check(applyFix(text, fix), { profile });
  const after = named(report.findings);
  expect(after.get(id) ?? 0, JSON.stringify(report.findings)).toBeLessThan(named(before).get(id)!);
  expect(added(named(before), after, unmade)).toEqual([]);
}

afterAll(stopSandbox);

describe('every fix takes its finding away and brings no other', () => {
  it.each(files.map((path) => [relative(FIXTURES, path), path]))('%s', async (_, path) => {
    const fixture = readFixture(path);
    const { findings, notChecked } = await check(fixture.text, { profile: fixture.profile });
    const unmade = new Set(notChecked.map(({ id }) => id));
    for (const { id, fix } of findings) {
      if (fix === undefined || fix === null) continue;
      expect(offering).toContain(id);
      await mended(fixture, findings, unmade, id, fix);
    }
  }, 120_000);
});
