import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';

/** Connections of our own, kept between requests; no proxy setting reaches them. */
const plain = new http.Agent({ keepAlive: true });
const strict = new https.Agent({ keepAlive: true });
const trusting = new https.Agent({ keepAlive: true, rejectUnauthorized: false });

const NO_BODY = new Set([101, 204, 205, 304]);

/**
 * `fetch` for servers on this computer: a connection of its own that no proxy setting of the environment or of the
 * editor can capture. Redirects are not followed. `strictTls` false takes any certificate, as the editor's `http.proxyStrictSSL` says.
 */
export async function loopbackFetch(url: string | URL, init?: RequestInit, strictTls?: boolean): Promise<Response> {
  return responseOf(await loopbackRequest(url, init, strictTls));
}

/**
 * The same up to the head of the answer, whose body is still to be read. No web stream stands between: that of a `Response`
 * costs more than the request itself, and a window of many episodes makes hundreds at once.
 */
export async function loopbackRequest(url: string | URL, init: RequestInit = {}, strictTls = true): Promise<http.IncomingMessage> {
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const transport = secure ? https : http;
  const headers = recordOf(init.headers);
  const body = typeof init.body === 'string' ? init.body : init.body ? await new Response(init.body).text() : null;
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body));
  const { signal } = init;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = transport.request(target, { method: init.method ?? 'GET', headers, agent: secure ? (strictTls ? strict : trusting) : plain });
    // A request that is over takes no notice: its connection serves others by then. Without an error of ours, which a connection that
    // nobody listens to any more would throw: the request, and whoever reads the answer, hear that it was reset.
    signal?.addEventListener('abort', () => request.destroy(), { once: true });
    request.on('error', (error) => reject(signal?.aborted ? new DOMException('Cancelled.', 'AbortError') : error));
    request.once('response', (answer: http.IncomingMessage) => {
      // Whoever reads the body hears of its end; when nobody does, a connection that breaks is no one's error.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    request.end(body ?? undefined);
  });
}

/** Headers as names and values; a plain record stays what it is. */
function recordOf(headers: RequestInit['headers'] = {}): Record<string, string> {
  const isPlain = !(headers instanceof Headers) && !Array.isArray(headers);
  return isPlain ? { ...(headers as Record<string, string>) } : Object.fromEntries(new Headers(headers).entries());
}

/** What was answered, for those who read a body as `fetch` gives it. */
export function responseOf(message: http.IncomingMessage): Response {
  const status = message.statusCode ?? 500;
  const stream = NO_BODY.has(status) ? null : (Readable.toWeb(message) as ReadableStream);
  return new Response(stream, { status, statusText: message.statusMessage ?? '', headers: headersOf(message) });
}

function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  return headers;
}
