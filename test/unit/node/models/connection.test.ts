import { afterEach, describe, expect, it } from 'vitest';
import { listModels, testConnection } from '../../../../src/node/models/connection';
import { event, raw, refusal, reply, startModelServer, type Answer, type ModelServer } from '../../../fakes/modelServer';

let server: ModelServer;
afterEach(() => server.close());
const signal = new AbortController().signal;
const toolCall: Answer = raw([event({ tool_calls: [{ index: 0, id: 'c', function: { name: 'report_number', arguments: '{"number":7}' } }] }), event({}, 'tool_calls')]);
const cut: Answer = raw([event({ content: '1 2' }), event({}, 'length')]);

describe('testing a connection', () => {
  it('says what works: models, streaming with its tokens, tools, token limit', async () => {
    server = await startModelServer([reply('ready'), toolCall, cut], ['fake', 'other']);
    expect(await listModels({ endpoint: server.endpoint }, signal)).toEqual(['fake', 'other']);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal);
    expect(lines.map(({ name, ok }) => [name, ok])).toEqual([['models', true], ['streaming', true], ['tools', true], ['token limit', true]]);
    expect(lines[1]?.detail).toContain('7 tokens counted');
  });

  it('says what does not work and what to do', async () => {
    server = await startModelServer([reply('ready'), reply('seven'), reply('1 to 200')], ['other']);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake' }, signal);
    expect(lines.map(({ ok }) => ok)).toEqual([false, true, false, false]);
    for (const { ok, next } of lines) if (!ok) expect(next).toBeTruthy();
  });

  it('stops after a wrong key, and says so', async () => {
    server = await startModelServer([refusal(401, 'bad key')]);
    const lines = await testConnection({ endpoint: server.endpoint, model: 'fake', apiKey: 'wrong' }, signal);
    expect(lines.map(({ name }) => name)).toEqual(['models', 'streaming']);
    expect(lines[1]).toMatchObject({ ok: false, next: 'Set the API key for this endpoint again.' });
  });
});
