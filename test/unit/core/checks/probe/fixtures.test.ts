import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../../src/core/checks/catalog';
import { BACKENDS, checkFixture, errorsOf, FIXTURES, readFixture, stopSandbox } from './harness';

const CHECKS = join(FIXTURES, 'checks');
const probed = catalog.filter(({ probe }) => probe !== undefined).map(({ id }) => id);

afterAll(stopSandbox);

it('every probe check has an input that must fire and a near miss that must not', () => {
  for (const id of probed) {
    const folder = join(CHECKS, id);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    expect(names.filter((name) => name.startsWith('fires')), id).not.toHaveLength(0);
    expect(names.filter((name) => name.startsWith('near_miss')), id).not.toHaveLength(0);
  }
});

describe.each(BACKENDS.flatMap((backend) => probed.map((id) => [id, backend] as const)))('%s in the %s sandbox', (id, backend) => {
  const folder = join(CHECKS, id);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.py')) : [];

  it.each(names.filter((name) => name.startsWith('fires')))('finds %s, on its line, and no other error', async (name) => {
    const fixture = readFixture(join(folder, name));
    const report = await checkFixture(fixture, backend);
    const mine = report.findings.filter((finding) => finding.id === id);
    expect(mine.length, JSON.stringify(report, null, 1)).toBeGreaterThan(0);
    expect(mine.map(({ line }) => line)).toContain(fixture.marked);
    const allowed = new Set([id, ...fixture.also]);
    expect(errorsOf(report).filter((error) => !allowed.has(error.split(':')[0]!))).toEqual([]);
  }, 120_000);

  it.each(names.filter((name) => name.startsWith('near_miss')))('leaves %s alone', async (name) => {
    const report = await checkFixture(readFixture(join(folder, name)), backend);
    expect(report.findings.filter((finding) => finding.id === id)).toEqual([]);
    expect(errorsOf(report)).toEqual([]);
  }, 120_000);
});
