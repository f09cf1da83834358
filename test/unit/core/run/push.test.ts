import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock, FileStore } from '../../../../src/core/ports';
import { RunMemory, type PushRequest } from '../../../../src/core/run/push';
import { locateRun } from '../../../../src/core/run/runFolder';
import { memoryText, recordText } from '../../../../src/core/memory/writeMemory';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { LIVE, makeRun, STOPPED } from '../../../helpers/runFolder';
import { tempFolder } from '../../../helpers/tempFolder';

const clock: Clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
let ids = 0;

const request = (name: string, rate = 0.5): PushRequest => ({
  record: { game_file: `${name}.py`, skill: 'Optimization', code: `# ${name}\n`, actor_win_rate: rate, regret: 0.25, rollout_id: 1 }, provenance: { plays: 32 },
});
const old = (count: number): string => memoryText(Array.from({ length: count }, (_, index) =>
  recordText({ game_file: `old${index}.py`, skill: 'Optimization', code: `old ${index}`, actor_win_rate: 0.5, regret: index / 1000 })));

async function open(dir: string, workspace: string, files: FileStore = new NodeFileStore(), create = false): Promise<RunMemory> {
  return new RunMemory({ files, clock, workspace, newId: () => `id${(ids += 1)}` }, await locateRun(files, dir, create));
}

/** The game files of a memory as Python reads them, with the keys that the run's records have and no others. */
function pythonReads(path: string): string[] {
  const script = `
import json, sys
from dataclasses import dataclass
@dataclass
class Record:
    game_file: str
    skill: str
    code_snippet: str
    actor_win_rate: float
    regret: float = 0.0
    rollout_id: int = 0
    metadata: dict = None
print(json.dumps([Record(**r).game_file for r in json.load(open(sys.argv[1]))]))`;
  return JSON.parse(execFileSync('python3', ['-c', script, path]).toString()) as string[];
}

describe('a push to a stopped run', () => {
  it('is written, read by Python, kept in the ledger, with a backup outside of the run', async () => {
    const [dir, workspace] = [makeRun(tempFolder(), { ages: STOPPED, memory: old(3) }), tempFolder()];
    const memory = await open(dir, workspace);
    const before = readFileSync(memory.run.memoryFile, 'utf8');
    const { state, backup } = await memory.push(request('a'));
    expect(state).toBe('written');
    expect(pythonReads(memory.run.memoryFile)).toEqual(['old0.py', 'old1.py', 'old2.py', 'a.py']);
    expect(readFileSync(backup ?? '', 'utf8')).toBe(before);
    expect(backup?.startsWith(workspace)).toBe(true);
    expect(readdirSync(memory.run.cacheDir).filter((name) => !name.startsWith('step_'))).toEqual(['env_memory.json']);
    expect((await memory.sync()).pushes.map((push) => push.state)).toEqual(['written']);
  });

  it('keeps the file\'s mode and is still stopped for the next push', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: old(1) });
    const memory = await open(dir, tempFolder());
    const mode = statSync(memory.run.memoryFile).mode;
    await memory.push(request('a'));
    expect((await memory.push(request('b'))).state).toBe('written');
    expect(statSync(memory.run.memoryFile).mode).toBe(mode);
  });

  it('with warnings is refused and changes nothing, unless it is forced', async () => {
    const [dir, workspace] = [makeRun(tempFolder(), { ages: STOPPED, memory: old(1) }), tempFolder()];
    const memory = await open(dir, workspace);
    expect((await memory.push(request('a', 0.12))).state).toBe('refused');
    expect(readFileSync(memory.run.memoryFile, 'utf8')).toBe(old(1));
    expect(existsSync(join(workspace, '.envwright'))).toBe(false);
    expect((await memory.push(request('a', 0.12), { force: true })).state).toBe('written');
  });

  it('into a torn file is refused, and the file stays as it was', async () => {
    for (const torn of ['', '[{"game_file": "a"', `${old(2).slice(0, -3)}`]) {
      const memory = await open(makeRun(tempFolder(), { ages: STOPPED, memory: torn }), tempFolder());
      await expect(memory.push(request('a'), { force: true })).rejects.toMatchObject({ code: 'memory/torn' });
      expect(readFileSync(memory.run.memoryFile, 'utf8')).toBe(torn);
    }
  });

  it('into a file that is no UTF-8 is refused, and the file stays as it was', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: '[]' });
    const memory = await open(dir, tempFolder());
    const bytes = Buffer.from('[{"game_file": "\xe9"}]', 'latin1');
    writeFileSync(memory.run.memoryFile, bytes);
    await expect(memory.push(request('a'), { force: true })).rejects.toMatchObject({ code: 'files/not-utf-8' });
    expect(readFileSync(memory.run.memoryFile)).toEqual(bytes);
  });

  it('without a memory file needs to be told to make one', async () => {
    const memory = await open(makeRun(tempFolder(), { ages: STOPPED }), tempFolder());
    await expect(memory.push(request('a'))).rejects.toMatchObject({ code: 'run/no-memory' });
    expect((await memory.push(request('a'), { create: true })).state).toBe('written');
  });

  it('seeds a run that has not started', async () => {
    const dir = join(tempFolder(), 'new');
    const memory = await open(dir, tempFolder(), new NodeFileStore(), true);
    expect((await memory.push(request('a'), { create: true })).state).toBe('written');
    expect(pythonReads(join(dir, 'env_memory.json'))).toEqual(['a.py']);
  });
});

