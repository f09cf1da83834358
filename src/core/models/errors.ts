import { message, type Message } from '../../shared/message';
import { EnvwrightError } from '../errors';

/** What can go wrong between a request and a whole reply; stable, shown to people as part of the error's code. */
export type ModelErrorCode =
  | 'endpoint-empty' | 'endpoint-scheme' | 'endpoint-malformed' | 'endpoint-credentials'
  | 'unreachable' | 'certificate' | 'timeout' | 'connection-reset' | 'ended-early'
  | 'unauthorized' | 'not-found' | 'rate-limited' | 'context-full' | 'bad-request' | 'server-error'
  | 'not-an-api' | 'stream-error' | 'empty-reply' | 'no-answer' | 'budget' | 'not-offered';

/**
 * A model call that gave no usable reply. `status` is the HTTP status where there was one. A failed call always rejects
 * with this and never looks like an empty reply.
 */
export class ModelError extends EnvwrightError {
  constructor(
    readonly kind: ModelErrorCode,
    what: Message,
    next: Message,
    options?: { cause?: unknown; status?: number },
  ) {
    super(`model/${kind}`, what, next, options);
    this.name = 'ModelError';
    this.status = options?.status ?? null;
  }

  readonly status: number | null;
}

const CONTEXT_WORDS =
  /context[ _-]?(length|window|size)|maximum context|context_length_exceeded|exceeds? (the )?(available |model'?s? )?context|prompt is too long|too many (input )?tokens|input is too long|exceed_context_size/i;

/** True when a server's words say that prompt and reply do not fit into the model's context. */
export function saysContextIsFull(text: string): boolean {
  return CONTEXT_WORDS.test(text);
}

/** The error for an HTTP status and the server's own words (untrusted text, cut to 500 characters). */
export function errorForStatus(status: number, serverText: string, cause?: unknown): ModelError {
  const said = serverText.trim().slice(0, 500) || 'no explanation';
  const options = { cause, status };
  if (saysContextIsFull(serverText) && status !== 429) {
    return new ModelError('context-full', message('The prompt does not fit into the model’s context: {said}.', { said }),
      message('Shorten the prompt (leave out the document or the memory), lower the reply’s token limit, or use a model with a longer context.'), options);
  }
  if (status === 401 || status === 403) {
    return new ModelError('unauthorized', message('The endpoint refused the key (HTTP {status}): {said}.', { status, said }),
      message('Set the API key for this endpoint again.'), options);
  }
  if (status === 404) {
    return new ModelError('not-found', message('The endpoint knows no such model or path (HTTP 404): {said}.', { said }),
      message('Check the endpoint’s address and the model’s name; the connection test lists the models it offers.'), options);
  }
  if (status === 429) {
    return new ModelError('rate-limited', message('The endpoint refuses more requests for now (HTTP 429): {said}.', { said }),
      message('Wait, lower the number of concurrent plays, or use another endpoint.'), options);
  }
  if (status >= 500) {
    return new ModelError('server-error', message('The endpoint failed (HTTP {status}): {said}.', { status, said }),
      message('Look at the server’s log, then try again.'), options);
  }
  return new ModelError('bad-request', message('The endpoint refused the request (HTTP {status}): {said}.', { status, said }),
    message('Check the model’s name and the sampling settings: this server may not know one of them.'), options);
}
