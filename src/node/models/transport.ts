import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../../core/models/endpoint';
import { loopbackFetch, loopbackRequest, responseOf } from './loopbackFetch';

/** `fetch` as this module and the client need it. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request as it is sent, by POST. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The head of an answer; its body is still to be read, in one of two ways. */
export interface Answer {
  readonly ok: boolean;
  /** The content type, empty where none is said. */
  readonly type: string;
  /** The next piece of the body, null after the last. Rejects when the body breaks off. */
  next(): Promise<Uint8Array | null>;
  /** All of it, as `fetch` gives it. */
  response(): Response;
}

/** Sends a request; resolves with the head of its answer. */
export type Transport = (request: SentRequest, signal: AbortSignal) => Promise<Answer>;

/** How an endpoint is reached, of what a client is made with. */
export interface Route {
  /** False takes any certificate of a server on this computer; elsewhere the editor's own `fetch` follows its settings. */
  readonly strictTls?: boolean;
  /** `fetch` for addresses that are not on this computer; default the global one, which the editor routes and certifies. */
  readonly fetch?: Fetch;
}

/** How requests go to an endpoint: to this computer by a connection of our own, elsewhere as the editor routes them. */
export function plainFetch(route: Route, endpoint: Endpoint): Fetch {
  if (endpoint.loopback) return (url, init) => loopbackFetch(url instanceof Request ? url.url : url, init, route.strictTls);
  return route.fetch ?? ((url, init) => globalThis.fetch(url, init));
}

/** The same for answers that are read piece by piece. */
export function plainTransport(route: Route, endpoint: Endpoint): Transport {
  if (endpoint.loopback) return async (request, signal) => answerOf(await loopbackRequest(request.url, { method: 'POST', ...request, signal }, route.strictTls));
  const fetch = plainFetch(route, endpoint);
  return async ({ url, headers, body }, signal) => {
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    return {
      ok: response.ok,
      type: response.headers.get('content-type') ?? '',
      next: async () => {
        reader ??= response.body?.getReader();
        const piece = await reader?.read();
        return piece?.done === false ? piece.value : null;
      },
      response: () => response,
    };
  };
}

function answerOf(message: IncomingMessage): Answer {
  const { statusCode = 500, headers } = message;
  const pieces = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return {
    ok: statusCode >= 200 && statusCode < 300,
    type: headers['content-type'] ?? '',
    next: async () => {
      const piece = await pieces.next();
      return piece.done === true ? null : piece.value;
    },
    response: () => responseOf(message),
  };
}