describe('a push to a live run', () => {
  it('waits in the queue and is written once the run has ended', async () => {
    const [dir, workspace] = [makeRun(tempFolder(), { ages: LIVE, memory: old(2) }), tempFolder()];
    const memory = await open(dir, workspace);
    expect((await memory.push(request('a'))).state).toBe('queued');
    expect(readFileSync(memory.run.memoryFile, 'utf8')).toBe(old(2));
    expect((await memory.sync()).pushes.map(({ state }) => state)).toEqual(['queued']);
    expect((await memory.sync({ ended: true })).pushes.map(({ state }) => state)).toEqual(['written']);
    expect(pythonReads(memory.run.memoryFile)).toEqual(['old0.py', 'old1.py', 'a.py']);
    expect((await memory.sync({ ended: true })).pushes).toHaveLength(1);
    expect(pythonReads(memory.run.memoryFile)).toHaveLength(3);
  });

  it('that was taken for stopped and overwrote the file gets it again', async () => {
    const memory = await open(makeRun(tempFolder(), { ages: STOPPED, memory: old(2) }), tempFolder());
    await memory.push(request('a'));
    writeFileSync(memory.run.memoryFile, old(2));
    const { pushes } = await memory.sync({ ended: true });
    expect(pushes.map(({ state }) => state)).toEqual(['written']);
    expect(pythonReads(memory.run.memoryFile)).toEqual(['old0.py', 'old1.py', 'a.py']);
  });

  it('a later save of the run that holds it shows it in memory, then evicted', async () => {
    const memory = await open(makeRun(tempFolder(), { ages: STOPPED, memory: old(2) }), tempFolder());
    await memory.push(request('a'), { settings: { capacity: 3, snippetChars: 2000, draws: { seeds: 2, negatives: 1 } } });
    const saved = JSON.parse(readFileSync(memory.run.memoryFile, 'utf8')) as unknown[];
    writeFileSync(memory.run.memoryFile, JSON.stringify([...saved.slice(1), { ...(saved[0] as object), game_file: 'later.py' }]));
    expect((await memory.sync({ ended: true })).pushes[0]?.state).toBe('written');
    mkdirSync(join(memory.run.cacheDir, 'step_00016'));
    expect((await memory.sync({ ended: true })).pushes[0]?.state).toBe('in-memory');
    writeFileSync(memory.run.memoryFile, old(3));
    expect((await memory.sync({ ended: true })).pushes[0]?.state).toBe('evicted');
  });
});

