import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ErrorDocument, LedgerDocument, LinkModuleDocument, PushDocument, RunDocument, RunSourcesDocument } from '../../../src/shared/cliDocuments';
import { cli } from '../../helpers/cli';
import { fixturePath } from '../../helpers/fixtures';
import { makeRun, STOPPED } from '../../helpers/runFolder';
import { tempFolder } from '../../helpers/tempFolder';

const json = (text: string): unknown => JSON.parse(text);
const env = fixturePath('cases/05-step-uses-global-rng/env.py');
const KEY = '0123456789abcdef0123';
const lineOf = (dir: string, memory = '--spade-use-env-memory '): string =>
  `python train_slime.py ${memory}--spade-cache-dir ${join(dir, 'spade_games_cache')} --spade-game-regeneration-interval 8 --rollout-batch-size 16 --wandb-key ${KEY}`;
const push = (dir: string, action = 'push', ...more: string[]): string[] =>
  ['memory', action, '--run', dir, '--file', env, '--skill', 'Optimization', '--win-rate', '0.5', '--regret', '0.25', '--json', ...more];

const running: { kill(): void }[] = [];
afterEach(() => { for (const each of running.splice(0)) each.kill(); });

/** A Ray dashboard with these jobs; gives its address and what it was asked. */
async function dashboard(jobs: readonly object[]): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.end(JSON.stringify(jobs));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push({ kill: () => server.close() });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Every text that is kept in a workspace. */
function kept(workspace: string): string {
  const folder = join(workspace, '.envwright');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
}

describe('launch flags', () => {
  it('are read from a launcher script, kept without keys, and used the next time', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    writeFileSync(join(dir, 'launch.sh'), `#!/bin/bash\n${lineOf(dir)}\n`);
    const { code, out, err } = await cli(dir, ['run', 'show', dir, '--launcher', 'launch.sh', '--json']);
    expect(code).toBe(0);
    const shown = RunDocument.parse(json(out));
    expect(shown).toMatchObject({ backend: 'slime', interval: 8, memory: { used: true }, launch: { source: 'script' } });
    expect(`${out}${err}${kept(dir)}`).not.toMatch(new RegExp(`${KEY}|wandb`));
    expect(RunDocument.parse(json((await cli(dir, ['run', 'show', dir, '--json'])).out)).interval).toBe(8);
  });

  it('are read from a process, which the list of processes names', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const child = spawn('sh', ['-c', 'sleep 60', ...lineOf(dir).split(' ')]);
    running.push(child);
    const listed = await cli(dir, ['run', 'processes', '--json']);
    expect(RunSourcesDocument.parse(json(listed.out)).sources).toContainEqual(expect.objectContaining({ id: String(child.pid), backend: 'slime', cacheDir: join(dir, 'spade_games_cache') }));
    const { out } = await cli(dir, ['run', 'show', dir, '--pid', String(child.pid), '--json']);
    expect(RunDocument.parse(json(out))).toMatchObject({ interval: 8, launch: { source: 'process' } });
    expect(`${listed.out}${out}${kept(dir)}`).not.toMatch(new RegExp(`${KEY}|wandb`));
  });

  it('are read from the job of the run in a Ray cluster, with one request that changes nothing', async () => {
    const [dir, other] = [makeRun(tempFolder(), { ages: STOPPED, memory: '[]' }), makeRun(tempFolder(), { ages: STOPPED, memory: '[]' })];
    const { address, asked } = await dashboard([
      { entrypoint: lineOf(other, ''), status: 'RUNNING', submission_id: 'raysubmit_other', start_time: 2 }, { entrypoint: lineOf(dir), status: 'RUNNING', submission_id: 'raysubmit_mine', start_time: 1 },
    ]);
    const listed = await cli(dir, ['run', 'jobs', '--ray', address, '--json']);
    expect(RunSourcesDocument.parse(json(listed.out)).sources.map(({ id, status }) => `${id} ${status}`)).toEqual(['raysubmit_other RUNNING', 'raysubmit_mine RUNNING']);
    const { out } = await cli(dir, ['run', 'show', dir, '--ray', address, '--json']);
    expect(RunDocument.parse(json(out))).toMatchObject({ launch: { source: 'ray', from: expect.stringContaining('raysubmit_mine') as string }, memory: { used: true } });
    expect(RunDocument.parse(json((await cli(dir, ['run', 'show', dir, '--ray', address, '--job', 'raysubmit_other', '--json'])).out)).memory.used).toBe(false);
    expect(new Set(asked)).toEqual(new Set(['GET /api/jobs/']));
    expect(`${listed.out}${out}${kept(dir)}`).not.toMatch(new RegExp(`${KEY}|wandb`));
  });

  it.each([
    [['--launcher', 'no.sh'], 'run/no-launcher', 3], [['--pid', '999999999'], 'run/no-such-process', 3], [['--ray', 'http://user:secret@127.0.0.1:1'], 'run/ray-address', 3],
    [['--ray', 'http://127.0.0.1:1'], 'run/ray-unreachable', 3], [['--pid', '1', '--launcher', 'x.sh'], 'cli/usage', 2],
  ])('%s cannot be read: says why and what to do', async (flags, code, exit) => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const result = await cli(dir, ['run', 'show', dir, ...flags, '--json']);
    expect(result.code).toBe(exit);
    const { error } = ErrorDocument.parse(json(result.out));
    expect(error.code).toBe(code);
    expect(error.next).not.toBe('');
    expect(result.out).not.toContain('secret@');
  });

  it('that leave the memory off stop a push before anything is written', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    writeFileSync(join(dir, 'launch.sh'), lineOf(dir, ''));
    const { code, out, err } = await cli(dir, push(dir, 'push', '--launcher', 'launch.sh'));
    expect(code).toBe(1);
    expect(PushDocument.parse(json(out)).warnings).toContainEqual(expect.objectContaining({ id: 'memory-off', severity: 'warning' }));
    expect(err).toContain('--force');
    expect(readFileSync(join(dir, 'spade_games_cache', 'env_memory.json'), 'utf8')).toBe('[]');
  });
});

