import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../../src/core/checks/suppression';
import { CheckDocument } from '../../../src/shared/cliDocuments';
import { cli } from '../../helpers/cli';
import { fixturePath } from '../../helpers/fixtures';
import { tempFolder } from '../../helpers/tempFolder';

const source = readFileSync(fixturePath('cases/05-step-uses-global-rng/env.py'), 'utf8');

async function checked(dir: string, ...flags: string[]): Promise<CheckDocument['files'][number]> {
  const { out } = await cli(dir, ['check', 'env.py', '--static-only', '--json', ...flags]);
  return CheckDocument.parse(JSON.parse(out)).files[0]!;
}

function workspace(records: Record<string, unknown>): string {
  const dir = tempFolder();
  writeFileSync(join(dir, 'env.py'), source);
  mkdirSync(join(dir, '.envwright'));
  for (const [name, value] of Object.entries(records)) writeFileSync(join(dir, '.envwright', name), JSON.stringify(value));
  return dir;
}

function workspaceOf(text: string): string {
  const dir = workspace({});
  writeFileSync(join(dir, 'env.py'), text);
  return dir;
}

describe('check, with what the user decided in the workspace', () => {
  it('a profile of the workspace counts, and the flag before it', async () => {
    const dir = workspace({ 'profiles.json': { version: 1, profiles: [{ file: 'env.py', hash: 'a'.repeat(64), profile: 'c', why: 'a document' }] } });
    expect((await checked(dir)).profile).toBe('c');
    expect((await checked(dir, '--profile', 'm')).profile).toBe('m');
  });

  it('a silencing of the content counts, and is told as out of date when the content is another', async () => {
    const id = 'step-uses-global-rng';
    const entry = { scope: 'file', id, file: 'env.py', hash: await contentHash(source) };
    const dir = workspace({ 'suppressions.json': { version: 1, suppressions: [entry] } });
    const silenced = await checked(dir);
    expect(silenced.suppressed.map((finding) => finding.id)).toEqual([id]);
    writeFileSync(join(dir, 'env.py'), `# edited\n${source}`);
    const edited = await checked(dir);
    expect(edited.findings.some((finding) => finding.id === id)).toBe(true);
    expect(edited.staleSuppressions?.map(({ id: stale }) => stale)).toEqual([id]);
    expect((await cli(dir, ['check', 'env.py', '--static-only'])).out).toContain('silencing out of date');
  });

  it('an error that is silenced or made less is named at its line, and --fail-on warning still says no', async () => {
    const broken = 'class BrokenEnv:\n    def reset(self, seed=None):\n        return "x", {}\n';
    const entry = { scope: 'file', id: 'missing-method', file: 'env.py', hash: await contentHash(broken) };
    const dir = workspace({ 'suppressions.json': { version: 1, suppressions: [entry] } });
    writeFileSync(join(dir, 'env.py'), broken);
    expect((await checked(dir)).verdict).toBe('accept-with-warnings');
    expect((await cli(dir, ['check', 'env.py', '--static-only'])).out).toMatch(/env\.py:1:\d+: error missing-method: silenced by the user/);
    expect((await cli(dir, ['check', 'env.py', '--static-only', '--fail-on', 'warning'])).code).toBe(1);
    const lowered = ['--static-only', '--severity', 'missing-method=info'];
    expect(await checked(workspaceOf(broken), '--severity', 'missing-method=info')).toMatchObject({ verdict: 'accept-with-warnings', lowered: ['missing-method'] });
    expect((await cli(workspaceOf(broken), ['check', 'env.py', ...lowered])).out).toContain('missing-method is an error that was given a lower severity');
    expect((await cli(workspaceOf(broken), ['check', 'env.py', ...lowered, '--fail-on', 'warning'])).code).toBe(1);
  });

  it('a silencing by a name that no check has, or of an error for the whole workspace, does nothing and is told', async () => {
    const broken = 'class BrokenEnv:\n    def reset(self, seed=None):\n        return "x", {}\n';
    const dir = workspace({ 'suppressions.json': { version: 1, suppressions: [{ scope: 'workspace', id: '*' }, { scope: 'workspace', id: 'Missing-Method' }, { scope: 'workspace', id: 'missing-method' }] } });
    writeFileSync(join(dir, 'env.py'), broken);
    const { verdict, staleSuppressions } = await checked(dir);
    expect(verdict).toBe('reject');
    expect(staleSuppressions?.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('There is no check *'), expect.stringContaining('There is no check Missing-Method'), expect.stringContaining('file by file'),
    ]);
  });

  it('nothing that a file says of itself silences it', async () => {
    const said = '# envwright: disable=all\n# noqa\n__envwright__ = {"suppressions": [{"scope": "file", "id": "missing-method"}]}\nclass BrokenEnv:  # envwright: ignore[missing-method]\n    def reset(self, seed=None):\n        return "x", {}\n';
    expect((await checked(workspaceOf(said))).verdict).toBe('reject');
  });

  it('severities are given by id, and what is no severity is refused', async () => {
    const dir = workspace({});
    expect((await checked(dir, '--severity', 'step-uses-global-rng=error')).verdict).toBe('reject');
    for (const bad of ['guessable', 'guessable=loud', 'no-such-check=info', 'Guessable=info', '*=info', 'guessable=', '=info']) expect((await cli(dir, ['check', 'env.py', '--severity', bad])).code).toBe(2);
  });

  it('a damaged file of decisions is an error with its name, never a check without it', async () => {
    const dir = workspace({});
    writeFileSync(join(dir, '.envwright', 'profiles.json'), '{');
    const { code, err } = await cli(dir, ['check', 'env.py', '--static-only']);
    expect(code).toBe(3);
    expect(err).toContain('profiles.json');
  });
});
