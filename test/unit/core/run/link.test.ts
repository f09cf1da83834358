import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMemory } from '../../../../src/core/memory/readMemory';
import { memoryText, recordText } from '../../../../src/core/memory/writeMemory';
import { isBeating } from '../../../../src/core/run/linkFolder';
import { RunMemory, type PushRequest } from '../../../../src/core/run/push';
import { locateRun } from '../../../../src/core/run/runFolder';
import { bufferWarnings, launchOfHeartbeat, runSettings } from '../../../../src/core/run/runSettings';
import { systemClock } from '../../../../src/node/clock';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { Heartbeat, InboxFile } from '../../../../src/shared/link';
import { makeRun, LIVE } from '../../../helpers/runFolder';
import { tempFolder } from '../../../helpers/tempFolder';

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'fakes', 'rollouts.py');
const request = (name: string, metadata: Record<string, string> = {}): PushRequest => ({
  record: { game_file: `${name}.py`, skill: 'Optimization', code: `# ${name} é\n`, actor_win_rate: 0.5, regret: 0.9, rollout_id: 1, metadata }, provenance: { plays: 32 },
});

/** A linked run that has made its first rollouts, and what pushes to it from here. */
class Linked {
  readonly dir = makeRun(tempFolder(), { ages: [] });
  readonly cache = join(this.dir, 'spade_games_cache');
  readonly workspace = tempFolder();
  private ids = 0;

  constructor(private readonly size = 200) {
    this.rollouts(0, 1);
  }

  rollouts(first: number, last: number): void {
    execFileSync('python3', ['-B', SCRIPT, this.cache, String(this.size), String(first), String(last)]);
  }

  async memory(): Promise<RunMemory> {
    const files = new NodeFileStore();
    return new RunMemory({ files, clock: systemClock, workspace: this.workspace, newId: () => `p${(this.ids += 1)}` }, await locateRun(files, this.dir));
  }

  in(folder: string): string[] {
    return readdirSync(join(this.cache, 'envwright', folder)).sort();
  }

  saved(): (string | null)[] {
    return readMemory(readFileSync(join(this.cache, 'env_memory.json'), 'utf8')).entries.map(({ gameFile }) => gameFile);
  }

  async states(): Promise<string[]> {
    return (await (await this.memory()).sync()).pushes.map(({ state }) => state);
  }
}

const settings = (capacity: number) => ({ settings: { capacity, snippetChars: 2000, draws: { seeds: 2, negatives: 1 } } });

