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
export async function loopbackFetch(url: string | URL, init: RequestInit = {}, strictTls = true): Promise<Response> {
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const transport = secure ? https : http;
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  const body = typeof init.body === 'string' ? init.body : init.body ? await new Response(init.body).text() : null;
  return new Promise((resolve, reject) => {
    const request = transport.request(target, {
      method: init.method ?? 'GET',
      headers: body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: secure ? (strictTls ? strict : trusting) : plain,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    request.once('error', reject);
    request.once('response', (message) => {
      const status = message.statusCode ?? 500;
      const stream = NO_BODY.has(status) ? null : (Readable.toWeb(message) as ReadableStream);
      resolve(new Response(stream, { status, statusText: message.statusMessage ?? '', headers: headersOf(message) }));
    });
    request.end(body ?? undefined);
  });
}

function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  return headers;
}
