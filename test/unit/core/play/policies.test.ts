import { describe, expect, it } from 'vitest';
import type { ChatRequest, ModelClient } from '../../../../src/core/ports';
import { CHEAT_PLAYS, cheatPolicy, GAME_CHEATS } from '../../../../src/core/play/policies/cheats';
import { humanPolicy, noopPolicy, oraclePolicy, scriptPolicy, takeOver } from '../../../../src/core/play/policies/fixed';
import { modelPolicy, playMessages } from '../../../../src/core/play/policies/model';
import { randomPolicy } from '../../../../src/core/play/policies/random';
import type { Move, Turn } from '../../../../src/core/play/policy';
import { parseSeeds } from '../../../../src/core/play/seeds';

const signal = new AbortController().signal;

function turn(over: Partial<Turn> = {}): Turn {
  return {
    setting: { arm: 'noHint', seed: 1, play: 0, toolUse: false, tools: [] }, past: [], shown: { kind: 'observation', text: 'Choose.' },
    solution: () => Promise.resolve('right'), rehearse: () => Promise.resolve(0), otherSolutions: () => Promise.resolve(['3', '5']),
    emit: () => undefined, waiting: () => undefined, ...over,
  };
}
const toolSetting: Turn['setting'] = { arm: 'noHint', seed: 1, play: 0, toolUse: true, tools: [{ type: 'function', function: { name: 'look', parameters: { properties: { n: { type: 'integer' } } } } }] };
const past = (...moves: Move[]): Turn['past'] => moves.map((move) => ({ shown: { kind: 'observation', text: 'o' }, move }));

describe('the oracle', () => {
  it('sends an answer in a box', async () => {
    expect(await oraclePolicy().move(turn(), signal)).toEqual({ reply: '\\boxed{right}' });
  });

  it('of several ways to read the solution takes the first that wins', async () => {
    const rehearse = (replies: readonly string[]) => Promise.resolve(replies.length === 2 ? 1 : 0);
    const asked = turn({ solution: () => Promise.resolve('north\nsouth'), rehearse });
    expect(await oraclePolicy().move(asked, signal)).toEqual({ reply: '\\boxed{north}' });
  });

  it('calls tools, then answers', async () => {
    const policy = oraclePolicy();
    const moves = past();
    const at = turn({ setting: toolSetting, past: moves, solution: () => Promise.resolve("1. look(n=3)\nANSWER: shed") });
    expect(await policy.move(at, signal)).toEqual({ reply: '', calls: [{ id: 'call_1', name: 'look', arguments: { n: 3 } }] });
    (moves as unknown[]).push(null);
    expect(await policy.move(at, signal)).toEqual({ reply: '<answer>shed</answer>' });
  });

  it.each([
    ['prose', 'First look around the room, then take the key and open the door with it.', 'play/solution-is-prose'],
    ['no solution', null, 'play/no-solution'],
  ])('says so when there is %s', async (_, text, code) => {
    await expect(oraclePolicy().move(turn({ solution: () => Promise.resolve(text) }), signal)).rejects.toMatchObject({ code });
  });
});

describe('random play', () => {
  it('draws from listed options, the same for the same seed', async () => {
    const asked = turn({ shown: { kind: 'observation', text: 'Reply with \\boxed{red}, \\boxed{green} or \\boxed{blue}.' } });
    const drawn = await Promise.all(Array.from({ length: 60 }, (_, seed) => randomPolicy(seed).move(asked, signal)));
    expect(new Set(drawn.map((move) => move?.reply))).toEqual(new Set(['\\boxed{red}', '\\boxed{green}', '\\boxed{blue}']));
    expect(await randomPolicy(4).move(asked, signal)).toEqual(drawn[4]);
  });

  it('draws from the solutions of other seeds when nothing is listed', async () => {
    const drawn = await Promise.all(Array.from({ length: 40 }, (_, seed) => randomPolicy(seed).move(turn(), signal)));
    expect(new Set(drawn.map((move) => move?.reply))).toEqual(new Set(['\\boxed{3}', '\\boxed{5}']));
  });

  it('calls declared tools with arguments of their types', async () => {
    const drawn = await Promise.all(Array.from({ length: 40 }, (_, seed) => randomPolicy(seed).move(turn({ setting: toolSetting }), signal)));
    const calls = drawn.flatMap((move) => move?.calls ?? []);
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.every(({ name, arguments: args }) => name === 'look' && Number.isInteger((args as { n: number }).n))).toBe(true);
  });
});

