import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CheckDocument, CorpusDocumentReport, DoctorDocument, ErrorDocument, MemoryDocument, PushDocument, RemoveDocument, ReplyDocument, RunDocument, SyncDocument,
} from '../../../src/shared/cliDocuments';
import { EnvwrightError } from '../../../src/core/errors';
import { DEFAULT_BOUNDS, type SandboxBounds } from '../../../src/core/sandboxBounds';
import type { CliContext } from '../../../src/node/cli/context';
import { sarif } from '../../../src/node/cli/sarif';
import { message } from '../../../src/shared/message';
import { cli } from '../../helpers/cli';
import { fixture, fixturePath } from '../../helpers/fixtures';
import { LIVE, makeRun, STOPPED } from '../../helpers/runFolder';
import { tempFolder } from '../../helpers/tempFolder';

const json = (text: string): unknown => JSON.parse(text);
const env = fixturePath('cases/05-step-uses-global-rng/env.py');

describe('usage', () => {
  it('is told, with code 2, for an unknown command or flag, a missing value, a bad number', async () => {
    const dir = tempFolder();
    for (const argv of [['nothing'], ['score'], ['score', 'a', 'b'], ['score', 'a', '--what'], ['memory', 'dance'], ['memory', 'show'], ['read', '--reply', '--format', 'x'],
      ['play', env, '--policy', 'x'], ['play', env], ['check'], ['check', env, '--profile', 'z'], ['run', 'start'],
      ['memory', 'push', '--run', dir, '--create', '--file', env, '--skill', 'Optimization', '--win-rate', 'high', '--regret', '0']]) {
      const { code, err, out } = await cli(dir, argv);
      expect([argv.join(' '), code]).toEqual([argv.join(' '), 2]);
      expect(err).not.toBe('');
      expect(out).toBe('');
    }
  });

  it('help goes to stdout with code 0', async () => {
    expect(await cli(tempFolder(), ['--help'])).toMatchObject({ code: 0, err: '' });
    const one = await cli(tempFolder(), ['memory', '--help']);
    expect(one.out).toContain('memory push');
    expect(one.out).not.toContain('curriculum');
    expect((await cli(tempFolder(), ['memory'])).err).toContain('envwright memory --help');
  });

  it('help tells every flag that its command takes, and the version is told', async () => {
    const dir = tempFolder();
    const flags = async (...argv: string[]) => new Set((await cli(dir, [...argv, '--help'])).out.match(/--[a-z][a-z-]+/g));
    const ofSandbox = ['--sandbox', '--python', '--call-seconds', '--load-seconds', '--import-seconds', '--cpu-seconds', '--memory-mb', '--output-mb', '--observation-chars', '--sessions'];
    for (const name of ['check', 'audit', 'play', 'design', 'doctor']) {
      const told = await flags(name);
      expect([name, ofSandbox.filter((flag) => !told.has(flag))]).toEqual([name, []]);
    }
    for (const flag of ['--top-p', '--budget', '--random-seed', '--save']) expect(await flags('play')).toContain(flag);
    expect(await cli(dir, ['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });

  it('a folder and a file that is not there are told apart by check, and neither is put down to the sandbox', async () => {
    const dir = tempFolder();
    const { code, out, err } = await cli(dir, ['check', '.', 'gone.py']);
    expect(code).toBe(3);
    expect(out).toMatch(/is a folder\.[\s\S]*There is no file .*gone\.py/);
    expect(err).toContain('envwright audit');
    expect(err).not.toContain('doctor');
  });

  it('an error is one document on stdout with --json', async () => {
    const { code, out } = await cli(tempFolder(), ['score', 'no.json', '--json']);
    expect(code).toBe(3);
    expect(ErrorDocument.parse(json(out)).error.code).toBe('cli/no-such-file');
  });
});

describe('score and read', () => {
  const blank = (golden: Record<string, Record<string, unknown>[]>): string => JSON.stringify(Object.fromEntries(Object.entries(golden).map(([section, inputs]) => [
    section, inputs.map(({ expected: _expected, expected_reward: _reward, ...input }) => input),
  ])));

  it('read fills the golden document to the letter', async () => {
    const [dir, golden] = [tempFolder(), fixture<Record<string, Record<string, unknown>[]>>('golden/parsing.json')];
    writeFileSync(join(dir, 'in.json'), blank(golden));
    const { code, out } = await cli(dir, ['read', 'in.json']);
    expect(code).toBe(0);
    expect(json(out)).toEqual(golden);
  });

  it('score fills every section and names non-finite numbers', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'in.json'), blank(fixture('golden/rewards.json')));
    expect(Object.keys(json((await cli(dir, ['score', 'in.json', '--json'])).out) as object)).toHaveLength(9);
    writeFileSync(join(dir, 'nan.json'), '{"episode_reward":[{"rewards":["NaN"],"terminated":true}],"variance_reward":[{"rewards":["Infinity",0]}]}');
    expect(json((await cli(dir, ['score', 'nan.json'])).out)).toMatchObject({ episode_reward: [{ expected: 1 }], variance_reward: [{ expected: 'NaN' }] });
  });

  it('a document of another shape is refused with its fault', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'in.json'), '{"episode_reward":[{"rewards":"x"}]}');
    const { code, err } = await cli(dir, ['score', 'in.json']);
    expect(code).toBe(3);
    expect(err).toContain('episode_reward');
  });

  it('reads one reply from stdin', async () => {
    const stdin = () => Promise.resolve('<tool_call>{"name": "a", "arguments": {"x": {"y": 1}}}</tool_call>');
    const { out } = await cli(tempFolder(), ['read', '--reply', '--format', 'tool_call', '--json'], { stdin });
    expect(ReplyDocument.parse(json(out))).toMatchObject({ calls: [{ name: 'a', arguments: {} }], notices: ['nested-arguments-lost'] });
  });
});

