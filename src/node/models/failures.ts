import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { isCancelled } from '../../core/errors';
import { errorForStatus, ModelError, saysContextIsFull } from '../../core/models/errors';
import { message } from '../../shared/message';

/**
 * Turns whatever the client threw into a {@link ModelError}; cancellations pass as they are. `origin` is named to the user. Some servers
 * repeat the key that they refuse: it is taken out of their words, which go on to terminals, reports and saved sessions.
 */
export function modelErrorOf(error: unknown, origin: string, apiKey?: string): Error {
  if (error instanceof ModelError) return error;
  if (error instanceof APIUserAbortError) return new DOMException('Cancelled.', 'AbortError');
  const cause = rootCause(error);
  if (cause instanceof ModelError) return cause;
  if (isApiError(error) && !(error instanceof APIConnectionError)) {
    const said = wordsOf(error, apiKey);
    return error.status === undefined ? inStream(error, said) : errorForStatus(error.status, said, error);
  }
  if (isCancelled(error)) return error as Error;
  return connectionError(error, cause, origin);
}

/** True for an answer of the server that the SDK took for an error; gives it back its types, which `instanceof` loses. */
export function isApiError(error: unknown): error is APIError<number | undefined, Headers | undefined, object | undefined> {
  return error instanceof APIError;
}

/** The address belongs to a site for people. */
export function webPage(): ModelError {
  return new ModelError('not-an-api', message('The address answers with a web page, not with a reply.'), message('Check the endpoint’s address; most servers want /v1 at its end.'));
}

/** What the server said, without the status that the client puts in front; empty where it said nothing. Its last full stop is ours to set. */
function wordsOf(error: APIError, apiKey: string | undefined): string {
  const body = error.error as { message?: unknown; code?: unknown } | string | undefined;
  const said = typeof body === 'string' ? body : body?.message;
  const text = (typeof said === 'string' ? said : error.message.replace(/^\d{3} /, '').replace(/^status code \(no body\)$/, '')).trim().replace(/(?<!\.)\.$/, '');
  const words = typeof body === 'object' && typeof body?.code === 'string' ? `${text} (${body.code})` : text;
  return apiKey ? words.replaceAll(apiKey, '[key]') : words;
}

function inStream(error: APIError, said: string): ModelError {
  const { code } = (error.error ?? {}) as { code?: unknown };
  if (typeof code === 'number' && code >= 400) return errorForStatus(code, said, error);
  if (saysContextIsFull(said)) return errorForStatus(400, said, error);
  return new ModelError('stream-error', message('The endpoint reported an error in mid-reply: {said}.', { said: said.slice(0, 500) }),
    message('Look at the server’s log, then try again.'), { cause: error });
}

function connectionError(error: unknown, cause: unknown, origin: string): ModelError {
  const code = codeOf(cause) ?? codeOf(error) ?? '';
  const options = { cause: error };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return new ModelError('certificate', message('The certificate of {origin} cannot be trusted ({code}).', { origin, code }),
      message('Install the certificate in the system and turn on http.systemCertificates, or turn http.proxyStrictSSL off in your user settings; for the command line set NODE_EXTRA_CA_CERTS.'), options);
  }
  if (/TIMEDOUT|TIMEOUT/.test(code)) {
    return new ModelError('timeout', message('{origin} did not answer in time.', { origin }), message('Look whether the server runs and is reachable.'), options);
  }
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(code)) {
    return new ModelError('unreachable', message('Nothing answers at {origin} ({code}).', { origin, code }),
      message('Start the server, or correct the endpoint’s address.'), options);
  }
  return new ModelError('connection-reset', message('The connection to {origin} broke off ({code}).', { origin, code: code || String(cause) }),
    message('Try again; if it happens often, look at the server’s log.'), options);
}

function rootCause(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && at.cause !== undefined && at.cause !== at) at = at.cause;
  return at;
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