describe('other policies', () => {
  it('doing nothing is an empty reply', async () => expect(await noopPolicy().move(turn(), signal)).toEqual({ reply: '' }));

  it('a person takes over at a step', async () => {
    const policy = takeOver(scriptPolicy(['a', 'b']), 1, humanPolicy(({ past: before }) => Promise.resolve({ reply: `mine ${before.length}` })));
    expect([await policy.move(turn(), signal), await policy.move(turn({ past: past({ reply: 'a' }) }), signal)]).toEqual([{ reply: 'a' }, { reply: 'mine 1' }]);
  });
});

describe('a model', () => {
  it('is told the game in the first message only, and keeps its replies without the thinking', () => {
    const messages = playMessages({
      setting: turn().setting, past: [{ shown: { kind: 'observation', text: 'A door.' }, move: { reply: '\\boxed{open}', thinking: 'hm' } }],
      shown: { kind: 'observation', text: 'A room.' },
    });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[0]?.content).toContain('A door.');
    expect(messages[0]?.content).toContain('\\boxed{}');
    expect([messages[1]?.content, messages[2]?.content]).toEqual(['\\boxed{open}', 'A room.']);
  });

  it('sees tool results as tool messages, for calls written as text too', () => {
    const call = { id: 'call_1', name: 'look', arguments: { n: 1 } };
    const messages = playMessages({
      setting: toolSetting, past: [{ shown: { kind: 'observation', text: 'Task.' }, move: { reply: 'I look.<tool_call>{"name":"look","arguments":{"n":1}}</tool_call>', calls: [call] } }],
      shown: { kind: 'results', results: [{ callId: 'call_1', output: 'an axe' }] },
    });
    expect(messages).toEqual([
      { role: 'user', content: 'Task.' }, { role: 'assistant', content: 'I look.', calls: [call] }, { role: 'tool', callId: 'call_1', content: 'an axe' },
    ]);
  });

  it('streams, and passes thinking, calls, tokens and a cut on', async () => {
    const requests: ChatRequest[] = [];
    const client: ModelClient = {
      name: 'm', simulated: false,
      // eslint-disable-next-line @typescript-eslint/require-await
      async *stream(request) {
        requests.push(request);
        yield { type: 'wait', ms: 5, why: 'busy' };
        yield { type: 'reasoning', text: 'hm' };
        yield { type: 'text', text: 'yes' };
        yield { type: 'done', finishReason: 'length', calls: [], usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 }, warnings: [] };
      },
    };
    const emitted: string[] = [];
    const asked = turn({ emit: (kind, text) => emitted.push(`${kind} ${text}`), waiting: (ms, why) => emitted.push(`wait ${ms} ${why}`) });
    expect(await modelPolicy({ client, thinking: true }).move(asked, signal)).toEqual({ reply: 'yes', thinking: 'hm', calls: [], cut: true, tokens: 2 });
    expect(emitted).toEqual(['wait 5 busy', 'reasoning hm', 'text yes']);
    expect(requests[0]).toMatchObject({ sampling: { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 8192 }, thinking: true, purpose: { role: 'agent' } });
  });
});

describe('a list of seeds', () => {
  it('may hold numbers and ranges', () => expect(parseSeeds('3, 5-7,6 ,0')).toEqual([3, 5, 6, 7, 0]));
  it.each(['', 'a', '5-3', '1-', '-1', '1.5', '0-99999999'])('%j is refused', (text) => expect(() => parseSeeds(text)).toThrow(/seeds/));
});

describe('the cheats of the checks', () => {
  const asked = (play: number, over: Partial<Turn> = {}) => turn({ setting: { arm: 'noHint', seed: 1, play, toolUse: false, tools: [] }, shown: { kind: 'observation', text: 'Colour: red, green, blue' }, ...over });

  it('are tried one after the other, a play each', async () => {
    const replies = await Promise.all(GAME_CHEATS.map((_, play) => cheatPolicy().move(asked(play), signal)));
    expect(replies.map((move) => move?.reply)).toEqual([
      '', '\\boxed{}', '\\boxed{None}', '\\boxed{Colour: red, green, blue}', expect.stringContaining('green'), '\\boxed{3, 5}', '\\boxed{red}', '\\boxed{3}',
    ]);
    expect(CHEAT_PLAYS).toBeGreaterThanOrEqual(GAME_CHEATS.length);
  });

  it('that go through a list go on with the next, and stay with the last', async () => {
    const play = GAME_CHEATS.findIndex(({ name }) => name.startsWith('the answers of other seeds one'));
    const at = async (n: number) => (await cheatPolicy().move(asked(play, { past: past(...Array.from({ length: n }, () => ({ reply: '' }))) }), signal))?.reply;
    expect([await at(1), await at(2)]).toEqual(['\\boxed{5}', '\\boxed{5}']);
  });
});
