import * as http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the fake server got it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** Answers one request in any way, also badly. */
export type Answer = (response: http.ServerResponse, request: SeenRequest) => void | Promise<void>;

/** An OpenAI-compatible endpoint that answers each chat request with the next answer, the last one again and again. */
export interface ModelServer {
  readonly endpoint: string;
  readonly seen: readonly SeenRequest[];
  /** Connections that are open now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** @param models the list, or what answers in its place. @param tokenize answers `/tokenize`; without it the server has none. */
export async function startModelServer(answers: readonly Answer[], models: Answer | readonly (string | { readonly id: string; readonly max_model_len?: number })[] = ['fake'], tokenize?: (body: Record<string, unknown>) => unknown): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  let next = 0;
  const server = http.createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request) text += String(piece);
      const asked = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text || '{}') as Record<string, unknown> };
      seen.push(asked);
      if (asked.path.endsWith('/models')) return typeof models === 'function' ? models(response, asked) : sendJson(response, 200, { object: 'list', data: models.map((model) => ({ object: 'model', ...(typeof model === 'string' ? { id: model } : model) })) });
      if (asked.path.split('?')[0]?.endsWith('/tokenize')) return tokenize ? sendJson(response, 200, tokenize(asked.body)) : sendJson(response, 404, { error: 'no such path' });
      const answer = answers[Math.min(next, answers.length - 1)];
      next += 1;
      await answer?.(response, asked);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}/v1`,
    seen,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
  };
}

export function sendJson(response: http.ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A stream of raw pieces, each written on its own; `after` says how it ends. */
export function raw(pieces: readonly (string | Uint8Array)[], after: 'end' | 'hang' | 'reset' = 'end'): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    if (after === 'end') response.end();
    if (after === 'reset') response.socket?.resetAndDestroy();
  };
}

export function event(delta: Record<string, unknown>, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

/** A sound reply in a few events, with usage and an end. */
export function reply(text: string, extra: Record<string, unknown> = {}): Answer {
  const half = Math.ceil(text.length / 2);
  return raw([
    event({ role: 'assistant', content: text.slice(0, half) }),
    event({ content: text.slice(half), ...extra }),
    event({}, 'stop'),
    `data: ${JSON.stringify({ id: '1', choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } })}\n\n`,
    'data: [DONE]\n\n',
  ]);
}

/** A refusal with a JSON error. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}, code?: string): Answer {
  return (response) => sendJson(response, status, { error: { message, code, type: 'error' } }, headers);
}
