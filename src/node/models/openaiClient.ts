import OpenAI from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { message } from '../../shared/message';
import { parseEndpoint, type Endpoint } from '../../core/models/endpoint';
import { ModelError } from '../../core/models/errors';
import { EventStreamCleaner } from '../../core/models/eventStream';
import { ReplyAssembler } from '../../core/models/reply';
import { backOffMs, LONGEST_WAIT_MS, retryAfterMs } from '../../core/models/retry';
import type { ChatEvent, ChatRequest, Clock, ModelClient } from '../../core/ports';
import { systemClock } from '../clock';
import { isApiError, modelErrorOf } from './failures';
import { loopbackFetch } from './loopbackFetch';
import { requestBody, type ServerQuirks } from './requestBody';
import { streamFetch, type Fetch, type StreamNotes } from './streamFetch';

/** How an OpenAI-compatible endpoint is reached. */
export interface ModelClientOptions {
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
  /** False takes any certificate of a server on this computer; elsewhere the editor's own `fetch` follows its settings. */
  readonly strictTls?: boolean;
  /** `fetch` for addresses that are not on this computer; default the global one, which the editor routes and certifies. */
  readonly fetch?: Fetch;
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

/** How requests go to an endpoint: to this computer by a connection of our own, elsewhere as the editor routes them. */
export function plainFetch(options: Pick<ModelClientOptions, 'fetch' | 'strictTls'>, endpoint: Endpoint): Fetch {
  if (endpoint.loopback) return (url, init) => loopbackFetch(url instanceof Request ? url.url : url, init, options.strictTls);
  return options.fetch ?? ((url, init) => globalThis.fetch(url, init));
}

class OpenAiModelClient implements ModelClient {
  readonly simulated = false;
  readonly name: string;
  private readonly quirks: ServerQuirks = { maxCompletionTokens: false, noStreamOptions: false };

  constructor(private readonly options: ModelClientOptions, private readonly endpoint: Endpoint) {
    this.name = options.model;
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const own = ownSignal(signal);
    let whole = false;
    try {
      // A reader may leave after the last event: the reply is whole by then, and its connection serves the next request.
      for await (const event of this.attempts(request, own.signal)) {
        whole = event.type === 'done';
        yield event;
      }
      whole = true;
    } finally {
      own.end(whole);
    }
  }

  private async *attempts(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const { random = Math.random, clock = systemClock } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      const notes: StreamNotes = { cleaner: new EventStreamCleaner() };
      let events: AsyncIterable<unknown>;
      try {
        events = await this.open(request, notes, signal);
      } catch (caught) {
        const error = notes.failure ?? caught;
        const wait = this.waitBefore(attempt, error, clock.now(), random);
        if (wait === null) throw this.failed(error, signal);
        yield { type: 'wait', ...wait };
        await clock.sleep(wait.ms, signal);
        continue;
      }
      yield* this.read(events, notes, signal);
      return;
    }
  }

  /** Sends the request; once more without a parameter that the server refuses by name, which is then remembered. */
  private async open(request: ChatRequest, notes: StreamNotes, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    const idleMs = this.options.idleMs ?? 120_000;
    const client = openAiFor(this.options, this.endpoint, streamFetch(plainFetch(this.options, this.endpoint), notes, idleMs));
    const send = () => {
      const body = requestBody(this.options.model, request, this.quirks, this.options.extraBody);
      return client.chat.completions.create(body as unknown as ChatCompletionCreateParamsStreaming, { signal });
    };
    try {
      return await send();
    } catch (error) {
      if (!this.learnFrom(error)) throw error;
      return send();
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
      const failure = modelErrorOf(error, this.endpoint.origin);
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

  private async *read(events: AsyncIterable<unknown>, notes: StreamNotes, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const reply = new ReplyAssembler();
    try {
      for await (const event of events) yield* reply.push(event);
    } catch (error) {
      throw this.failed(error, signal);
    }
    if (signal.aborted) throw new DOMException('Cancelled.', 'AbortError');
    if (notes.failure) throw this.failed(notes.failure, signal);
    yield* reply.end();
    const finish = reply.finishReason ?? (notes.cleaner.done ? 'stop' : null);
    if (reply.empty && finish !== 'length') throw emptyReply(finish);
    if (finish === null) {
      throw new ModelError('ended-early', message('The reply broke off: the endpoint closed the stream without an end.'),
        message('Try again; if it happens often, look at the server’s log.'));
    }
    yield reply.done(finish, notes.cleaner.warnings);
  }

  private failed(error: unknown, signal: AbortSignal): Error {
    return signal.aborted ? new DOMException('Cancelled.', 'AbortError') : modelErrorOf(error, this.endpoint.origin);
  }
}

/**
 * A signal for one request that follows another: the SDK never takes its listeners off the signal it is given. `end` lets
 * go of the other; a request that is not `whole` by then is ended early, and its connection closed.
 */
export function ownSignal(signal: AbortSignal): { signal: AbortSignal; end(whole: boolean): void } {
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    signal: own.signal,
    end: (whole) => {
      signal.removeEventListener('abort', abort);
      if (!whole) abort();
    },
  };
}

function emptyReply(finish: string | null): ModelError {
  return new ModelError('empty-reply', finish === 'content_filter'
    ? message('The endpoint’s filter held the reply back.')
    : message('The endpoint sent an empty reply.'),
  message('Try again, or look at the server’s log; an empty reply is never played or taken for an answer.'));
}
