import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SandboxError } from '../../../../src/core/sandboxError';
import { StepResult, type ProbePlan } from '../../../../src/shared/hostProtocol';
import { plainEnd } from '../../../../src/node/sandbox/limits';
import { fakeSession, resetResult, text } from './fakeChannel';

const failure = (promise: Promise<unknown>): Promise<SandboxError> => promise.then(() => expect.fail('it should have failed'), (error: SandboxError) => error);
const plan: ProbePlan = {
  runs: [{
    id: 'a', thread: 'worker', goOn: false, ops: [
      { op: 'construct', on: 0, construction: 'validate', maxTurns: null },
      { op: 'steps', on: 0, actions: [{ text: 'one', boxed: true }, { text: 'two', boxed: false }], count: 3, stopAtEnd: true, trace: false },
    ],
  }],
};
const yes = { type: 'bool', repr: 'True', number: 1, json: true };
const no = { type: 'bool', repr: 'False', number: 0, json: false };
const solution = { kind: 'solution', value: { type: 'str', repr: "'x'" }, text: { type: 'str', text: 'x', length: 1, cut: false } };

describe('a session', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('numbers its calls and makes them one after the other', async () => {
    const { channel, session } = fakeSession();
    const first = session.reset(1);
    const second = session.reset(2);
    const third = session.reset(3);
    expect(channel.sent.map(({ seed }) => seed)).toEqual([1]);
    for (const id of [1, 2, 3]) {
      channel.reply({ id, ok: true, result: resetResult });
      await vi.advanceTimersByTimeAsync(0);
    }
    await Promise.all([first, second, third]);
    expect(channel.sent.map(({ id, seed }) => [id, seed])).toEqual([[1, 1], [2, 2], [3, 3]]);
  });

  it('goes on after an error of the environment, which carries the traceback', async () => {
    const { channel, session } = fakeSession();
    channel.answer = ({ id }) => channel.reply({ id, ok: false, error: { code: 'raised', type: 'KeyError', message: 'k', traceback: [] } });
    const error = await failure(session.reset(1));
    expect([error.code, error.raised?.type, error.end]).toEqual(['sandbox/raised', 'KeyError', null]);
    channel.answer = ({ id }) => channel.reply({ id, ok: true, result: resetResult });
    await expect(session.reset(1)).resolves.toMatchObject({ kind: 'reset' });
  });

  it('tells a step that crossed in short as one that crossed in full', async () => {
    const { channel, session } = fakeSession();
    const answers: [unknown, unknown][] = [
      [['No.', '0.5', '-', 0.1], { observation: text('No.'), reward: { type: 'float', repr: '0.5', number: 0.5, json: 0.5 }, terminated: no, truncated: no, info: { type: 'dict', repr: '{}', json: {} } }],
      [['', '-2', 't', 0.1], { observation: text(''), reward: { type: 'int', repr: '-2', number: -2, json: -2 }, terminated: yes, truncated: no }],
      [['x', '1e-05', 'b', 0.1, { type: 'list', repr: '[]', json: [] }], { reward: { type: 'float', repr: '1e-05', number: 1e-5, json: 1e-5 }, terminated: yes, truncated: yes, info: { type: 'list', repr: '[]', json: [] } }],
    ];
    for (const [short, full] of answers) {
      channel.answer = ({ id }) => channel.reply({ id, ok: true, result: short });
      const result = await session.step('go');
      expect(result).toMatchObject({ kind: 'step', action: 'go', shape: null, ms: 0.1, ...(full as object) });
      expect(StepResult.parse(result)).toEqual(result);
    }
    for (const wrong of [['No.', 'nan', '-', 0.1], ['No.', '0.5', 'z', 0.1], ['No.', '0.5', '-'], []]) {
      const other = fakeSession();
      other.channel.answer = ({ id }) => other.channel.reply({ id, ok: true, result: wrong });
      expect((await failure(other.session.step('go'))).end?.reason).toBe('crashed');
    }
  });

  it('is ended when a call takes longer than its limit, which the end names', async () => {
    for (const [op, limit] of [['reset', 'sandbox.callSeconds'], ['load', 'sandbox.loadSeconds']] as const) {
      const { channel, session } = fakeSession({ callMs: 100, loadMs: 500 });
      const failed = failure(op === 'reset' ? session.reset(1) : session.load({ source: '', file: 'a.py', construction: 'play', maxTurns: null, thread: 'worker' }));
      await vi.advanceTimersByTimeAsync(op === 'reset' ? 99 : 499);
      expect(channel.killed).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      const error = await failed;
      expect([error.code, error.end?.limit]).toEqual(['sandbox/wall-time', limit]);
      await expect(session.ended).resolves.toMatchObject({ reason: 'wall-time' });
      await expect(session.reset(1)).rejects.toMatchObject({ code: 'sandbox/wall-time' });
    }
  });

  it('is ended when it prints too much, and nothing beyond the limit is passed on', async () => {
    const { channel, session, log } = fakeSession({ outputBytes: 10 });
    channel.reply({ id: 1, event: 'log', text: '12345678' });
    channel.reply({ id: 1, event: 'log', text: 'äää' });
    await expect(session.ended).resolves.toMatchObject({ reason: 'output', limit: 'sandbox.outputMegabytes' });
    expect(log).toEqual(['12345678']);
  });

  it('is ended by frames and replies that are not of the protocol', async () => {
    for (const frame of [null, 7, { id: 1 }, { id: 1, event: 'dance' }, { id: 1, ok: true, result: { kind: 'reset' } }]) {
      const { channel, session } = fakeSession();
      channel.answer = () => channel.reply(frame as object);
      const error = await failure(session.reset(1));
      expect(error.end?.reason).toBe('crashed');
    }
  });

  it('refuses a request that is too long to send, and lives on', async () => {
    const { channel, session } = fakeSession();
    channel.answer = () => {
      throw new RangeError('a frame of 99 bytes is too long');
    };
    expect((await failure(session.reset(1))).raised?.code).toBe('bad-request');
    channel.answer = ({ id }) => channel.reply({ id, ok: true, result: resetResult });
    await expect(session.reset(1)).resolves.toMatchObject({ kind: 'reset' });
  });

  it('ignores a reply to a call that it did not make', async () => {
    const { channel, session } = fakeSession();
    channel.answer = ({ id }) => {
      channel.reply({ id: id + 1, ok: true, result: 'forged' });
      channel.reply({ id, ok: true, result: resetResult });
    };
    await expect(session.reset(1)).resolves.toMatchObject({ kind: 'reset' });
  });

  it('is killed by the signal of a call, which then rejects as cancelled', async () => {
    const { channel, session } = fakeSession();
    const controller = new AbortController();
    const call = session.reset(1, controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(channel.killed).toBe(1);
    await expect(fakeSession().session.reset(1, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('says the reason of this side when both sides have one', async () => {
    const { channel, session } = fakeSession();
    channel.kill = () => channel.listener.end(plainEnd('crashed', 'signal 9'));
    await session.close();
    await expect(session.ended).resolves.toMatchObject({ reason: 'closed' });
    session.kill();
    await session.close();
  });

  describe('with a plan', () => {
    const steps = (count: number) => [{ index: 1, results: Array.from({ length: count }, () => solution) }];

    it('puts the evidence together from progress and the end of the run', async () => {
      const { channel, session } = fakeSession();
      channel.answer = ({ id }) => {
        channel.reply({ id, event: 'progress', run: 'a', next: 0, ops: [] });
        channel.reply({ id, event: 'progress', run: 'a', next: 1, ops: [{ index: 0, results: [solution] }] });
        channel.reply({ id, event: 'progress', run: 'a', next: 1, ops: steps(1) });
        const effects = { printed: 1, printLines: [1], audits: [], globalChanges: [] };
        channel.reply({ id, event: 'runs', runs: [{ id: 'a', ops: steps(2), effects }] });
        channel.reply({ id, ok: true, result: null });
      };
      const outcome = await session.plan('', 'a.py', plan);
      expect(outcome.end).toBeNull();
      expect(outcome.runs).toHaveLength(1);
      expect(outcome.runs[0]).toMatchObject({ complete: true, effects: { printed: 1 } });
      expect(outcome.runs[0]!.ops.map(({ index, results }) => [index, results.length])).toEqual([[0, 1], [1, 3]]);
    });

    it('puts in what was told by number, with its own time and the planned action', async () => {
      const { channel, session } = fakeSession();
      const plain = { kind: 'plain', step: ['no', '-0.5', 't', 0] };
      channel.answer = ({ id }) => {
        channel.reply({ id, event: 'progress', run: 'a', next: 1, told: [solution, resetResult, plain], ops: [{ index: 0, results: [0, [1, 2500]] }] });
        channel.reply({ id, event: 'runs', told: [{ kind: 'plain', step: ['no', '-0.5', '-', 0] }], runs: [{ id: 'a', ops: [{ index: 1, results: [{ kind: 'steps', told: [3, 2], us: [40, 1000] }] }] }] });
        channel.reply({ id, ok: true, result: null });
      };
      const { runs } = await session.plan('', 'a.py', plan);
      const [first, second] = runs[0]!.ops;
      expect(first!.results).toEqual([solution, { ...resetResult, ms: 2.5 }]);
      expect(second!.results).toMatchObject([
        { kind: 'step', action: '\\boxed{one}', observation: { text: 'no' }, reward: { type: 'float', number: -0.5 }, terminated: { json: false }, info: { repr: '{}' }, ms: 0.04 },
        { kind: 'step', action: 'two', terminated: { json: true }, truncated: { json: false }, ms: 1 },
      ]);
    });

    it('takes a number that was never told, or one of another kind, for a breach of the protocol', async () => {
      for (const results of [[7], [[7, 1]], [0], [{ kind: 'steps', told: [1], us: [1] }]]) {
        const { channel, session } = fakeSession();
        const plain = { kind: 'plain', step: ['no', '0', '-', 0] };
        channel.answer = ({ id }) => channel.reply({ id, event: 'runs', told: [plain, solution], runs: [{ id: 'a', ops: [{ index: 0, results }] }] });
        await expect(session.plan('', 'a.py', plan)).resolves.toMatchObject({ end: { reason: 'crashed' } });
      }
    });

    it('takes results that are malformed for a breach of the protocol, and what may lie beside them for none', async () => {
      const wellFormed = [[solution], [0], [[1, 5]], [{ kind: 'steps', told: [], us: [] }], [{ ...solution, more: 1 }], []];
      const malformed = [
        [0.5], ['0'], [null], [true], [[1]], [[1, 2, 3]], [[1, '2']], [{}], [{ kind: 'steps', told: [0] }], [{ kind: 'steps', told: [0.5], us: [1] }],
        [{ kind: 'steps', told: '', us: [] }], [{ kind: 'solution' }], [{ kind: 'plain', step: ['no', '0', '-', 0] }], 0, null, { length: 0 },
      ];
      const endWith = async (ops: unknown): Promise<unknown> => {
        const { channel, session } = fakeSession();
        channel.answer = ({ id }) => {
          channel.reply({ id, event: 'runs', told: [solution, resetResult], runs: [{ id: 'a', ops }] });
          channel.reply({ id, ok: true, result: null });
        };
        return (await session.plan('', 'a.py', plan)).end?.reason ?? null;
      };
      for (const results of wellFormed) expect(await endWith([{ index: 0, results }])).toBeNull();
      for (const results of malformed) expect([results, await endWith([{ index: 0, results }])]).toEqual([results, 'crashed']);
      for (const ops of [null, 0, {}, [null], [[0, []]], [{ results: [] }], [{ index: 0.5, results: [] }], [{ index: '0', results: [] }]]) expect(await endWith(ops)).toBe('crashed');
    });

    it('gives each call its own time, and names the call that did not come back with all that came before', async () => {
      const { channel, session } = fakeSession({ callMs: 100, loadMs: 500 });
      const outcome = session.plan('', 'a.py', plan);
      const { id } = channel.sent[0]!;
      channel.reply({ id, event: 'progress', run: 'a', next: 0, ops: [] });
      await vi.advanceTimersByTimeAsync(450);
      channel.reply({ id, event: 'progress', run: 'a', next: 1, ops: [{ index: 0, results: [solution] }] });
      await vi.advanceTimersByTimeAsync(90);
      const effects = { printed: 3, printLines: [2], audits: [], globalChanges: [] };
      channel.reply({ id, event: 'progress', run: 'a', next: 1, ops: steps(1), effects });
      await vi.advanceTimersByTimeAsync(90);
      expect(channel.killed).toBe(0);
      await vi.advanceTimersByTimeAsync(10);
      const { runs, end } = await outcome;
      expect(end).toMatchObject({ reason: 'wall-time', limit: 'sandbox.callSeconds', run: 'a', op: 1, action: 'two' });
      expect(runs).toEqual([{ id: 'a', ops: [{ index: 0, results: [solution] }, { index: 1, results: [solution] }], effects, complete: false }]);
    });

    it('names the run that comes when the session ends between two, and words a boxed action as it is sent', async () => {
      const { channel, session } = fakeSession();
      const before = session.plan('', 'a.py', plan);
      channel.listener.end(plainEnd('host-died', ''));
      await expect(before).resolves.toMatchObject({ runs: [], end: { run: 'a', op: 0, action: null } });
      const other = fakeSession();
      const during = other.session.plan('', 'a.py', plan);
      other.channel.reply({ id: 1, event: 'progress', run: 'a', next: 1, ops: [] });
      other.channel.listener.end(plainEnd('host-died', ''));
      await expect(during).resolves.toMatchObject({ end: { reason: 'host-died', action: '\\boxed{one}' } });
    });

    it('rejects when the file does not compile', async () => {
      const { channel, session } = fakeSession();
      channel.answer = ({ id }) => channel.reply({ id, ok: false, error: { code: 'syntax', type: 'SyntaxError', message: 'm', traceback: [], line: 3 } });
      expect((await failure(session.plan('', 'a.py', plan))).raised?.line).toBe(3);
    });
  });
});
