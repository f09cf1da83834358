import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFixture, errorsOf, FIXTURES, readFixture, stopSandbox } from './harness';

const SOUND = join(FIXTURES, 'sound');
const names = readdirSync(SOUND).filter((name) => name.endsWith('.py'));

afterAll(stopSandbox);

describe('sound environments are accepted', () => {
  it('there are at least 40 of them, of all five profiles', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names.map((name) => name[0]))).toEqual(new Set(['s', 'm', 'c', 't', 'u']));
  });

  it.each(names)('%s', async (name) => {
    const report = await checkFixture(readFixture(join(SOUND, name)));
    expect(errorsOf(report)).toEqual([]);
    expect(['accept', 'accept-with-warnings'], JSON.stringify(report.notChecked)).toContain(report.verdict);
    expect(report.profile).toBe(basename(name)[0]);
  }, 60_000);
});
