import { EnvwrightError } from '../../core/errors';
import { collectReply } from '../../core/models/collect';
import { parseEndpoint } from '../../core/models/endpoint';
import type { HealthLine } from '../../core/ports';
import { formatMessage } from '../../shared/message';
import { modelErrorOf } from './failures';
import { createModelClient, openAiFor, ownSignal, type ModelClientOptions } from './openaiClient';

/** The models an endpoint offers, in its order. @throws ModelError */
export async function listModels(options: Omit<ModelClientOptions, 'model'>, signal: AbortSignal): Promise<string[]> {
  const endpoint = parseEndpoint(options.endpoint);
  const own = ownSignal(signal);
  try {
    const page = await openAiFor({ ...options, model: '' }, endpoint).models.list({ signal: own.signal, timeout: options.idleMs ?? 20_000 });
    return page.data.map(({ id }) => id);
  } catch (error) {
    throw modelErrorOf(error, endpoint.origin);
  } finally {
    own.end(true);
  }
}

const PROBE_TOOL = {
  type: 'function',
  function: {
    name: 'report_number',
    description: 'Reports a number.',
    parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  },
};

/**
 * What works at an endpoint: the list of models, a streamed reply and whether it says its tokens, tool calls, and a
 * limit on tokens. Each line says what to do when it does not work; nothing is thrown but a cancellation.
 */
export async function testConnection(options: ModelClientOptions, signal: AbortSignal): Promise<HealthLine[]> {
  const lines: HealthLine[] = [];
  const probe = async (name: string, work: () => Promise<{ ok: boolean; detail: string; next?: string }>) => {
    try {
      const { ok, detail, next } = await work();
      lines.push({ name, ok, detail, next: next ?? null });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EnvwrightError)) throw error;
      lines.push({ name, ok: false, detail: formatMessage(error.what), next: formatMessage(error.next) });
    }
  };
  await probe('models', async () => {
    const models = await listModels(options, signal);
    const known = models.includes(options.model);
    return known || models.length === 0
      ? { ok: true, detail: `${models.length} models` }
      : { ok: false, detail: `${options.model} is not among ${models.slice(0, 8).join(', ')}`, next: 'Choose one of these models.' };
  });
  const client = createModelClient(options);
  const ask = (text: string, tools: readonly unknown[] = []) =>
    collectReply(client, { messages: [{ role: 'user', content: text }], tools, sampling: { maxTokens: 256, temperature: 0 } }, signal);
  let reached = false;
  await probe('streaming', async () => {
    const { usage, warnings, finishReason } = await ask('Reply with the word ready.');
    reached = true;
    const tokens = usage?.completionTokens ? `${usage.completionTokens} tokens counted` : 'no token counts';
    return { ok: true, detail: [`ends with ${finishReason}`, tokens, ...warnings].join(', ') };
  });
  if (!reached) return lines;
  await probe('tools', async () => {
    const { calls } = await ask('Call the tool report_number with the number 7.', [PROBE_TOOL]);
    return calls.some(({ name }) => name === 'report_number')
      ? { ok: true, detail: 'calls arrive natively' }
      : { ok: false, detail: 'no native call arrived', next: 'Start the server with a tool parser, or let the agent write its calls as text.' };
  });
  await probe('token limit', async () => {
    const request = { messages: [{ role: 'user', content: 'Count from 1 to 200.' }] as const, sampling: { maxTokens: 4, temperature: 0 } };
    const { finishReason } = await collectReply(client, request, signal);
    return finishReason === 'length'
      ? { ok: true, detail: 'replies are cut at the limit and say so' }
      : { ok: false, detail: `a reply of 4 tokens ended with ${finishReason}`, next: 'Cut replies cannot be told at this endpoint; read returns with that in mind.' };
  });
  return lines;
}
