import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { collectReply, type Reply } from '../../../../src/core/models/collect';
import type { ChatEvent, ChatRequest } from '../../../../src/core/ports';
import { createModelClient, type ModelClientOptions } from '../../../../src/node/models/openaiClient';
import { hastyClock } from '../../../fakes/clocks';
import { event, raw, refusal, reply, sendJson, startModelServer, type Answer, type ModelServer } from '../../../fakes/modelServer';

const cases = join(import.meta.dirname, '../../../fixtures/cases');
const fixture = (name: string) => readFileSync(join(cases, name));
const expectedOf = (name: string) => JSON.parse(fixture(`${name}/expected.json`).toString()) as Record<string, unknown>;

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const hello: ChatRequest = { messages: [{ role: 'user', content: 'hello' }] };

async function ask(
  answers: Answer[],
  options: Partial<ModelClientOptions> = {},
  request: ChatRequest = hello,
  signal = new AbortController().signal,
): Promise<Reply & { events: ChatEvent[] }> {
  server ??= await startModelServer(answers);
  const events: ChatEvent[] = [];
  const client = createModelClient({ endpoint: server.endpoint, model: 'fake', ...options });
  return { ...(await collectReply(client, request, signal, (event) => events.push(event))), events };
}

const hasty = () => hastyClock(Date.parse('2026-01-01T00:00:00Z'));

