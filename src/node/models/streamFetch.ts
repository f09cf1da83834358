import { EventStreamCleaner } from '../../core/models/eventStream';
import { ModelError } from '../../core/models/errors';
import { message } from '../../shared/message';

/** `fetch` as this module and the client need it. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What a streamed answer turned out to be, beside its events; filled while it is read. */
export interface StreamNotes {
  readonly cleaner: EventStreamCleaner;
  /** What broke the body off, undefined when it ended by itself. */
  failure?: unknown;
}

/**
 * Wraps `fetch` so that a good answer to a chat request is always a clean event stream: junk is dropped, one JSON
 * document becomes one event, a page that is no API is refused, and a server that stops sending is not waited for.
 */
export function streamFetch(fetch: Fetch, notes: StreamNotes, idleMs: number): Fetch {
  return async (url, init) => {
    const response = await answered(fetch, url, init, notes, idleMs);
    if (!response.ok || !response.body) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/html')) {
      throw new ModelError('not-an-api', message('The address answers with a web page, not with a reply.'),
        message('Check the endpoint’s address; most servers want /v1 at its end.'));
    }
    const body = type.includes('application/json')
      ? oneEvent(response, notes)
      : cleaned(response.body.getReader(), notes, idleMs);
    return new Response(body, { status: response.status, headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Waits for the answer's head; a server that never answers has its connection closed. */
async function answered(fetch: Fetch, url: string | URL | Request, init: RequestInit | undefined, notes: StreamNotes, idleMs: number): Promise<Response> {
  const silent = new AbortController();
  const signal = init?.signal ? AbortSignal.any([init.signal, silent.signal]) : silent.signal;
  try {
    return await beforeIdle(fetch(url, { ...init, signal }), idleMs);
  } catch (error) {
    notes.failure = error;
    silent.abort();
    throw error;
  }
}

function cleaned(reader: ReadableStreamDefaultReader<Uint8Array>, notes: StreamNotes, idleMs: number): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        for (;;) {
          const { value, done } = await beforeIdle(reader.read(), idleMs);
          const text = done ? notes.cleaner.end() : notes.cleaner.push(value);
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (done) return controller.close();
          if (text !== '') return;
        }
      } catch (error) {
        notes.failure = error;
        controller.error(error);
        await reader.cancel().catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** A server that ignores `stream` answers with one document: it is sent on as one event. */
function oneEvent(response: Response, notes: StreamNotes): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      const { cleaner } = notes;
      const line = new TextEncoder().encode(`data: ${JSON.stringify(await response.json().catch(() => null))}\n\ndata: [DONE]\n\n`);
      controller.enqueue(new TextEncoder().encode(cleaner.push(line)));
      controller.close();
    },
  });
}

async function beforeIdle<T>(work: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(idleError(idleMs)), idleMs);
  });
  try {
    return await Promise.race([work, idle]);
  } finally {
    clearTimeout(timer);
  }
}

function idleError(idleMs: number): ModelError {
  return new ModelError('timeout', message('The endpoint sent nothing for {seconds} s.', { seconds: Math.round(idleMs / 100) / 10 }),
    message('Look whether the server still works. For a slow one raise envwright.model.timeout, on the command line --model-timeout.'));
}