describe('taking back', () => {
  it('out of the queue, then out of the file, and never out of a live run', async () => {
    const [live, stopped] = [await open(makeRun(tempFolder(), { ages: LIVE, memory: old(1) }), tempFolder()), await open(makeRun(tempFolder(), { ages: STOPPED, memory: old(1) }), tempFolder())];
    await live.push(request('a'));
    expect((await live.remove('a.py')).state).toBe('cancelled');
    expect((await live.sync({ ended: true })).pushes[0]?.state).toBe('cancelled');
    expect((await live.remove('old0.py')).state).toBe('refused');
    await stopped.push(request('a'));
    expect((await stopped.remove('a.py')).state).toBe('removed');
    expect(readFileSync(stopped.run.memoryFile, 'utf8')).toBe(old(1));
    expect((await stopped.sync()).pushes[0]?.state).toBe('removed');
    expect((await stopped.remove('a.py')).state).toBe('not-found');
  });
});

describe('things that go wrong', () => {
  it('a full disk leaves the memory as it was, and the push is not applied later', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: old(2) });
    const workspace = tempFolder();
    const memoryFile = join(dir, 'spade_games_cache', 'env_memory.json');
    const full = new (class extends NodeFileStore {
      override replace(path: string, text: string): Promise<void> {
        return path === memoryFile ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })) : super.replace(path, text);
      }
    })();
    await expect((await open(dir, workspace, full)).push(request('a'))).rejects.toThrow('no space left');
    expect(readFileSync(memoryFile, 'utf8')).toBe(old(2));
    const memory = await open(dir, workspace);
    expect((await memory.sync()).pushes.map(({ state }) => state)).toEqual(['failed']);
    expect((await memory.push(request('b'))).state).toBe('written');
    expect(pythonReads(memoryFile)).toEqual(['old0.py', 'old1.py', 'b.py']);
  });

  it('a file that somebody else keeps writing is not written over', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: old(1) });
    const memoryFile = join(dir, 'spade_games_cache', 'env_memory.json');
    let writes = 0;
    const busy = new (class extends NodeFileStore {
      override async read(path: string): Promise<string | undefined> {
        const text = await super.read(path);
        if (path === memoryFile) writeFileSync(memoryFile, old((writes += 1)));
        return text;
      }
    })();
    await expect((await open(dir, tempFolder(), busy)).push(request('a'), { force: true, ended: true })).rejects.toMatchObject({ code: 'memory/changed-meanwhile' });
    expect(readFileSync(memoryFile, 'utf8')).toBe(old(writes));
  });

  it('a torn line in the ledger is left alone, and the rest still counts', async () => {
    const [dir, workspace] = [makeRun(tempFolder(), { ages: STOPPED, memory: old(1) }), tempFolder()];
    const memory = await open(dir, workspace);
    await memory.push(request('a'));
    const ledger = join(workspace, '.envwright', 'pushes.jsonl');
    writeFileSync(ledger, `${readFileSync(ledger, 'utf8')}{"v":1,"at":1,"id":"to`);
    await memory.push(request('b'));
    const { pushes, unreadable } = await memory.sync();
    expect(pushes.map(({ gameFile }) => gameFile)).toEqual(['a.py', 'b.py']);
    expect(unreadable).toBe(1);
    expect(readFileSync(ledger, 'utf8')).toContain('"id":"to\n');
  });
});

describe('writers at the same time', () => {
  it('lose nothing, double nothing and keep each writer\'s order', async () => {
    const dir = makeRun(tempFolder(), { ages: STOPPED, memory: old(1) });
    const writers = await Promise.all(['w', 'x', 'y', 'z'].map(async (name) => ({ name, memory: await open(dir, tempFolder()) })));
    const each = 15;
    await Promise.all(writers.map(async ({ name, memory }) => {
      for (let index = 0; index < each; index += 1) await memory.push(request(`${name}${index}`), { ended: true, force: true });
    }));
    const files = pythonReads(join(dir, 'spade_games_cache', 'env_memory.json'));
    expect(files).toHaveLength(1 + 4 * each);
    for (const { name } of writers) {
      expect(files.filter((file) => file.startsWith(name))).toEqual(Array.from({ length: each }, (_, index) => `${name}${index}.py`));
    }
  });
});