describe('a streamed reply', () => {
  it('is read to the letter of case 22', async () => {
    const expected = expectedOf('22-stream-quirks');
    const { text, reasoning, finishReason, usage, warnings } = await ask([raw([fixture('22-stream-quirks/input.sse')])]);
    const tokens = { prompt_tokens: usage?.promptTokens, completion_tokens: usage?.completionTokens, total_tokens: usage?.totalTokens };
    expect({ content: text, reasoning, finish_reason: finishReason, usage: tokens, warnings }).toEqual({
      content: expected['content'], reasoning: expected['reasoning'], finish_reason: expected['finish_reason'],
      usage: expected['usage'], warnings: expected['warnings'],
    });
  });

  it('is read to the letter of case 23', async () => {
    const expected = expectedOf('23-stream-tool-deltas');
    const calls = expected['tool_calls'] as { id: string }[];
    const { text, finishReason, calls: got } = await ask([raw([fixture('23-stream-tool-deltas/input.sse')])]);
    expect({ content: text, finish_reason: finishReason }).toEqual({ content: expected['content'], finish_reason: expected['finish_reason'] });
    expect(got).toEqual(calls.map((call) => (call.id === '<generated>' ? { ...call, id: expect.stringMatching(/^call_/) as string } : call)));
  });

  it('is the same when every byte of it arrives alone', async () => {
    const bytes = fixture('22-stream-quirks/input.sse');
    const whole = await ask([raw([bytes])]);
    await server?.close();
    server = undefined;
    const split = await ask([raw(Array.from(bytes, (byte) => Uint8Array.of(byte)))]);
    expect({ ...split, events: [] }).toEqual({ ...whole, events: [] });
  });

  it('keeps characters whose bytes are split across chunks', async () => {
    const bytes = Buffer.from(event({ content: 'naïve 漢字 🙂' }) + event({}, 'stop'));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.subarray(at * 3, at * 3 + 3));
    expect((await ask([raw(pieces)])).text).toBe('naïve 漢字 🙂');
  });

  it('tells thinking from the answer when it comes as <think> in the content', async () => {
    const pieces = ['<th', 'ink>Two and', ' two</', 'think>\n\n\\boxed{4}'].map((content) => event({ content }));
    const { text, reasoning } = await ask([raw([...pieces, event({}, 'stop')])]);
    expect({ text, reasoning }).toEqual({ text: '\n\n\\boxed{4}', reasoning: 'Two and two' });
  });

  it('passes a reply that was cut while thinking as cut, with no text', async () => {
    const { text, reasoning, finishReason } = await ask([raw([event({ content: '<think>on and on' }), event({}, 'length'), 'data: [DONE]\n\n'])]);
    expect({ text, reasoning, finishReason }).toEqual({ text: '', reasoning: 'on and on', finishReason: 'length' });
  });

  it('passes null usage on as unknown', async () => {
    const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null })}\n\n`;
    expect((await ask([raw([event({ content: 'x' }), end])])).usage).toBeNull();
  });

  it('is read from one JSON document when the server does not stream', async () => {
    const document = { choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }] };
    expect((await ask([(response) => sendJson(response, 200, document)])).text).toBe('whole');
    const printed: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document, null, 2));
    };
    await server?.close();
    server = undefined;
    expect((await ask([printed])).text).toBe('whole');
  });

  it('has its end at [DONE], whatever a gateway sends behind it', async () => {
    const late = [event({ content: ' and more' }), 'data: {"error":{"message":"late"}}\n\n'];
    expect((await ask([raw([event({ content: 'all' }), event({}, 'stop'), 'data: [DONE]\n\n', ...late])])).text).toBe('all');
  });

  it('comes over the connection of the one before', async () => {
    server = await startModelServer([reply('x')]);
    const client = createModelClient({ endpoint: server.endpoint, model: 'fake' });
    for (let n = 0; n < 5; n += 1) {
      await collectReply(client, hello, new AbortController().signal);
      expect(await server.connections()).toBe(1);
    }
  });

  it('may be read slowly: only the server’s silence is counted', async () => {
    server = await startModelServer([raw([event({ content: 'a' }), event({ content: 'b' }), event({}, 'stop')])]);
    let text = '';
    for await (const got of createModelClient({ endpoint: server.endpoint, model: 'fake', idleMs: 60 }).stream(hello, new AbortController().signal)) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (got.type === 'text') text += got.text;
    }
    expect(text).toBe('ab');
  });

  it('is read the same way from elsewhere, by the fetch of the editor', async () => {
    const asked: [string, RequestInit | undefined][] = [];
    const body = new TextEncoder().encode(event({ content: 'far' }) + event({ content: ' away' }, 'stop'));
    const pieces = [body.slice(0, 40), body.slice(40)];
    const fetch: NonNullable<ModelClientOptions['fetch']> = (url, init) => {
      asked.push([url as string, init]);
      return Promise.resolve(new Response(new ReadableStream({
        pull: (controller) => {
          const piece = pieces.shift();
          if (piece) controller.enqueue(piece);
          else controller.close();
        },
      }), { headers: { 'content-type': 'text/event-stream' } }));
    };
    const client = createModelClient({ endpoint: 'https://models.example/v1?region=eu', model: 'fake', apiKey: 'k', fetch });
    expect((await collectReply(client, hello, new AbortController().signal)).text).toBe('far away');
    expect(asked[0]).toMatchObject(['https://models.example/v1/chat/completions?region=eu', { method: 'POST', headers: { authorization: 'Bearer k', 'content-type': 'application/json' } }]);
    await expect(collectReply(createModelClient({ endpoint: 'https://models.example', model: 'fake', retries: 0, fetch: () => Promise.resolve(new Response('no such page', { status: 404 })) }), hello, new AbortController().signal))
      .rejects.toMatchObject({ code: 'model/not-found' });
  });
});

describe('a failed reply is never an empty one', () => {
  const failures: [string, Answer, string][] = [
    ['an error object inside a good stream', raw([event({ content: 'a' }), 'data: {"error":{"message":"boom"}}\n\n']), 'model/stream-error'],
    ['an error event', raw([event({ content: 'a' }), 'event: error\ndata: {"message":"boom"}\n\n']), 'model/stream-error'],
    ['an error field', raw(['error: {"code":500,"message":"slot lost"}\n\n']), 'model/server-error'],
    ['an error in the shape of an object', raw(['data: {"object":"error","message":"boom","code":400}\n\n']), 'model/bad-request'],
    ['a full context inside the stream', raw(['data: {"error":{"message":"the request exceeds the available context size"}}\n\n']), 'model/context-full'],
    ['an empty stream', raw([]), 'model/empty-reply'],
    ['a stream of nothing but an end', raw([event({}, 'stop'), 'data: [DONE]\n\n']), 'model/empty-reply'],
    ['a stream that ends in the middle', raw([event({ content: 'half' })]), 'model/ended-early'],
    ['a connection that is reset in the middle', raw([event({ content: 'half' })], 'reset'), 'model/connection-reset'],
    ['a web page', (response) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end('<html>'); }, 'model/not-an-api'],
    ['a refused key', refusal(401, 'bad key'), 'model/unauthorized'],
    ['an unknown model', refusal(404, 'no such model'), 'model/not-found'],
    ['a full context', refusal(400, 'maximum context length is 4096 tokens', {}, 'context_length_exceeded'), 'model/context-full'],
  ];
  it.each(failures)('%s', async (_, answer, code) => {
    await expect(ask([answer], { retries: 0 })).rejects.toMatchObject({ code, name: 'ModelError' });
  });

  it('a server that stops sending, and its connection is closed', async () => {
    await expect(ask([raw([event({ content: 'half' })], 'hang')], { idleMs: 80 })).rejects.toMatchObject({ code: 'model/timeout' });
    await expect.poll(() => server?.connections()).toBe(0);
  });

  it('a server that never answers, and its connection is closed', async () => {
    await expect(ask([() => {}], { idleMs: 80, retries: 0 })).rejects.toMatchObject({ code: 'model/timeout', next: { template: expect.stringContaining('envwright.model.timeout') as string } });
    await expect.poll(() => server?.connections()).toBe(0);
  });

  it('no server at all', async () => {
    await expect(ask([], { endpoint: 'http://127.0.0.1:9/v1', retries: 0 })).rejects.toMatchObject({ code: 'model/unreachable' });
  });
});

describe('a request that is left', () => {
  it.each([
    ['after its first words', raw([event({ content: 'a' }), event({ content: 'b' })], 'hang')],
    ['at an error, with more of the body to come', raw(['data: {"error":{"message":"boom"}}\n\n', event({ content: 'b' })], 'hang')],
  ])('%s breaks its connection, and nothing else', async (_, answer) => {
    const errors: unknown[] = [];
    const note = (error: unknown) => errors.push(error);
    process.on('uncaughtException', note);
    try {
      server = await startModelServer([answer]);
      const client = createModelClient({ endpoint: server.endpoint, model: 'fake' });
      for (let n = 0; n < 20; n += 1) {
        try {
          for await (const got of client.stream(hello, new AbortController().signal)) if (got.type === 'text') break;
        } catch (error) {
          expect(error).toMatchObject({ code: 'model/stream-error' });
        }
      }
      await expect.poll(() => server?.connections()).toBe(0);
    } finally {
      process.off('uncaughtException', note);
    }
    expect(errors).toEqual([]);
  });
});

describe('waiting and retrying', () => {
  it.each([
    ['seconds', { 'retry-after': '3' }, 3_000],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9_000],
  ])('obeys Retry-After in %s and shows the wait', async (_, headers, ms) => {
    const clock = hasty();
    const { text, events } = await ask([refusal(429, 'slow down', headers), reply('then')], { clock });
    expect({ text, waits: clock.waits }).toEqual({ text: 'then', waits: [ms] });
    expect(events[0]).toMatchObject({ type: 'wait', ms });
  });

  it('backs off by doubling without Retry-After, and gives up in the end', async () => {
    const clock = hasty();
    await expect(ask([refusal(429, 'slow down')], { clock, random: () => 0, retries: 3 })).rejects.toMatchObject({ code: 'model/rate-limited' });
    expect(clock.waits).toEqual([1_000, 2_000, 4_000]);
  });

  it('does not wait an hour unasked', async () => {
    const clock = hasty();
    await expect(ask([refusal(429, 'quota', { 'retry-after': '3600' })], { clock })).rejects.toMatchObject({ code: 'model/rate-limited' });
    expect(clock.waits).toEqual([]);
  });

  it('tries again after a server error', async () => {
    expect((await ask([refusal(500, 'oops'), refusal(503, 'loading'), reply('up')], { clock: hasty() })).text).toBe('up');
  });

  it('does not try again in the middle of a reply', async () => {
    await expect(ask([raw([event({ content: 'half' })], 'reset'), reply('again')], { clock: hasty() })).rejects.toMatchObject({ code: 'model/connection-reset' });
    expect(server?.seen).toHaveLength(1);
  });

  it('is cancelled while it waits', async () => {
    const controller = new AbortController();
    const asked = ask([refusal(429, 'slow down', { 'retry-after': '60' })], {}, hello, controller.signal);
    setTimeout(() => controller.abort(), 30);
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is cancelled in the middle of a reply, and the connection is closed', async () => {
    const controller = new AbortController();
    const asked = ask([raw([event({ content: 'half' })], 'hang')], {}, hello, controller.signal);
    setTimeout(() => controller.abort(), 60);
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => server?.connections()).toBe(0);
  });
});

describe('what is sent', () => {
  const limited: ChatRequest = { ...hello, sampling: { maxTokens: 9, temperature: 0.6, topP: 0.95, topK: 20 }, tools: [], thinking: false };

  it('learns max_completion_tokens by one refusal and remembers it', async () => {
    const picky: Answer = (response, request) => ('max_tokens' in request.body
      ? refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")(response, request)
      : reply('fine')(response, request));
    server = await startModelServer([picky]);
    const client = createModelClient({ endpoint: server.endpoint, model: 'fake' });
    for (let n = 0; n < 2; n += 1) expect((await collectReply(client, limited, new AbortController().signal)).text).toBe('fine');
    expect(server.seen.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([[9, undefined], [undefined, 9], [undefined, 9]]);
  });

  it('does without stream_options where the server refuses them', async () => {
    const picky: Answer = (response, request) => ('stream_options' in request.body
      ? refusal(400, 'Unknown field: stream_options')(response, request)
      : reply('fine')(response, request));
    expect((await ask([picky])).text).toBe('fine');
  });

  it('never holds an empty list of tools, and names the sampling as servers do', async () => {
    await ask([reply('x')], { extraBody: { top_k: 5, repetition_penalty: 1.1 } }, limited);
    const { body } = server!.seen[0]!;
    expect(body).not.toHaveProperty('tools');
    expect(body).toMatchObject({
      temperature: 0.6, top_p: 0.95, top_k: 5, repetition_penalty: 1.1, stream: true, chat_template_kwargs: { enable_thinking: false },
    });
  });

  it('sends the key as bearer, and no authorization without one', async () => {
    await ask([reply('x')], { apiKey: 'sk-1' });
    await ask([reply('x')]);
    expect(server?.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1', undefined]);
  });

  it('reaches this computer past whatever captures the global fetch', async () => {
    const original = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new Error('swallowed by a proxy'));
    try {
      expect((await ask([reply('direct')])).text).toBe('direct');
    } finally {
      globalThis.fetch = original;
    }
  });

  it('carries tool calls and their results back', async () => {
    const call = { id: 'c1', name: 'look', arguments: { place: 'shed' } };
    await ask([reply('x')], {}, { messages: [{ role: 'assistant', content: '', calls: [call] }, { role: 'tool', callId: 'c1', content: 'an axe' }] });
    expect(server?.seen[0]?.body['messages']).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"place":"shed"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'an axe' },
    ]);
  });
});
