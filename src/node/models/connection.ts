import { z } from 'zod';
import { counted } from '../../core/counted';
import { EnvwrightError } from '../../core/errors';
import { collectReply, type Reply } from '../../core/models/collect';
import { parseEndpoint } from '../../core/models/endpoint';
import { ModelError } from '../../core/models/errors';
import { StepReport } from '../../core/models/stepReport';
import type { ChatEvent, HealthLine } from '../../core/ports';
import { formatMessage, type Message } from '../../shared/message';
import { modelErrorOf, webPage } from './failures';
import { countTokens } from './tokenize';
import { createModelClient, openAiFor, type ModelClientOptions } from './openaiClient';
import { ownSignal } from './ownSignal';

/** A model as an endpoint lists it. `context` is the longest prompt and reply together, in tokens, where the server says it. */
export interface ListedModel {
  readonly id: string;
  readonly context: number | null;
}

/** Names under which servers give the length of the context: vLLM, OpenRouter, LM Studio; llama.cpp nests it. */
const Listed = z.looseObject({
  id: z.string(),
  max_model_len: z.number().nullish().catch(null),
  context_length: z.number().nullish().catch(null),
  max_context_length: z.number().nullish().catch(null),
  meta: z.looseObject({ n_ctx: z.number().nullish().catch(null), n_ctx_train: z.number().nullish().catch(null) }).nullish().catch(null),
});

/** Longest wait for the list of models, in milliseconds: it takes no model's time, however slow that is. */
const LIST_MS = 20_000;

/** The models an endpoint offers, in its order. @throws ModelError */
export async function listModels(options: Omit<ModelClientOptions, 'model'>, signal: AbortSignal): Promise<ListedModel[]> {
  const endpoint = parseEndpoint(options.endpoint);
  const own = ownSignal(signal);
  try {
    const { data: page, response } = await openAiFor({ ...options, model: '' }, endpoint).models
      .list({ signal: own.signal, timeout: Math.min(options.idleMs ?? LIST_MS, LIST_MS) }).withResponse();
    if (response.headers.get('content-type')?.includes('text/html')) throw webPage();
    return page.data.flatMap((model) => {
      const { data } = Listed.safeParse(model);
      if (!data) return [];
      return [{ id: data.id, context: data.max_model_len ?? data.context_length ?? data.max_context_length ?? data.meta?.n_ctx ?? data.meta?.n_ctx_train ?? null }];
    });
  } catch (error) {
    throw modelErrorOf(error, endpoint.origin, options.apiKey);
  } finally {
    own.end(true);
  }
}

