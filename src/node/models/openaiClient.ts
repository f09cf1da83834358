import OpenAI, { APIError } from 'openai';
import { message } from '../../shared/message';
import { parseEndpoint, type Endpoint } from '../../core/models/endpoint';
import { ModelError } from '../../core/models/errors';
import type { EventStreamReader, StreamEvent } from '../../core/models/eventStream';
import { ReplyAssembler } from '../../core/models/reply';
import { backOffMs, LONGEST_WAIT_MS, retryAfterMs } from '../../core/models/retry';
import type { ChatEvent, ChatRequest, Clock, ModelClient } from '../../core/ports';
import { systemClock } from '../clock';
import { ChatExchange } from './chatExchange';
import { isApiError, modelErrorOf } from './failures';
import { requestBody, type ServerQuirks } from './requestBody';
import { plainFetch, plainTransport, type Fetch, type Route, type SentRequest, type Transport } from './transport';

/** How an OpenAI-compatible endpoint is reached. */
export interface ModelClientOptions extends Route {
  readonly endpoint: string;
  readonly model: string;
  /** Sent to this endpoint only; undefined sends no authorization at all. */
  readonly apiKey?: string | undefined;
  /** Fields put into every request body as they are, over all others. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Longest silence of the server, in milliseconds; default two minutes. */
  readonly idleMs?: number;
  /** Retries after HTTP 429, 408, 409 and 5xx and after a connection that broke before an answer; default 4. */
  readonly retries?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const RETRIED = new Set([408, 409, 429]);

/**
 * A client of one model behind an OpenAI-compatible endpoint. Its streams reject with a {@link ModelError}: an error in
 * any place, an empty reply and a reply that broke off are errors, never an empty reply.
 *
 * @throws ModelError when the endpoint's address cannot be read.
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  return new OpenAiModelClient(options, parseEndpoint(options.endpoint));
}

/** The SDK's client for an endpoint, deaf to the environment's OpenAI settings and without retries of its own. */
export function openAiFor(options: ModelClientOptions, endpoint: Endpoint, fetch: Fetch = plainFetch(options, endpoint)): OpenAI {
  return new OpenAI({
    baseURL: endpoint.base,
    apiKey: options.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    timeout: 24 * 3_600_000,
    defaultQuery: endpoint.query,
    ...(options.apiKey ? {} : { defaultHeaders: { Authorization: null } }),
    fetch,
  });
}

/** What every chat request of a client begins with. */
type RequestHead = Pick<SentRequest, 'url' | 'headers'>;

/** The address and the headers of chat requests as the SDK makes them: the same for all, so they are made once and not for each. */
async function headOf(options: ModelClientOptions, endpoint: Endpoint): Promise<RequestHead> {
  const { url, req } = await openAiFor(options, endpoint).buildRequest({ method: 'post', path: '/chat/completions', body: {} });
  return { url, headers: Object.fromEntries(new Headers(req.headers).entries()) };
}

class OpenAiModelClient implements ModelClient {
  readonly simulated = false;
  readonly name: string;
  private readonly quirks: ServerQuirks = { maxCompletionTokens: false, noStreamOptions: false };
  private readonly transport: Transport;
  private head: Promise<RequestHead> | null = null;

  constructor(private readonly options: ModelClientOptions, private readonly endpoint: Endpoint) {
    this.name = options.model;
    this.transport = plainTransport(options, endpoint);
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const { random = Math.random, clock = systemClock, idleMs = 120_000 } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      const exchange = new ChatExchange(this.transport, idleMs, signal);
      const reply = new ReplyAssembler();
      let isOpen = false;
      let isWhole = false;
      try {
        await this.open(request, exchange);
        isOpen = true;
        for (let events = await exchange.next(); events; events = await exchange.next()) {
          for (const event of events) for (const said of reply.push(chunkOf(event))) yield said;
        }
        for (const said of reply.end()) yield said;
        // A reader may leave after the last event: the reply is whole by then, and its connection serves the next request.
        const last = lastOf(reply, exchange.reader);
        isWhole = true;
        yield last;
        return;
      } catch (caught) {
        if (signal.aborted) throw new DOMException('Cancelled.', 'AbortError');
        const wait = isOpen ? null : this.waitBefore(attempt, caught, clock.now(), random);
        if (wait === null) throw modelErrorOf(caught, this.endpoint.origin, this.options.apiKey);
        yield { type: 'wait', ...wait };
        await clock.sleep(wait.ms, signal);
      } finally {
        exchange.end(isWhole);
      }
    }
  }

  /** Sends the request; once more without a parameter that the server refuses by name, which is then remembered. */
  private async open(request: ChatRequest, exchange: ChatExchange): Promise<void> {
    const { url, headers } = await (this.head ??= headOf(this.options, this.endpoint));
    const send = () => exchange.open({ url, headers, body: JSON.stringify(requestBody(this.options.model, request, this.quirks, this.options.extraBody)) });
    try {
      await send();
    } catch (error) {
      if (!this.learnFrom(error)) throw error;
      await send();
    }
  }

  private learnFrom(error: unknown): boolean {
    if (!isApiError(error) || error.status !== 400) return false;
    const said = `${error.message} ${JSON.stringify(error.error ?? '')}`;
    if (!this.quirks.maxCompletionTokens && said.includes('max_completion_tokens')) this.quirks.maxCompletionTokens = true;
    else if (!this.quirks.noStreamOptions && said.includes('stream_options')) this.quirks.noStreamOptions = true;
    else return false;
    return true;
  }

  private waitBefore(attempt: number, error: unknown, now: number, random: () => number): { ms: number; why: string } | null {
    if (attempt >= (this.options.retries ?? 4)) return null;
    if (!isApiError(error) || error.status === undefined) {
      const failure = modelErrorOf(error, this.endpoint.origin, this.options.apiKey);
      if (!(failure instanceof ModelError) || failure.kind !== 'connection-reset') return null;
      return { ms: backOffMs(attempt, random), why: failure.message };
    }
    const { status, headers } = error;
    if (!RETRIED.has(status) && status < 500) return null;
    const asked = retryAfterMs(headers?.get('retry-after'), now);
    const ms = asked ?? backOffMs(attempt, random);
    if (ms > LONGEST_WAIT_MS) return null;
    return { ms, why: status === 429 ? 'the endpoint asks to wait (HTTP 429)' : `the endpoint failed (HTTP ${status})` };
  }

}

function chunkOf(event: StreamEvent): unknown {
  if ('chunk' in event) return event.chunk;
  throw new APIError(undefined, event.error, undefined, undefined);
}

/** The end of a reply that is whole. @throws ModelError when it says nothing, or broke off. */
function lastOf(reply: ReplyAssembler, reader: EventStreamReader): ChatEvent {
  const finish = reply.finishReason ?? (reader.done ? 'stop' : null);
  if (reply.empty && finish !== 'length') throw emptyReply(finish);
  if (finish === null) {
    throw new ModelError('ended-early', message('The reply broke off: the endpoint closed the stream without an end.'),
      message('Try again; if it happens often, look at the server’s log.'));
  }
  return reply.done(finish, reader.warnings);
}

function emptyReply(finish: string | null): ModelError {
  return new ModelError('empty-reply', finish === 'content_filter'
    ? message('The endpoint’s filter held the reply back.')
    : message('The endpoint sent an empty reply.'),
  message('Try again, or look at the server’s log; an empty reply is never played or taken for an answer.'));
}