describe('the ledger', () => {
  it('holds every push and undo, can be exported, and is only added to', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    await cli(dir, push(dir, 'push', '--force'));
    const ledger = join(dir, '.envwright', 'pushes.jsonl');
    const before = readFileSync(ledger, 'utf8');
    await cli(dir, ['memory', 'remove', '--run', dir, '--game-file', env, '--json']);
    expect(readFileSync(ledger, 'utf8').startsWith(before)).toBe(true);
    const { out } = await cli(dir, ['memory', 'ledger', '--run', dir, '--out', 'ledger.json', '--json']);
    const { events, unreadable } = LedgerDocument.parse(json(out));
    expect(events.map(({ state }) => state)).toEqual(['queued', 'written', 'removed']);
    expect(events[0]?.record).toMatchObject({ game_file: env, regret: 0.25 });
    expect(unreadable).toBe(0);
    expect(LedgerDocument.parse(json(readFileSync(join(dir, 'ledger.json'), 'utf8')))).toEqual({ events, unreadable });
  });
});

describe('figures by hand', () => {
  it('carry their reason in the metadata, and nothing else is in the record than the seven keys', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const { code } = await cli(dir, push(dir, 'push', '--force', '--reason', 'plays of last week', '--metadata', '{"note": 1.0}'));
    expect(code).toBe(0);
    const [record] = json(readFileSync(join(dir, 'spade_games_cache', 'env_memory.json'), 'utf8')) as Record<string, unknown>[];
    expect(Object.keys(record ?? {})).toEqual(['game_file', 'skill', 'code_snippet', 'actor_win_rate', 'regret', 'rollout_id', 'metadata']);
    expect(record?.['metadata']).toEqual({ note: 1, envwright: { from: 'hand', reason: 'plays of last week' } });
    expect((await cli(dir, push(dir, 'preview', '--reason', ' '))).code).toBe(2);
  });
});

describe('a run that has not started', () => {
  it('is named with --create, which the refusal says', async () => {
    const dir = tempFolder();
    const refused = await cli(dir, push(dir));
    expect(refused.code).toBe(1);
    expect(ErrorDocument.parse(json(refused.out)).error.next).toContain('--create');
    expect((await cli(dir, push(dir, 'push', '--create', '--force'))).code).toBe(0);
    expect(readFileSync(join(dir, 'env_memory.json'), 'utf8')).toContain('"skill": "Optimization"');
  });
});

it('the command that adds the link module is shown, with the flag of the launch line', async () => {
  const { code, out } = await cli(tempFolder(), ['run', 'link-module', '--json']);
  expect(code).toBe(0);
  expect(LinkModuleDocument.parse(json(out))).toEqual({
    folder: '/opt/envwright/python/envwright_link', pip: 'python -m pip install --no-deps /opt/envwright/python/envwright_link',
    pythonPath: 'export PYTHONPATH=/opt/envwright/python"${PYTHONPATH:+:$PYTHONPATH}"', flag: '--rollout-function-path envwright_link.rollout.generate',
  });
  const spaced = await cli(tempFolder(), ['run', 'link-module'], { pythonFolder: '/home/it\'s me/py' });
  expect(spaced.out).toContain(String.raw`'/home/it'\''s me/py/envwright_link'`);
});
