import { afterEach, describe, expect, it } from 'vitest';
import { listModels, testConnection } from '../../../../src/node/models/connection';
import { countTokens } from '../../../../src/node/models/tokenize';
import { formatMessage } from '../../../../src/shared/message';
import { event, raw, refusal, reply, startModelServer, type Answer, type ModelServer } from '../../../fakes/modelServer';

let server: ModelServer;
afterEach(() => server.close());
const signal = new AbortController().signal;
const toolCall: Answer = raw([event({ tool_calls: [{ index: 0, id: 'c', function: { name: 'report_number', arguments: '{"number":7}' } }] }), event({}, 'tool_calls')]);
const cut: Answer = raw([event({ content: '1 2' }), event({}, 'length')]);

describe('testing a connection', () => {
  it('says what works: models, streaming with its tokens, tools, token limit', async () => {
    server = await startModelServer([reply('ready'), toolCall, cut], [{ id: 'fake', max_model_len: 4096 }, 'other'], () => ({ count: 1 }));
    expect(await listModels({ endpoint: server.endpoint }, signal)).toEqual([{ id: 'fake', context: 4096 }, { id: 'other', context: null }]);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal);
    expect(lines.map(({ name, ok }) => [name, ok])).toEqual([['models', true], ['streaming', true], ['tools', true], ['token limit', true], ['tokenizer', true]]);
    expect(lines[0]?.detail).toContain('a context of 4096 tokens');
    expect(lines[4]?.detail).toBe('the server counts the tokens of prompts');
    expect(lines[1]?.detail).toContain('7 tokens counted');
  });

  it('says what does not work and what to do', async () => {
    server = await startModelServer([reply('ready'), reply('seven'), reply('1 to 200')], ['other']);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal);
    expect(lines.map(({ ok }) => ok)).toEqual([false, true, false, false, true]);
    // Also true of a server that went away meanwhile.
    expect(lines[4]?.detail).toBe('no tokenizer answers: tokens of prompts are estimated');
    for (const { ok, next } of lines) if (!ok) expect(next).toBeTruthy();
  });

  it('a web page is no list of models, and a server without a list is no fault of its own', async () => {
    const page: Answer = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    server = await startModelServer([page], page);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal);
    expect(lines.map(({ name, ok, next }) => [name, ok, next?.includes('/v1')])).toEqual([['models', false, true], ['streaming', false, true]]);
    await server.close();
    server = await startModelServer([reply('ready'), toolCall, cut], (response) => void response.writeHead(404).end());
    expect((await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal))[0]).toEqual({ name: 'models', ok: true, detail: 'the server lists none', next: 'Whether it knows fake is seen by its replies.' });
  });

  it('says what it tests and what it waits for', async () => {
    server = await startModelServer([refusal(429, 'Slow down.', { 'retry-after': '1' }), reply('ready'), toolCall, cut]);
    const told: string[] = [];
    const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake', clock }, signal, (text) => told.push(formatMessage(text)));
    // A slow machine tells a second more in between.
    expect(told.filter((text) => !text.endsWith('no word yet')).map((text) => text.replace(/\d+ s, the/, '… s, the')).filter((text, at, all) => text !== all[at - 1])).toEqual([
      '1 of 5, models', '2 of 5, streaming', '2 of 5, streaming: waiting 1 s: the endpoint asks to wait (HTTP 429)', '2 of 5, streaming: … s, the reply comes',
      '3 of 5, tools', '4 of 5, token limit', '4 of 5, token limit: … s, the reply comes', '5 of 5, tokenizer',
    ]);
    expect(lines[0]?.detail).toContain('1 model;');
  });

  it('a slow model is told from one that hangs: the seconds go on, and the test can be cancelled meanwhile', async () => {
    const told: string[] = [];
    const stop = new AbortController();
    server = await startModelServer([() => undefined]);
    const test = testConnection({ endpoint: server.endpoint, model: 'fake' }, stop.signal, (text) => {
      told.push(formatMessage(text));
      if (/^2 of 5, streaming: ([2-9]|\d\d+) s, no word yet$/.test(told.at(-1) ?? '')) stop.abort();
    });
    await expect(test).rejects.toThrow(/abort/i);
    expect(told).toEqual(expect.arrayContaining(['1 of 5, models', '2 of 5, streaming']));
  });

  it.each([
    ['words', reply('seven'), /too weak .* or the server has no tool parser/],
    ['a call as text', reply('{"name": "report_number", "arguments": {"number": 7}}'), /tool parser/],
    ['a call of something else', raw([event({ tool_calls: [{ index: 0, id: 'c', function: { name: 'say', arguments: '{}' } }] }), event({}, 'tool_calls')]), /^The model is too weak/],
    ['a cut reply', raw([event({ content: 'Let me' }), event({}, 'length')]), /If it thinks, switch thinking off/],
  ])('%s in place of a tool call says what may be the cause, and blames no server without a reason', async (_, answer, advice) => {
    server = await startModelServer([reply('ready'), answer, cut]);
    const tools = (await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal)).find(({ name }) => name === 'tools');
    expect(tools).toMatchObject({ ok: false, next: expect.stringMatching(advice) as string });
  });

  it('ends what a server says with one full stop, and says so when it says nothing', async () => {
    server = await startModelServer([refusal(403, 'No such key.'), (response) => void response.writeHead(404).end()]);
    const said = async () => (await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal))[1]?.detail;
    expect(await said()).toBe('The endpoint refused the key (HTTP 403): No such key.');
    expect(await said()).toBe('The endpoint knows no such model or path (HTTP 404): no explanation.');
  });

  it('stops after a wrong key, and says so', async () => {
    server = await startModelServer([refusal(401, 'bad key')]);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake', apiKey: 'wrong' }, signal);
    expect(lines.map(({ name }) => name)).toEqual(['models', 'streaming']);
    expect(lines[1]).toMatchObject({ ok: false, next: 'Set the API key for this endpoint again.' });
  });
});

describe('tokens of a text', () => {
  it.each([
    ['vLLM', { count: 4, max_model_len: 10, tokens: [1, 2, 3, 4] }], ['llama.cpp', { tokens: [1, 2, 3, 4] }],
    ['llama.cpp with pieces', { tokens: [{ id: 1, piece: 'a' }, { id: 2, piece: 'b' }, { id: 3, piece: 'c' }, { id: 4, piece: 'd' }] }],
  ])('are counted by %s, with the key of its origin', async (_, answer) => {
    server = await startModelServer([], ['fake'], () => answer);
    expect(await countTokens({ endpoint: `${server.endpoint}?tenant=x`, model: 'fake', apiKey: 'k' }, 'a text', signal)).toBe(4);
    expect(server.seen[0]).toMatchObject({ path: '/tokenize?tenant=x', headers: { authorization: 'Bearer k' }, body: { prompt: 'a text', content: 'a text', model: 'fake' } });
  });

  it.each([['no tokenizer', undefined], ['an answer of another shape', { length: 4 }]])('are not known with %s', async (_, answer) => {
    server = await startModelServer([], ['fake'], answer && (() => answer));
    expect(await countTokens({ endpoint: server.endpoint, model: 'fake' }, 'a text', signal)).toBeNull();
  });

  it('a cancelled count rejects', async () => {
    server = await startModelServer([], ['fake'], () => ({ count: 1 }));
    await expect(countTokens({ endpoint: server.endpoint, model: 'fake' }, 'a', AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});