describe('memory', () => {
  const push = (dir: string, ...more: string[]): string[] => ['memory', 'push', '--run', dir, '--file', env, '--skill', 'Optimization', '--win-rate', '0.5', '--regret', '-0.2', '--json', ...more];

  it('push, show, sync and remove a record', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const pushed = await cli(dir, push(dir, '--rollout', '3', '--metadata', '{"b": 1.0, "a": 2}', '--game-file', 'g.py'));
    expect(pushed.code).toBe(0);
    expect(PushDocument.parse(json(pushed.out))).toMatchObject({ state: 'written', class: 'seed', poolRank: 1, odds: 1, record: { game_file: 'g.py', regret: -0.2, rollout_id: 3 } });
    expect(readFileSync(join(dir, 'spade_games_cache', 'env_memory.json'), 'utf8')).toContain('"metadata": {\n      "b": 1.0,\n      "a": 2\n    }');
    const shown = MemoryDocument.parse(json((await cli(dir, ['memory', 'show', '--run', dir, '--json'])).out));
    expect(shown).toMatchObject({ records: [{ index: 0, class: 'seed', poolRank: 1, odds: 1, evictedAfterAdds: 200 }], pools: { Optimization: { seeds: [0], negatives: [] } }, problems: [] });
    expect(SyncDocument.parse(json((await cli(dir, ['memory', 'sync', '--run', dir, '--json'])).out)).pushes).toMatchObject([{ state: 'written', gameFile: 'g.py' }]);
    expect(RemoveDocument.parse(json((await cli(dir, ['memory', 'remove', '--run', dir, '--game-file', 'g.py', '--json'])).out)).state).toBe('removed');
    expect((await cli(dir, ['memory', 'remove', '--run', dir, '--game-file', 'g.py'])).code).toBe(1);
  });

  it('a preview writes nothing', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const { code, out } = await cli(dir, push(dir).with(1, 'preview'));
    expect([code, PushDocument.parse(json(out)).state]).toEqual([0, 'preview']);
    expect(readFileSync(join(dir, 'spade_games_cache', 'env_memory.json'), 'utf8')).toBe('[]');
  });

  it('a refused push has code 1, a queued one 0, and bad values 2', async () => {
    const [stopped, live] = [makeRun(tempFolder(), { ages: STOPPED, memory: '[]' }), makeRun(tempFolder(), { ages: LIVE, memory: '[]' })];
    const refused = await cli(stopped, push(stopped, '--win-rate', '0.12'));
    expect([refused.code, PushDocument.parse(json(refused.out)).state]).toEqual([1, 'refused']);
    const queued = await cli(live, push(live));
    expect([queued.code, PushDocument.parse(json(queued.out)).state]).toEqual([0, 'queued']);
    expect((await cli(stopped, push(stopped, '--win-rate', '1.5'))).code).toBe(2);
    expect((await cli(stopped, push(stopped, '--metadata', '[1]'))).code).toBe(2);
  });

  it('a torn memory is shown as such and refused, untouched', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[{"game' });
    const shown = await cli(dir, ['memory', 'show', '--run', dir, '--json']);
    expect([shown.code, ErrorDocument.parse(json(shown.out)).error.code]).toEqual([3, 'memory/torn']);
    expect((await cli(dir, push(dir, '--force'))).code).toBe(1);
    expect(readFileSync(join(dir, 'spade_games_cache', 'env_memory.json'), 'utf8')).toBe('[{"game');
  });

  it('a file that begins with a byte order mark is pushed without it, as the editor shows it', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    writeFileSync(join(dir, 'marked.py'), `\ufeff${readFileSync(env, 'utf8')}`);
    const { code, out } = await cli(dir, push(dir, '--file', 'marked.py'));
    expect(code).toBe(0);
    const plain = await cli(dir, push(dir).with(1, 'preview'));
    expect(PushDocument.parse(json(out)).record.code_snippet).toBe(PushDocument.parse(json(plain.out)).record.code_snippet);
    expect(readFileSync(join(dir, 'spade_games_cache', 'env_memory.json'), 'utf8')).not.toMatch(/\ufeff|\\ufeff/);
  });

  it('a file with open errors is not pushed by accident', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    writeFileSync(join(dir, 'no.py'), 'x = 1\n');
    const { code, out } = await cli(dir, push(dir, '--file', 'no.py'));
    expect(code).toBe(1);
    expect(PushDocument.parse(json(out)).warnings.map(({ id }) => id)).toContain('open-findings');
  });
});

