import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArmsOptions } from '../../../../src/core/play/arms';
import { compareSessions } from '../../../../src/core/play/compare';
import { oraclePolicy, scriptPolicy } from '../../../../src/core/play/policies/fixed';
import { SessionRecorder } from '../../../../src/core/play/recorder';
import { replayable, replayPolicy } from '../../../../src/core/play/replay';
import { SessionFiles, SessionWriter } from '../../../../src/core/play/sessionFiles';
import { episodesOf, missingOf, reportOfSession, SessionReader } from '../../../../src/core/play/sessionRecord';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { hastyClock } from '../../../fakes/clocks';
import { scriptedSandbox, type FakeEnvironment } from '../../../fakes/scriptedSandbox';
import { savedSession } from '../../../helpers/sessions';
import { tempFolder } from '../../../helpers/tempFolder';

/** Says its seed; pays `pays` for it, and ends. */
const echo = (pays: (seed: number) => number = () => 1) => (): FakeEnvironment => {
  let answer = 0;
  return {
    reset: (seed) => { answer = seed ?? 0; return `say ${answer}`; },
    step: (action) => (action.includes(`\\boxed{${answer}}`) ? ['yes', pays(answer), true, false] : ['no', 0, false, true]),
    solution: () => String(answer),
  };
};

const options = (over: Partial<ArmsOptions> = {}): ArmsOptions => ({
  file: { name: 'env.py', source: 'text' }, sandbox: scriptedSandbox(echo()), policy: oraclePolicy(), hint: 'say the seed', mode: 'paired',
  seeds: [0, 1, 2], plays: 1, clock: hastyClock(), ...over,
});

function fresh(): { files: SessionFiles; folder: string } {
  const workspace = tempFolder();
  return { files: new SessionFiles(new NodeFileStore(), workspace), folder: join(workspace, '.envwright', 'plays') };
}

