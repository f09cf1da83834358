import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../../src/core/checks/catalog';
import { checkFile } from '../../../../../src/core/checks/checkFile';
import { contentHash } from '../../../../../src/core/checks/suppression';
import { SandboxError } from '../../../../../src/core/sandboxError';
import { message } from '../../../../../src/shared/message';
import { check, FIXTURES, sandboxOf, sharedParser, stopSandbox } from './harness';

const SOUND = readFileSync(join(FIXTURES, 'sound', 's_percent.py'), 'utf8');
const FAULTY = readFileSync(join(FIXTURES, 'checks', 'solution-does-not-win', 'fires.py'), 'utf8');
const signal = new AbortController().signal;

afterAll(stopSandbox);

describe('nothing fails open', () => {
  it('without a sandbox a sound file cannot be judged, and every probe is listed as not made', async () => {
    const report = await checkFile({ parser: await sharedParser(), sandbox: null }, { file: 'env.py', text: SOUND, profile: 's' }, signal);
    expect(report.verdict).toBe('cannot-run');
    const expected = catalog.filter(({ probe, stages, profiles }) => (stages.includes('probe') || probe !== undefined) && (profiles.length === 0 || profiles.includes('s'))).map(({ id }) => id);
    expect(report.notChecked.map(({ id }) => id)).toEqual(expected);
  });

  it('a sandbox that refuses to start is said, not passed over', async () => {
    const refused = new SandboxError('sandbox/none', message('No layer'), message('Install it'));
    const sandbox = { get: () => Promise.reject(refused), health: () => Promise.resolve([]), dispose: () => undefined };
    const report = await checkFile({ parser: await sharedParser(), sandbox }, { file: 'env.py', text: SOUND }, signal);
    expect(report.verdict).toBe('cannot-run');
    expect(JSON.stringify(report.notChecked[0])).toContain('No layer');
  });

  it('static checks alone never give a clean pass', async () => {
    const report = await checkFile({ parser: await sharedParser(), sandbox: null }, { file: 'env.py', text: SOUND, staticOnly: true }, signal);
    expect(report.verdict).toBe('accept-with-warnings');
    expect(report.timing.probeMs).toBeNull();
  });
});

describe('a step after the end that does not come back', () => {
  it('takes nothing with it but the checks of such steps, since the run makes none', async () => {
    const text = SOUND.replace(/( +)def step\(self, action[^\n]*\n/, (head, indent: string) => `${head}${indent}    while getattr(self, "over", False): pass\n${indent}    result = self.scored(action)\n${indent}    self.over = result[2] or result[3]\n${indent}    return result\n\n${indent}def scored(self, action):\n`)
      .replace(/( +)def reset\(self, seed=None\):\n/, (head, indent: string) => `${head}${indent}    self.over = False\n`);
    const report = await checkFile({ parser: await sharedParser(), sandbox: sandboxOf('native'), limits: { callMs: 1000 } }, { file: 'env.py', text, profile: 's' }, signal);
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.verdict).toBe('accept');
    expect(report.notChecked.map(({ id }) => id).filter((id) => id.startsWith('step-after-end'))).toEqual(['step-after-end-reopens-episode', 'step-after-end-pays']);
    expect(report.notChecked.map(({ id }) => id)).not.toContain('solution-does-not-win');
  }, 60_000);
});

describe('a package that is missing here', () => {
  it('is no fault of the file, whatever else goes wrong for the lack of it', async () => {
    const report = await check(readFileSync(join(FIXTURES, 'checks', 'missing-dependency', 'fires-in-reset.py'), 'utf8'));
    expect(report.verdict).toBe('cannot-run');
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.notChecked.map(({ id }) => id)).toContain('reset-raises');
    expect(report.notChecked.map(({ id }) => id)).not.toContain('missing-dependency');
  }, 60_000);

  it('is named where the file uses the numpy that the run puts there', async () => {
    const text = SOUND.replace(/random\.Random\(seed\)/, 'np.random.default_rng(seed)');
    expect(text).not.toBe(SOUND);
    const report = await check(text, {}, 'pyodide');
    expect(report.verdict).toBe('cannot-run');
    expect(report.findings.find(({ id }) => id === 'missing-dependency')?.evidence?.detail).toBe('numpy');
  }, 120_000);
});

describe('what the user decided', () => {
  it('silences an error of this very text: listed, and no clean pass', async () => {
    const suppressions = [{ scope: 'file' as const, id: 'solution-does-not-win', file: 'env.py', hash: await contentHash(FAULTY) }];
    const report = await check(FAULTY, { suppressions });
    expect(report.verdict).toBe('accept-with-warnings');
    expect(report.suppressed.map(({ id }) => id)).toEqual(['solution-does-not-win']);
    expect((await check(`${FAULTY}\n`, { suppressions })).verdict).toBe('reject');
  }, 60_000);

  it('what models and plays say stays silenced: no check of the file could find it, so none tells that it is stale', async () => {
    const hash = await contentHash(SOUND);
    const suppressions = ['screen-undecided', 'hint-leaks-answer', 'never-ends'].map((id) => ({ scope: 'file' as const, id, file: 'env.py', hash }));
    const report = await check(SOUND, { suppressions });
    expect(report.staleSuppressions?.map(({ id }) => id)).toEqual(['never-ends']);
  }, 60_000);

  it('a comment in the file changes nothing', async () => {
    expect((await check(`# envwright: disable=solution-does-not-win\n${FAULTY}`)).verdict).toBe('reject');
  }, 60_000);

  it('an error that is lowered still leaves no clean pass', async () => {
    const report = await check(FAULTY, { severityOverrides: { 'solution-does-not-win': 'info' } });
    expect(report.verdict).toBe('accept-with-warnings');
  }, 60_000);
});

