import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CheckDocument, CurriculumDocument } from '../../../src/shared/cliDocuments';
import { scriptedSandbox } from '../../fakes/scriptedSandbox';
import { cli } from '../../helpers/cli';
import { tempFolder } from '../../helpers/tempFolder';

const sample = join(import.meta.dirname, '../../../media/sample-workspace');

/** A folder with the sample and a curriculum of three of its games. */
async function filled(): Promise<{ folder: string; run: (...argv: string[]) => Promise<{ code: number; document: CurriculumDocument }> }> {
  const folder = tempFolder();
  cpSync(sample, folder, { recursive: true });
  const run = async (...argv: string[]) => {
    const { code, out } = await cli(folder, ['curriculum', ...argv, '--json']);
    return { code, document: CurriculumDocument.parse(JSON.parse(out)) };
  };
  await run('new', 'first steps');
  const games = ['step_00012/game_00012_000_causal_inference', 'step_00004/game_00004_004_spatial_reasoning', 'step_00008/game_00008_003_optimization'];
  await run('add', 'first steps', ...games.map((game) => join('run/spade_games_cache', `${game}.py`)), '--difficulty', 'easy');
  return { folder, run };
}

describe('curriculum', () => {
  it('is filled with what the run around says, ordered, and covered', async () => {
    const { run } = await filled();
    const { document } = await run('show', 'first steps');
    expect(document.entries.map(({ skill, difficulty }) => [skill, difficulty])).toEqual([['Causal Inference', 'easy'], ['Spatial Reasoning', 'easy'], ['Optimization', 'easy']]);
    expect(document.entries.every(({ hint, outcome }) => hint !== null && outcome !== null)).toBe(true);
    expect(document.coverage.holes).toContainEqual({ skill: 'Logical Deduction', difficulty: 'easy' });
    const skills = async (...argv: string[]) => (await run(...argv)).document.entries.map(({ skill }) => skill);
    expect(await skills('move', 'first steps', '3', '1')).toEqual(['Optimization', 'Causal Inference', 'Spatial Reasoning']);
    expect(await skills('move', 'first steps', '1', '3')).toEqual(['Causal Inference', 'Spatial Reasoning', 'Optimization']);
    expect(await skills('remove', 'first steps', '2')).toEqual(['Causal Inference', 'Optimization']);
  });

  it('comes back the same from a pool, a memory file and JSON lines; a damaged file is named and the rest used', async () => {
    const { folder, run } = await filled();
    const before = (await run('show', 'first steps')).document.entries;
    const forms = { pool: ['envwright-pool.json', 'game_00000_000_causal_inference.py'], memory: ['env_memory.json', 'games/game_00000_000_causal_inference.py'], lines: ['environments.jsonl', 'environments.jsonl'] } as const;
    for (const [form, [file, victim]] of Object.entries(forms)) {
      expect((await run('export', 'first steps', '--as', form, '--out', `out/${form}`)).code).toBe(0);
      const back = await run('import', `out/${form}/${file}`, '--name', `back ${form}`);
      expect(back.code).toBe(0);
      expect(back.document.entries).toEqual(before);
      const path = join(folder, 'out', form, victim);
      writeFileSync(path, readFileSync(path, 'utf8').replace('def step', 'def  step'));
      const damaged = await run('import', `out/${form}/${file}`, '--name', `damaged ${form}`);
      expect(damaged.code).toBe(3);
      expect(damaged.document.entries).toEqual(before.slice(1));
      expect(damaged.document.problems).toMatchObject([{ why: 'damaged' }]);
      expect((await cli(folder, ['curriculum', 'export', 'first steps', '--as', form, '--out', `out/${form}`])).code).toBe(3);
    }
    const memory = JSON.parse(readFileSync(join(folder, 'out/memory/env_memory.json'), 'utf8')) as Record<string, unknown>[];
    expect(memory.map((record) => Object.keys(record))).toEqual(memory.map(() => ['game_file', 'skill', 'code_snippet', 'actor_win_rate', 'regret', 'rollout_id', 'metadata']));
    expect((await cli(folder, ['memory', 'show', '--file', 'out/memory/env_memory.json', '--json'])).out).toContain('"problems": []');
  });

  it('is imported from the folder of an export; another folder is refused with what is looked for', async () => {
    const { folder, run } = await filled();
    const before = (await run('show', 'first steps')).document.entries;
    for (const form of ['pool', 'memory', 'lines']) {
      const { err } = await cli(folder, ['curriculum', 'export', 'first steps', '--as', form, '--out', `out/${form}`]);
      expect(err).toMatch(new RegExp(`^\\d files? written to out/${form}`, 'm'));
      expect((await run('import', `out/${form}`, '--name', form)).document.entries).toEqual(before);
    }
    expect(await cli(folder, ['curriculum', 'import', 'environments'])).toMatchObject({ code: 3, err: expect.stringContaining('envwright-pool.json') as string });
  });

  it('is checked under the names of its files, which need not be there any more, and learns their kinds', async () => {
    const { folder, run } = await filled();
    await run('add', 'first steps', 'environments/faulty_parcel_shelf_env.py', '--skill', 'Tool Selection');
    rmSync(join(folder, 'environments/faulty_parcel_shelf_env.py'));
    const { code, out } = await cli(folder, ['curriculum', 'check', 'first steps', '--static-only', '--json']);
    const { files } = CheckDocument.parse(JSON.parse(out));
    expect(code).toBe(1);
    expect(files.map(({ verdict, file }) => [verdict, file.slice(folder.length + 1)])).toEqual([
      ['accept-with-warnings', 'run/spade_games_cache/step_00012/game_00012_000_causal_inference.py'], ['accept-with-warnings', 'run/spade_games_cache/step_00004/game_00004_004_spatial_reasoning.py'],
      ['accept-with-warnings', 'run/spade_games_cache/step_00008/game_00008_003_optimization.py'], ['reject', 'environments/faulty_parcel_shelf_env.py'],
    ]);
    expect((await run('show', 'first steps')).document.entries.map(({ kind }) => kind)).toEqual(['single-turn', 'single-turn', 'single-turn', 'tool-use']);
    expect((await cli(folder, ['curriculum', 'check', 'first steps', '--static-only'])).out).toMatch(/^environments\/faulty_parcel_shelf_env\.py:\d+:\d+: error tool-schema-mismatch/m);
  });

  it('is played with the hint of each, and keeps every outcome with its plays; what a model did stays, and what has no hint has no regret', async () => {
    const { folder, run } = await filled();
    await run('new', 'unplayed');
    await run('add', 'unplayed', 'environments/clock_angle_env.py', '--skill', 'Mathematical Reasoning', '--hint', 'Seven.');
    await run('add', 'unplayed', 'environments/canal_locks_env.py', '--skill', 'Mathematical Reasoning');
    const sandbox = () => Promise.resolve(scriptedSandbox(() => ({
      reset: (seed) => `say ${seed ?? 0}`, step: (action) => (action.includes('{7}') ? ['yes', 1, true, false] : ['no', 0, false, true]), solution: () => '7',
    })));
    const red = 'environments/red\u001b[31m_env.py';
    cpSync(join(folder, 'environments/clock_angle_env.py'), join(folder, red));
    await run('new', 'coloured');
    await run('add', 'coloured', red, '--skill', 'Mathematical Reasoning');
    const play = async (name: string) => {
      const { code, out, err } = await cli(folder, ['curriculum', 'play', name, '--policy', 'simulated', '--chance', '0', '--chance-hint', '1', '--seeds', '0-2', '--json'], { sandbox });
      expect(code).toBe(0);
      return { err, outcomes: CurriculumDocument.parse(JSON.parse(out)).entries.map(({ outcome }) => outcome) };
    };
    const won = { winRate: 0, regret: 1, plays: 3, simulated: true };
    expect((await play('unplayed')).outcomes).toEqual([won, { ...won, regret: 0 }]);
    expect((await run('show', 'unplayed')).document.entries.map(({ outcome }) => outcome?.plays)).toEqual([3, 3]);
    expect((await play('coloured')).err).toContain('environments/red\\x1b[31m_env.py');
    const measured = (await run('show', 'first steps')).document.entries.map(({ outcome }) => outcome);
    const again = await play('first steps');
    expect(again.outcomes).toEqual(measured);
    expect(again.err).toContain('A model played it before');
    expect((await cli(folder, ['curriculum', 'play', 'first steps'], { sandbox })).code).toBe(2);
  });

  it('without an environment is neither checked nor played, and says how to fill it', async () => {
    const { folder, run } = await filled();
    await run('new', 'empty');
    for (const action of ['check', 'play']) expect(await cli(folder, ['curriculum', action, 'empty', '--policy', 'oracle'])).toMatchObject({ code: 3, err: expect.stringContaining('curriculum add') as string });
  });

  it('leaves out of a memory file what was never played, and says so', async () => {
    const { folder, run } = await filled();
    await run('add', 'first steps', 'environments/clock_angle_env.py', '--skill', 'Mathematical Reasoning');
    const { code, document } = await run('export', 'first steps', '--as', 'memory', '--out', 'out');
    expect(code).toBe(3);
    expect(document.problems).toMatchObject([{ why: 'not-played' }]);
    expect((JSON.parse(readFileSync(join(folder, 'out/env_memory.json'), 'utf8')) as unknown[])).toHaveLength(3);
  });

  it('refuses a name that is taken or not there, a file of unknown skill, and an environment that is not in it', async () => {
    const { folder } = await filled();
    const code = async (...argv: string[]) => (await cli(folder, ['curriculum', ...argv])).code;
    expect(await code('new', 'first steps')).toBe(3);
    expect(await code('show', 'second steps')).toBe(3);
    expect(await code('add', 'first steps', 'environments/clock_angle_env.py')).toBe(2);
    expect(await code('remove', 'first steps', '9')).toBe(2);
    expect(await code('dance')).toBe(2);
    expect((await cli(folder, ['curriculum', 'list'])).out).toContain('first steps: 3 environments');
  });
});