describe('run, corpus, doctor', () => {
  it('shows a run, and says what is none', async () => {
    const dir = makeRun(tempFolder(), { ages: LIVE, memory: '[{"game_file": "a"}]' });
    const shown = RunDocument.parse(json((await cli(dir, ['run', 'show', dir, '--json'])).out));
    expect(shown).toMatchObject({ dir, live: true, rollout: 12, interval: 4, memory: { exists: true, records: 1 } });
    expect(shown.games).toHaveLength(4);
    expect(shown.problems.length).toBeGreaterThan(0);
    const none = await cli(dir, ['run', 'show', tempFolder(), '--json']);
    expect([none.code, ErrorDocument.parse(json(none.out)).error.code]).toEqual([3, 'run/not-a-run-folder']);
  });

  it('reports a corpus', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'c.jsonl'), '{"text": "a b", "title": "t"}\n\nno\n[1]\n');
    const { code, out, err } = await cli(dir, ['corpus', 'c.jsonl', '--json']);
    expect(code).toBe(0);
    const report = CorpusDocumentReport.parse(json(out));
    expect(report).toMatchObject({ documents: 1, blank: 1, first: [{ line: 1, words: 2, metadata: { title: 't' } }] });
    expect(report.problems.map(({ line }) => line)).toEqual([3, 4]);
    expect(err).toContain('1');
  });

  it('a doctor without a sandbox says so, with code 3', async () => {
    const { code, out } = await cli(tempFolder(), ['doctor', '--json']);
    expect([code, DoctorDocument.parse(json(out)).checks[0]?.ok]).toEqual([3, false]);
  });

  it('a doctor calls what works and asks for something a note, not ok', async () => {
    const interpreter: CliContext['interpreter'] = () => Promise.resolve([
      { name: 'interpreter', ok: true, detail: 'found', next: null },
      { name: 'package numpy', ok: true, detail: 'not installed', next: 'Install it.' },
      { name: 'package import', ok: false, detail: 'broken', next: 'Look at it.' },
    ]);
    const { out } = await cli(tempFolder(), ['doctor'], { interpreter });
    expect(out).toContain('ok   interpreter: found\nnote package numpy: not installed\n     Install it.\nFAIL package import: broken\n     Look at it.\n');
  });

  it('a doctor that is asked to installs the wheels of the embedded Python first, and says what it downloads', async () => {
    const asked: (string | undefined)[] = [];
    const installWheels = (python: string | undefined, report: (text: string) => void): Promise<void> => {
      asked.push(python);
      report('sympy\u001b[2J');
      return Promise.resolve();
    };
    const { out, err } = await cli('/there', ['doctor', '--install-wheels', '--python', 'bin/python3', '--json'], { installWheels });
    expect(asked).toEqual(['/there/bin/python3']);
    expect(err).toContain('sympy');
    expect(err + out).not.toContain('\u001b');
    await cli('/there', ['doctor', '--json'], { installWheels });
    expect(asked).toHaveLength(1);
  });

  it('a flag for every bound of the sandbox reaches it in its unit, and takes what the setting takes', async () => {
    const given: SandboxBounds[] = [];
    const sandbox: CliContext['sandbox'] = (_choice, _python, bounds) => {
      given.push(bounds);
      return Promise.reject(new EnvwrightError('test', message('enough'), message('none')));
    };
    await cli('/there', ['doctor'], { sandbox });
    await cli('/there', ['doctor', '--call-seconds', '2', '--load-seconds', '3', '--import-seconds', '9', '--cpu-seconds', '4', '--memory-mb', '128', '--output-mb', '5', '--observation-chars', '6000', '--sessions', '7'], { sandbox });
    expect(given).toEqual([DEFAULT_BOUNDS, {
      limits: { callMs: 2000, loadMs: 3000, importMs: 9000, cpuSeconds: 4, memoryBytes: 128 * 2 ** 20, outputBytes: 5 * 2 ** 20, observationChars: 6000 }, maxSessions: 7,
    }]);
    for (const wrong of [['--call-seconds', '0'], ['--memory-mb', '1'], ['--sessions', '0'], ['--cpu-seconds', 'many']]) {
      expect([wrong[0], (await cli('/there', ['doctor', ...wrong], { sandbox })).code]).toEqual([wrong[0], 2]);
    }
  });
});

