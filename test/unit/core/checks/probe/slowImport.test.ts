import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../../src/core/checks/catalog';
import { checkFile } from '../../../../../src/core/checks/checkFile';
import type { FileReport } from '../../../../../src/shared/findings';
import { BACKENDS, FIXTURES, readFixture, sandboxOf, sharedParser, stopSandbox, type Backend } from './harness';

/** Some 56 imports of this take well over {@link IMPORT_MS}; those that cannot be spared, well under it. */
const SLOW = 'import time; time.sleep(0.1)\n';
const IMPORT_MS = 3000;
/** A fault of each kind that an import which is not made anew could hide, or make up; those of {@link EVERYWHERE} in both sandboxes. */
const EVERYWHERE = ['instances-share-state', 'step-uses-global-rng', 'solution-does-not-win', 'nondeterministic-across-processes'];
const FAULTS = [
  ...EVERYWHERE, 'state-outside-the-seed', 'reset-ignores-seed', 'step-not-replayable',
  'same-task-for-every-seed', 'answer-leaked-in-observation', 'import-side-effects', 'tool-result-random', 'wins-without-tools',
];

afterAll(stopSandbox);

async function checked(text: string, backend: Backend, profile: FileReport['profile'], importMs?: number): Promise<FileReport> {
  const limits = importMs === undefined ? {} : { limits: { importMs } };
  return checkFile({ parser: await sharedParser(), sandbox: sandboxOf(backend), ...limits }, { file: 'env.py', text, profile }, new AbortController().signal);
}

/** The errors and the finding that a fixture is about: what it draws at random may raise a further warning now and then. */
const idsOf = ({ findings }: FileReport, wanted: string): string[] => findings.filter(({ id, severity }) => severity === 'error' || id === wanted).map(({ id, severity }) => `${severity} ${id}`).sort();

describe.each(BACKENDS)('a file that takes long to import, in the %s sandbox', (backend) => {
  it('is judged whole and in bounded time when its module stays as it was', async () => {
    const fixture = readFixture(join(FIXTURES, 'sound', 's_percent.py'));
    const [slow, plain] = [await checked(SLOW + fixture.text, backend, 's', IMPORT_MS), await checked(fixture.text, backend, 's')];
    expect(slow.verdict).toBe('accept');
    expect(slow.notChecked).toEqual(plain.notChecked);
  }, 120_000);

  it.each(backend === 'native' ? FAULTS : EVERYWHERE)('has the findings of a quick one: %s', async (id) => {
    const fixture = readFixture(join(FIXTURES, 'checks', id, 'fires.py'));
    const [slow, plain] = [await checked(SLOW + fixture.text, backend, fixture.profile), await checked(fixture.text, backend, fixture.profile)];
    expect(idsOf(slow, id)).toEqual(idsOf(plain, id));
    expect(slow.findings.map((finding) => finding.id)).toContain(id);
    expect(slow.verdict).toBe(plain.verdict);
    expect(slow.notChecked.map((entry) => entry.id)).toEqual(plain.notChecked.map((entry) => entry.id));
  }, 120_000);

  it('is never accepted with fewer checks: what could not be made is named, with the reason and what to do', async () => {
    const { text } = readFixture(join(FIXTURES, 'sound', 's_percent.py'));
    const report = await checked(`${SLOW}WHEN = time.perf_counter()\n${text}`, backend, 's', 500);
    expect(report.verdict).toBe('cannot-run');
    const unmade = report.notChecked.map(({ id }) => id);
    for (const { id, severity } of catalog.filter(({ probe, profiles }) => probe !== undefined && (profiles.length === 0 || profiles.includes('s')))) {
      if (severity === 'error') expect(unmade).toContain(id);
    }
    expect(JSON.stringify(report.notChecked)).toContain('sandbox.importSeconds');
  }, 120_000);

  it('is still refused for what was found before the time was over', async () => {
    const text = readFileSync(join(FIXTURES, 'checks', 'reward-not-finite', 'fires.py'), 'utf8');
    const report = await checked(`${SLOW}WHEN = time.perf_counter()\n${text}`, backend, null, 300);
    expect(report.verdict).toBe('reject');
    expect(report.notChecked.length).toBeGreaterThan(0);
  }, 120_000);
});

it('a check under a slow import is cancelled at once', async () => {
  const { text } = readFixture(join(FIXTURES, 'sound', 's_percent.py'));
  const control = new AbortController();
  const begun = checkFile({ parser: await sharedParser(), sandbox: sandboxOf('native') }, { file: 'env.py', text: `import time; time.sleep(3600)\n${text}` }, control.signal);
  setTimeout(() => control.abort(), 200);
  await expect(begun).rejects.toMatchObject({ name: 'AbortError' });
}, 25_000);
