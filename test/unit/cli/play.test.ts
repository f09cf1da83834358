import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RlLine } from '../../../src/core/play/export';
import { ComparisonDocument, SessionsDocument } from '../../../src/shared/cliDocuments';
import { PlayReport } from '../../../src/shared/play';
import { scriptedSandbox } from '../../fakes/scriptedSandbox';
import { cli, type CliResult } from '../../helpers/cli';
import { tempFolder } from '../../helpers/tempFolder';

let folder = '';
/** What a win pays, by seed: an edit of the environment's file. */
let pays: (seed: number) => number = () => 1;

const sandbox = () => Promise.resolve(scriptedSandbox(() => {
  let answer = 0;
  return {
    reset: (seed) => { answer = seed ?? 0; return `say ${answer}`; },
    step: (action) => (action.includes(`{${answer}}`) ? ['yes', pays(answer), true, false] : ['no', 0, false, true]),
    solution: () => String(answer),
  };
}));
const play = (...argv: string[]): Promise<CliResult> => cli(folder, ['play', ...argv, '--json'], { sandbox });
const savedPath = (): string => {
  const plays = join(folder, '.envwright', 'plays');
  return join(plays, readdirSync(plays).sort()[0]!);
};

beforeEach(() => {
  folder = tempFolder();
  pays = () => 1;
  writeFileSync(join(folder, 'env.py'), 'class XEnv: pass\n');
});

describe('play', () => {
  it('saves the plays where it is asked to, and shows and lists them', async () => {
    expect((await play('env.py', '--policy', 'oracle', '--seeds', '0-2')).code).toBe(0);
    expect(SessionsDocument.parse(JSON.parse((await play('--sessions')).out)).sessions).toEqual([]);
    const report = PlayReport.parse(JSON.parse((await play('env.py', '--policy', 'oracle', '--seeds', '0-2', '--save')).out));
    expect(report.session).toBe(savedPath());
    expect(SessionsDocument.parse(JSON.parse((await play('--sessions')).out)).sessions).toMatchObject([{ file: 'env.py', policy: 'oracle', planned: 3, missing: 0, noHint: { mean: 1, n: 3 }, hint: null }]);
    const shown = PlayReport.parse(JSON.parse((await play('--session', savedPath())).out));
    const id = basename(savedPath(), '.jsonl');
    expect(JSON.parse((await play('--session', id)).out)).toEqual(shown);
    expect((await play('env.py', '--replay', id)).code).toBe(0);
    expect(shown.arms).toEqual(report.arms);
  });

  it('replays the same actions on the file as it is now; the answer is no when an outcome flipped', async () => {
    await play('env.py', '--policy', 'oracle', '--seeds', '0-2', '--save');
    expect((await play('env.py', '--replay', savedPath())).code).toBe(0);
    pays = (seed) => (seed === 1 ? 0 : 1);
    const { code, out } = await play('env.py', '--replay', savedPath());
    expect(code).toBe(1);
    expect(ComparisonDocument.parse(JSON.parse(out))).toMatchObject({ flipped: 1, compared: 3, changes: [{ seed: 1, kind: 'flipped', step: 1, before: { return: 1 }, after: { return: 0 } }] });
  });

  it('plays what is missing and further seeds, and keeps what there was', async () => {
    await play('env.py', '--policy', 'oracle', '--seeds', '0-2', '--save');
    const path = savedPath();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${lines.filter((line) => !line.includes('"seed":1,')  || !line.includes('"type":"episode"')).join('\n')}\n`);
    appendFileSync(path, '{"torn');
    const { code, out, err } = await play('--resume', path, '--extend', '2');
    expect(code).toBe(0);
    expect(PlayReport.parse(JSON.parse(out)).arms.noHint.episodes.map(({ seed }) => seed)).toEqual([0, 1, 2, 3, 4]);
    expect(err).toContain('cannot be used');
    expect(err.match(/return 1\.00/g)).toHaveLength(3);
  });

  it('says before the plays that a hint tells an answer, or that nobody could look', async () => {
    expect((await play('env.py', '--policy', 'oracle', '--seeds', '0', '--hint', 'The answer is 12.')).err).toContain('The hint holds 12, which is in the answer of 1 of 16 seeds.');
    expect((await play('env.py', '--policy', 'oracle', '--seeds', '0', '--hint', 'Say the number.')).err).not.toContain('The hint holds');
  });

  it('does not go on with a session under another policy', async () => {
    await play('env.py', '--policy', 'oracle', '--save');
    const path = savedPath();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"policy":"oracle"', '"policy":"human"'));
    expect((await play('--resume', path)).code).toBe(2);
  });

  it('compares two sessions', async () => {
    await play('env.py', '--policy', 'oracle', '--seeds', '0-3', '--save');
    const earlier = savedPath();
    await play('env.py', '--policy', 'noop', '--seeds', '0-3', '--save');
    const later = readdirSync(join(folder, '.envwright', 'plays')).map((name) => join(folder, '.envwright', 'plays', name)).find((path) => path !== earlier)!;
    const { code, out } = await play('--session', later, '--compare', earlier);
    expect(code).toBe(0);
    expect(ComparisonDocument.parse(JSON.parse(out))).toMatchObject({ flipped: 4, arms: [{ arm: 'noHint', difference: { value: -1, paired: true } }], differences: ['The same text of the file.', 'Played by oracle, then by noop.'] });
  });

  it('exports trajectories with rewards and a report', async () => {
    const { code } = await play('env.py', '--policy', 'cheats', '--seeds', '0', '--plays', '2', '--export', 't.jsonl', '--report', 'r.html');
    expect(code).toBe(0);
    const lines = readFileSync(join(folder, 't.jsonl'), 'utf8').trimEnd().split('\n').map((line) => RlLine.parse(JSON.parse(line)));
    expect(lines.map(({ metadata: { policy, play } }) => [policy, play])).toEqual([['cheats', 0], ['cheats', 1]]);
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain("default-src 'none'");
  });

  it.each([
    [['--session', 'a', '--replay', 'b']], [['env.py', '--policy', 'oracle', '--compare', 'a']], [['env.py', '--policy', 'oracle', '--extend', '2']],
    [['env.py', '--policy', 'oracle', '--export', 'x', '--export-for', 'y']],
  ])('%j is wrong usage', async (argv) => {
    expect((await play(...argv)).code).toBe(2);
  });

  it('says where a session is not', async () => {
    const { code, out } = await play('--session', 'gone.jsonl');
    expect(code).toBe(3);
    expect(out).toContain('records/no-session');
  });
});