/** Length of the model's context in tokens; null where the server does not say, or does not answer. Rejects only when cancelled. */
export async function contextOf(options: ModelClientOptions, signal: AbortSignal): Promise<number | null> {
  try {
    return (await listModels({ ...options, idleMs: 5_000 }, signal)).find(({ id }) => id === options.model)?.context ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EnvwrightError) return null;
    throw error;
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

/** What a step of the test found. */
interface Found {
  readonly ok: boolean;
  readonly detail: string;
  readonly next?: string;
}

/** Steps of {@link testConnection}. */
const STEPS = 5;

/**
 * What works at an endpoint: the list of models, a streamed reply and whether it says its tokens, tool calls, and a
 * limit on tokens. Each line says what to do when it does not work; nothing is thrown but a cancellation.
 *
 * @param report is told which step of how many is made, for how long, and what is waited for: every second, since a slow model needs minutes.
 */
export async function testConnection(options: ModelClientOptions & { readonly thinking?: boolean }, signal: AbortSignal, report: (text: Message) => void = () => {}): Promise<HealthLine[]> {
  const lines: HealthLine[] = [];
  const steps = new StepReport(STEPS, report);
  const probe = async (name: string, work: (heard: (event: ChatEvent) => void) => Promise<Found>) => {
    try {
      const { ok, detail, next } = await steps.step(name, work);
      lines.push({ name, ok, detail, next: next ?? null });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EnvwrightError)) throw error;
      lines.push({ name, ok: false, detail: formatMessage(error.what), next: formatMessage(error.next) });
    }
  };
  await probe('models', () => modelsLine(options, signal));
  const client = createModelClient(options);
  const thinking = options.thinking === undefined ? {} : { thinking: options.thinking };
  const ask = (text: string, maxTokens: number, heard: (event: ChatEvent) => void, tools: readonly unknown[] = []) =>
    collectReply(client, { messages: [{ role: 'user', content: text }], tools, sampling: { maxTokens, temperature: 0 }, ...thinking }, signal, heard);
  let reached = false;
  await probe('streaming', async (heard) => {
    const { usage, warnings, finishReason } = await ask('Reply with the word ready.', 256, heard);
    reached = true;
    const tokens = usage?.completionTokens ? `${counted(usage.completionTokens, 'token')} counted` : 'no token counts';
    return { ok: true, detail: [`ends with ${finishReason}`, tokens, ...warnings].join(', ') };
  });
  if (!reached) return lines;
  await probe('tools', async (heard) => toolsFound(await ask('Call the tool report_number with the number 7.', 256, heard, [PROBE_TOOL])));
  await probe('token limit', async (heard) => {
    const { finishReason } = await ask('Count from 1 to 200.', 4, heard);
    return finishReason === 'length'
      ? { ok: true, detail: 'replies are cut at the limit and say so' }
      : { ok: false, detail: `a reply of 4 tokens ended with ${finishReason}`, next: 'Cut replies cannot be told at this endpoint; read returns with that in mind.' };
  });
  await probe('tokenizer', async () => ({
    ok: true,
    detail: (await countTokens(options, 'ready', signal)) === null ? 'no tokenizer answers: tokens of prompts are estimated' : 'the server counts the tokens of prompts',
  }));
  return lines;
}

/** What a reply to the request for a tool call says. A model that writes none proves nothing of its server: it may be too weak to. */
function toolsFound({ calls, text, finishReason }: Pick<Reply, 'calls' | 'text' | 'finishReason'>): Found {
  const { name } = PROBE_TOOL.function;
  if (calls.some((call) => call.name === name)) return { ok: true, detail: 'calls arrive natively' };
  if (calls.length > 0) return { ok: false, detail: `calls arrive natively, but not of the tool that was asked for: ${calls[0]!.name}`, next: 'The model is too weak to be played with tools; choose a stronger one.' };
  if (text.includes(name) && /[{(<]/.test(text)) {
    return { ok: false, detail: 'the call came as text, not as a native call', next: 'Start the server with a tool parser for this model, or let the agent write its calls as text.' };
  }
  if (finishReason === 'length') return { ok: false, detail: 'the reply was cut before a call came', next: 'The model wrote more than 256 tokens first. If it thinks, switch thinking off for this test; else it is too weak to call a tool.' };
  return {
    ok: false,
    detail: 'no call arrived: the model answered in words',
    next: 'Either the model is too weak to call a tool, or the server has no tool parser, or does not show the model its tools. Try a stronger model at this server; if it calls none either, start the server with a tool parser, or let the agent write its calls as text.',
  };
}

/** The list of models. A server need not have one: then its replies alone say whether the model's name is right. */
async function modelsLine(options: ModelClientOptions, signal: AbortSignal): Promise<Found> {
  let models: ListedModel[];
  try {
    models = await listModels(options, signal);
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== 'not-found') throw error;
    models = [];
  }
  if (models.length === 0) return { ok: true, detail: 'the server lists none', next: `Whether it knows ${options.model} is seen by its replies.` };
  const known = models.find(({ id }) => id === options.model);
  if (!known) return { ok: false, detail: `${options.model} is not among ${models.slice(0, 8).map(({ id }) => id).join(', ')}`, next: 'Choose one of these models.' };
  return { ok: true, detail: `${counted(models.length, 'model')}; ${known.context ? `a context of ${known.context} tokens` : 'the length of the context is not said'}` };
}
