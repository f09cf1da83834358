import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditDocument } from '../../../src/shared/cliDocuments';
import { cli } from '../../helpers/cli';
import { tempFolder } from '../../helpers/tempFolder';

const sample = join(import.meta.dirname, '../../../media/sample-workspace');

describe('audit', () => {
  it('judges folders, writes every report, and takes everything over the second time', async () => {
    const folder = tempFolder();
    cpSync(sample, folder, { recursive: true });
    const argv = ['audit', 'environments', 'run', '--static-only', '--json', '--html', 'out/a.html', '--markdown', 'out/a.md', '--csv', 'out/a.csv', '--sarif', 'out/a.sarif'];
    const first = await cli(folder, argv);
    const document = AuditDocument.parse(JSON.parse(first.out));
    expect(first.code).toBe(1);
    expect(document.files).toHaveLength(34);
    expect(document).toMatchObject({ judged: 29, reused: 0, sandboxMs: 0 });
    expect(document.duplicates.filter(({ similarity }) => similarity === 1)).toHaveLength(5);
    expect(document.coverage.bySkill['Pattern Recognition']).toBe(6);
    expect(document.reports).toHaveLength(4);
    for (const path of document.reports) expect(existsSync(path)).toBe(true);
    expect(readFileSync(join(folder, 'out/a.html'), 'utf8')).toContain('href="file:');
    expect(JSON.parse(readFileSync(join(folder, 'out/a.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readFileSync(join(folder, 'out/a.csv'), 'utf8').trim().split('\r\n')).toHaveLength(35);
    const again = AuditDocument.parse(JSON.parse((await cli(folder, argv)).out));
    expect(again).toMatchObject({ judged: 0, reused: 29, files: document.files });
    expect(AuditDocument.parse(JSON.parse((await cli(folder, [...argv, '--fresh'])).out)).judged).toBe(29);
  });

  it('without a sandbox says of no file that it passes, with code 3', async () => {
    const folder = tempFolder();
    cpSync(join(sample, 'environments/clock_angle_env.py'), join(folder, 'clock_angle_env.py'));
    const { code, out, err } = await cli(folder, ['audit', '.']);
    expect(code).toBe(3);
    expect(out).toMatch(/cannot-run +1/);
    expect(err).toContain('envwright doctor');
  });

  it('names a folder that is not there, a skill that nobody knows, and a file that is no text', async () => {
    const folder = tempFolder();
    expect(await cli(folder, ['audit', 'nowhere'])).toMatchObject({ code: 3, err: expect.stringContaining('nowhere') as string });
    expect((await cli(folder, ['audit', '.', '--skills', 'Juggling'])).code).toBe(2);
    expect((await cli(folder, ['audit'])).code).toBe(2);
    writeFileSync(join(folder, 'torn_env.py'), Buffer.from([0x63, 0xff, 0x0a]));
    const { code, out } = await cli(folder, ['audit', '.', '--static-only', '--json']);
    expect(code).toBe(1);
    expect(AuditDocument.parse(JSON.parse(out)).files).toMatchObject([{ verdict: 'reject', hash: null }]);
  });
});