describe('a saved session', () => {
  it('is read back as it was played, with the report its plays gave', async () => {
    const { files } = fresh();
    const session = await savedSession(files, options());
    expect(episodesOf(session, 'hint').map(({ ref, episode }) => [ref.seed, episode.return])).toEqual([[0, 1], [1, 1], [2, 1]]);
    expect(session).toMatchObject({ damaged: [], loaded: { toolUse: false, tools: [] }, elapsedMs: 5, header: { source: 'text' } });
    expect(missingOf(session)).toEqual([]);
    expect(reportOfSession(session)).toMatchObject({ policy: 'oracle', paired: { regret: 0, pairs: 3 }, arms: { noHint: { mean: 1 } } });
  });

  it('names a damaged line and uses the rest', async () => {
    const { files, folder } = fresh();
    const { header } = await savedSession(files, options());
    const path = join(folder, `${header.id}.jsonl`);
    const lines = readFileSync(path, 'utf8').split('\n');
    const broken = lines.findIndex((line) => line.includes('"type":"episode"'));
    lines[broken] = lines[broken]!.slice(0, 40);
    writeFileSync(path, lines.join('\n'));
    appendFileSync(path, '{"v":9,"type":"episode"}\n');
    const session = await files.read(header.id);
    expect(session.damaged.map(({ line }) => line)).toEqual([broken + 1, lines.length]);
    expect(session.damaged.map(({ why }) => why)).toEqual([expect.stringContaining('torn'), expect.stringContaining('newer')]);
    expect(session.episodes.size).toBe(5);
    expect(missingOf(session)).toHaveLength(1);
    expect((await files.list()).sessions).toMatchObject([{ damagedLines: 2, missing: 1 }]);
  });

  it('goes on after a line that was torn by a crash', async () => {
    const { files, folder } = fresh();
    const { header } = await savedSession(files, options());
    appendFileSync(join(folder, `${header.id}.jsonl`), '{"v":1,"type":"epi');
    await files.writer(header.id).end(1, 7);
    const session = await files.read(header.id);
    expect(session.damaged).toHaveLength(1);
    expect(session.elapsedMs).toBe(12);
  });

  it('that says nothing of what was played is named, and left as it is', async () => {
    const { files, folder } = fresh();
    await savedSession(files, options());
    writeFileSync(join(folder, 'other.jsonl'), 'no session\n');
    const { sessions, unreadable } = await files.list();
    expect(sessions).toHaveLength(1);
    expect(unreadable).toHaveLength(1);
    expect(unreadable[0]?.why).toContain('first line');
    expect(readFileSync(join(folder, 'other.jsonl'), 'utf8')).toBe('no session\n');
    await expect(files.read('gone')).rejects.toMatchObject({ code: 'records/no-session' });
  });

  it('never lies outside of its folder, whatever its name', async () => {
    const { files, folder } = fresh();
    await savedSession(files, options());
    writeFileSync(join(folder, '..', 'other.jsonl'), 'mine');
    await expect(files.remove('../other')).rejects.toMatchObject({ code: 'records/no-session' });
    expect(readFileSync(join(folder, '..', 'other.jsonl'), 'utf8')).toBe('mine');
  });

  it('is deleted as a whole', async () => {
    const { files, folder } = fresh();
    const { header } = await savedSession(files, options());
    await files.remove(header.id);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('whose disk fails is told once, and the plays go on', async () => {
    const failures: unknown[] = [];
    const disk = { append: () => Promise.reject(new Error('full')) } as unknown as NodeFileStore;
    const recorder = new SessionRecorder(new SessionWriter(disk, 'x'), (error) => failures.push(error));
    recorder.plan({ order: [], slots: 0 });
    await recorder.end(0, 0);
    await recorder.end(0, 0);
    expect(failures).toHaveLength(1);
  });

  it('survives any cut of its text: what is whole is read, and nothing throws', async () => {
    const { files, folder } = fresh();
    const { header } = await savedSession(files, options());
    const text = readFileSync(join(folder, `${header.id}.jsonl`), 'utf8');
    fc.assert(fc.property(fc.integer({ min: 0, max: text.length }), (cut) => {
      const reader = new SessionReader();
      const whole = text.slice(0, cut).split('\n');
      for (const line of whole) reader.add(line);
      const session = reader.session();
      const ended = whole.slice(0, -1).filter((line) => line.includes('"type":"episode"')).length;
      expect(session === null || session.episodes.size === ended || session.episodes.size === ended + 1).toBe(true);
    }), { numRuns: 60 });
  });
});

describe('a replay after an edit', () => {
  it('of the same text changes nothing', async () => {
    const { files } = fresh();
    const before = await savedSession(files, options());
    const after = await savedSession(files, options({ policy: replayPolicy(before) }), { kind: 'replay', of: before.header.id });
    expect(compareSessions(before, after)).toMatchObject({ compared: 6, changes: [], arms: [{ difference: { value: 0, paired: true } }, {}] });
  });

  it('lists the outcomes that flipped, with the step, before those that only paid otherwise', async () => {
    const { files } = fresh();
    const before = await savedSession(files, options({ hint: null }));
    const edited = scriptedSandbox(echo((seed) => (seed === 0 ? 0.5 : seed === 2 ? 0 : 1)));
    const after = await savedSession(files, options({ hint: null, sandbox: edited, file: { name: 'env.py', source: 'edited' }, policy: replayPolicy(before) }), { kind: 'replay', of: before.header.id });
    const { changes, differences } = compareSessions(before, after);
    expect(changes).toMatchObject([{ kind: 'flipped', seed: 2, step: 1, before: { return: 1 }, after: { return: 0 } }, { kind: 'return', seed: 0, after: { return: 0.5 } }]);
    expect(differences.map(({ template }) => template)).toContain('The file was edited between them.');
  });

  it('does not call it a change when a failed policy’s actions run out', async () => {
    const { files } = fresh();
    const before = await savedSession(files, options({ hint: null, seeds: [0], policy: scriptPolicy([]) }));
    expect(before.episodes.values().next().value?.episode.status).toBe('turn-limit');
    expect(replayable(before)).toEqual([]);
    const after = await savedSession(files, options({ hint: null, seeds: [0], policy: replayPolicy(before) }), { kind: 'replay', of: before.header.id });
    expect(compareSessions(before, after).changes).toEqual([]);
  });
});

describe('two sessions side by side', () => {
  it('give the difference of an arm over the same instances, with its interval', async () => {
    const { files } = fresh();
    const lost = await savedSession(files, options({ hint: null, seeds: [0, 1, 2, 3], policy: scriptPolicy(['\\boxed{no}']) }));
    const won = await savedSession(files, options({ hint: null, seeds: [0, 1, 2, 3] }));
    const { arms, changes, differences } = compareSessions(lost, won);
    expect(arms).toMatchObject([{ arm: 'noHint', difference: { value: 1, n: 4, paired: true, interval: { method: 'newcombe-paired' } } }]);
    expect(changes.map(({ kind }) => kind)).toEqual(['flipped', 'flipped', 'flipped', 'flipped']);
    expect(differences.map(({ template }) => template)).toContain('Played by {before}, then by {after}.');
  });

  it('on other seeds are compared as independent', async () => {
    const { files } = fresh();
    const one = await savedSession(files, options({ hint: null, seeds: [0, 1] }));
    const other = await savedSession(files, options({ hint: null, seeds: [7, 8] }));
    expect(compareSessions(one, other)).toMatchObject({ compared: 0, arms: [{ difference: { paired: false } }] });
  });
});