describe('check', () => {
  it('a byte order mark alone changes neither the verdict nor the places', async () => {
    const dir = tempFolder();
    const plain = readFileSync(env, 'utf8').replace(/^import random$/m, 'import random\nprint("loaded")');
    writeFileSync(join(dir, 'plain.py'), plain);
    writeFileSync(join(dir, 'marked.py'), `\ufeff${plain}`);
    const { out } = await cli(dir, ['check', 'plain.py', 'marked.py', '--static-only', '--json']);
    const [one, other] = CheckDocument.parse(json(out)).files.map(({ verdict, findings }) => [verdict, findings.map(({ id, line, column }) => [id, line, column])]);
    expect(other).toEqual(one);
    expect(JSON.stringify(one)).toContain('prints-to-stdout');
  });

  it('judges statically without a sandbox, in order, with SARIF', async () => {
    const dir = tempFolder();
    cpSync(env, join(dir, 'good.py'));
    mkdirSync(join(dir, 'sub'));
    writeFileSync(join(dir, 'sub', 'bad file.py'), 'class BadEnv:\n    def reset(self, seed=None):\n        return "x", {}\n');
    const { code, out } = await cli(dir, ['check', 'good.py', 'sub/bad file.py', '--static-only', '--json', '--sarif', 'out.sarif']);
    expect(code).toBe(1);
    const { files } = CheckDocument.parse(json(out));
    expect(files.map(({ file, verdict }) => [file, verdict === 'reject'])).toEqual([[join(dir, 'good.py'), false], [join(dir, 'sub', 'bad file.py'), true]]);
    expect(files[1]?.findings.map(({ id }) => id)).toContain('missing-method');
    const written = json(readFileSync(join(dir, 'out.sarif'), 'utf8')) as { version: string; runs: { results: { ruleId: string; locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[]; tool: { driver: { rules: { id: string }[] } } }[] };
    expect(written.version).toBe('2.1.0');
    expect(written.runs[0]?.results.find(({ ruleId }) => ruleId === 'missing-method')?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('sub/bad%20file.py');
    expect(written.runs[0]?.tool.driver.rules.length).toBeGreaterThan(60);
  });

  it('what cannot be run has code 3, and a missing file does not hide the others', async () => {
    const dir = tempFolder();
    const { code, out } = await cli(dir, ['check', env, 'missing.py', '--json']);
    expect(code).toBe(3);
    expect(CheckDocument.parse(json(out)).files.map(({ verdict }) => verdict)).toEqual(['cannot-run', 'cannot-run']);
  });
});

describe('SARIF', () => {
  it('takes what an environment said as text: no link, and no sign that acts', () => {
    const finding = {
      id: 'step-raises-on-input', severity: 'warning' as const, message: 'step raises [x](command:quit) \u202e.', line: 1, column: 1, endLine: 1, endColumn: 2, stage: 'probe' as const,
      evidence: null, fix: null, related: [],
    };
    const file = { file: '/w/a.py', verdict: 'reject' as const, class: 'AEnv', profile: null, findings: [finding], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: 1 } };
    const text = JSON.stringify(sarif({ files: [file] }, '/w'));
    expect(text).toContain(JSON.stringify({ text: String.raw`step raises \[x\](command:quit) \u202e.` }));
  });
});

describe('a check that is stopped', () => {
  it('answers with what was judged by then, and tells every other file as not judged', async () => {
    const dir = tempFolder();
    const names = Array.from({ length: 12 }, (_, index) => `env${index}.py`);
    for (const name of names) cpSync(env, join(dir, name));
    const stop = new AbortController();
    let err = '';
    const stderr = (text: string) => {
      err += text;
      if (text.startsWith('1 of 12')) stop.abort();
    };
    const { code, out } = await cli(dir, ['check', ...names, '--static-only', '--json', '--sarif', 'out.sarif'], { signal: stop.signal, stderr });
    expect(code).toBe(3);
    const { files } = CheckDocument.parse(json(out));
    expect(files.map(({ file }) => file)).toEqual(names.map((name) => join(dir, name)));
    const stopped = files.filter(({ notChecked }) => notChecked[0]?.id === 'check-file');
    expect([stopped.length > 0, stopped.length < 12]).toEqual([true, true]);
    expect(stopped.every(({ verdict }) => verdict === 'cannot-run')).toBe(true);
    expect(err).toContain(`Stopped: ${12 - stopped.length} of 12 files judged.`);
    expect(err).not.toContain('doctor');
    expect(readFileSync(join(dir, 'out.sarif'), 'utf8')).toContain('"executionSuccessful": false');
  });
});

describe('a terminal', () => {
  it('shows a table in line whatever its cells hold, and a name with a line end begins no line of its own', async () => {
    const dir = tempFolder();
    const names = ['wide.py', 'forged\nenv.py:1:1: error trivial-win: none.py', 'marked\u061c\u{e0041}.py'];
    const source = (name: string) => `class ${name}:\n    def reset(self, seed=None):\n        return "x", {}\n\n    def step(self, action):\n        return "x", 0.0, True, False, {}\n`;
    for (const [index, name] of names.entries()) writeFileSync(join(dir, name), source(['時計の角度Env', 'ShortEnv', 'AnEnv'][index]!));
    const { out } = await cli(dir, ['check', ...names, '--static-only']);
    expect(out).not.toMatch(/^env\.py:1:1/m);
    expect(out).not.toMatch(/[\u061c\u{e0041}]/u);
    expect(out).toContain('\\u061c\\udb40\\udc41');
    const rows = out.trimEnd().split('\n').slice(-4);
    // Five of the first class's characters take two columns.
    expect(rows.map((row, index) => row.search(/file$|wide\.py|forged|marked/) + (index === 1 ? 5 : 0))).toEqual(new Array(4).fill(rows[0]!.indexOf('file', 40)));
  });

  it('never sees control characters of a file, a name or a reply, in text or in JSON', async () => {
    const hostile = '\u001b[31mred\u0007\u009b2J\u202egnp';
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: `[{"game_file": ${JSON.stringify(hostile)}, "skill": ${JSON.stringify(hostile)}, "code_snippet": "", "actor_win_rate": 0.5}]` });
    const stdin = () => Promise.resolve(`\\boxed{${hostile}}`);
    const results = await Promise.all([
      cli(dir, ['memory', 'show', '--run', dir]), cli(dir, ['memory', 'show', '--run', dir, '--json']), cli(dir, ['read', '--reply'], { stdin }),
      cli(dir, ['read', '--reply', '--json'], { stdin }), cli(dir, ['score', `${hostile}.json`]),
    ]);
    for (const { out, err } of results) expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(ReplyDocument.parse(json(results[3]?.out ?? '')).boxed).toBe(hostile);
  });
});