describe('a push to a live run with the link module', () => {
  it('goes through the inbox: queued, claimed, in memory, drawn, evicted', async () => {
    const linked = new Linked(3);
    const memory = await linked.memory();
    expect((await memory.liveness()).state).toBe('live');
    expect((await memory.push(request('a', { note: 'ü' }), settings(3))).state).toBe('queued');
    const [name = ''] = linked.in('inbox');
    expect(name).toMatch(/^\d{20}-p1\.json$/);
    const text = readFileSync(join(linked.cache, 'envwright', 'inbox', name), 'utf8');
    expect(InboxFile.parse(JSON.parse(text))).toMatchObject({ action: 'add', record: { game_code: '# a é\n', metadata: { note: 'ü', envwright: { push: 'p1' } } } });
    expect(await linked.states()).toEqual(['queued']);

    linked.rollouts(3, 3); // Loads the file; the buffer is there from the next rollout on.
    renameSync(join(linked.cache, 'envwright', 'inbox', name), join(linked.cache, 'envwright', 'claimed', name));
    expect(await linked.states()).toEqual(['claimed']);
    linked.rollouts(3, 5); // Takes it at 4, draws it there and saves.
    expect(linked.saved()).toContain('a.py');
    expect(linked.in('done')).toEqual([name]);
    const drawn = (await memory.sync()).pushes[0];
    expect(drawn).toMatchObject({ state: 'drawn', note: 'as seed in rollout 4' });
    linked.rollouts(6, 10);
    expect(linked.saved()).not.toContain('a.py');
    expect(await linked.states()).toEqual(['evicted']);
  });

  it('is in memory once the link says so, and confirmed by a save of the run', async () => {
    const linked = new Linked();
    const memory = await linked.memory();
    await memory.push({ ...request('a'), record: { ...request('a').record, regret: -1 } }, { force: true });
    linked.rollouts(2, 3);
    const [push] = (await memory.sync()).pushes;
    expect(push).toMatchObject({ state: 'in-memory', note: 'since rollout 3; the run has not saved it yet' });
    expect(linked.saved()).not.toContain('a.py');
    linked.rollouts(3, 4);
    expect((await memory.sync()).pushes[0]?.state).toMatch(/in-memory|drawn/);
    expect(linked.saved().filter((file) => file === 'a.py')).toHaveLength(1);
    expect(Object.keys((JSON.parse(readFileSync(join(linked.cache, 'env_memory.json'), 'utf8')) as object[]).at(-1) ?? {}).sort()).toEqual(
      ['actor_win_rate', 'code_snippet', 'game_file', 'metadata', 'regret', 'rollout_id', 'skill'],
    );
  });

  it('can be taken out of the inbox before it is claimed, and out of the buffer after', async () => {
    const linked = new Linked();
    const memory = await linked.memory();
    await memory.push(request('a'));
    expect((await memory.remove('a.py')).state).toBe('cancelled');
    expect(linked.in('inbox')).toEqual([]);
    await memory.push(request('b'));
    linked.rollouts(2, 4);
    expect(linked.saved()).toContain('b.py');
    expect((await memory.remove('b.py')).state).toBe('asked');
    linked.rollouts(5, 8);
    expect(linked.saved()).not.toContain('b.py');
    expect(await linked.states()).toEqual(['cancelled', 'removed']);
  });

  it('that the link module refuses has failed, with the reason', async () => {
    const linked = new Linked();
    const memory = await linked.memory();
    await memory.push(request('a'));
    const [name = ''] = linked.in('inbox');
    writeFileSync(join(linked.cache, 'envwright', 'inbox', name), '{');
    linked.rollouts(2, 3);
    expect((await memory.sync()).pushes[0]).toMatchObject({ state: 'failed', note: expect.stringMatching(/^not JSON/) as string });
  });

  it('that waited when the link module came goes into its inbox, before the next one', async () => {
    const linked = new Linked();
    const heartbeat = join(linked.cache, 'envwright', 'heartbeat.json');
    const word = readFileSync(heartbeat, 'utf8');
    renameSync(heartbeat, `${heartbeat}.away`);
    mkdirSync(join(linked.cache, 'step_00000'));
    const memory = await linked.memory();
    expect((await memory.push(request('a'))).state).toBe('queued');
    expect(linked.in('inbox')).toEqual([]);
    writeFileSync(heartbeat, word);
    await memory.push(request('b'));
    expect(linked.in('inbox').map((name) => name.slice(21))).toEqual(['p1.json', 'p2.json']);
  });

  it('that the run never saved is written into the file when the run has ended', async () => {
    const linked = new Linked();
    const memory = await linked.memory();
    await memory.push(request('a'));
    linked.rollouts(3, 3);
    await memory.push(request('b'));
    linked.rollouts(5, 5);
    renameSync(join(linked.cache, 'envwright', 'inbox', linked.in('inbox')[0] ?? ''), join(linked.cache, 'envwright', 'claimed', linked.in('inbox')[0] ?? ''));
    expect((await memory.sync({ ended: true })).pushes.map(({ state }) => state)).toEqual(['written', 'written']);
    expect([linked.in('inbox'), linked.in('claimed')]).toEqual([[], []]);
    expect(linked.saved().slice(-2)).toEqual(['a.py', 'b.py']);
    expect((await memory.sync({ ended: true })).pushes).toHaveLength(2);
    linked.rollouts(6, 8);
    expect(linked.saved().filter((file) => file === 'a.py' || file === 'b.py')).toEqual(['a.py', 'b.py']);
  });

  it('that a restart with an older memory had lost is handed over again', async () => {
    const linked = new Linked();
    const memory = await linked.memory();
    const older = readFileSync(join(linked.cache, 'env_memory.json'), 'utf8');
    await memory.push(request('a'));
    linked.rollouts(2, 4);
    writeFileSync(join(linked.cache, 'env_memory.json'), older);
    expect(await linked.states()).toEqual(['queued']);
    linked.rollouts(5, 8);
    expect(linked.saved().filter((file) => file === 'a.py')).toHaveLength(1);
    expect(await linked.states()).toEqual(['drawn']);
  });
});

describe('the word of the link module', () => {
  const heartbeat = (at: number, every: number | null): Heartbeat => ({ version: 1, link: '0', pid: 1, rollout: 1, interval: 4, memorySize: null, at, calls: 2, every });

  it('is believed for as long as the run\'s own pace allows', () => {
    const now = 1e12;
    const ago = (minutes: number) => now / 1000 - minutes * 60;
    expect([5, 20].map((minutes) => isBeating(heartbeat(ago(minutes), 60), now))).toEqual([true, false]);
    expect([50, 70].map((minutes) => isBeating(heartbeat(ago(minutes), 1200), now))).toEqual([true, false]);
    expect([50, 70].map((minutes) => isBeating(heartbeat(ago(minutes), null), now))).toEqual([true, false]);
  });

  it('tells how the run was started, and that it uses no memory', () => {
    const linked = new Linked();
    const word = Heartbeat.parse(JSON.parse(readFileSync(join(linked.cache, 'envwright', 'heartbeat.json'), 'utf8')));
    const launch = launchOfHeartbeat(word);
    expect(launch && runSettings(launch)).toMatchObject({ backend: 'slime', memory: { used: true }, interval: 2, batchSize: 24, namesLink: true });
    expect(bufferWarnings(word)).toEqual([]);
    expect(bufferWarnings(heartbeat(0, 1)).map(({ id }) => id)).toEqual(['memory-off']);
  });

  it('that cannot be read counts as none: the push waits, and nothing is put into the inbox', async () => {
    const dir = makeRun(tempFolder(), { ages: LIVE, memory: memoryText([recordText(request('old').record)]) });
    const folder = join(dir, 'spade_games_cache', 'envwright');
    mkdirSync(folder);
    writeFileSync(join(folder, 'heartbeat.json'), '{"version": 1');
    const files = new NodeFileStore();
    const memory = new RunMemory({ files, clock: systemClock, workspace: tempFolder(), newId: () => 'x' }, await locateRun(files, dir));
    expect(await memory.push(request('a'))).toMatchObject({ state: 'queued', why: { template: expect.stringContaining('would overwrite the file') as string } });
    expect(existsSync(join(folder, 'inbox'))).toBe(false);
  });
});
