import { message } from '../../shared/message';
import { ModelError } from './errors';

/** An endpoint's address, taken apart: `base` ends before `/chat/completions`; `query` holds parameters for every request. */
export interface Endpoint {
  readonly base: string;
  readonly origin: string;
  readonly query: Readonly<Record<string, string>>;
  /** True for `localhost`, 127.0.0.0/8 and `::1`: no proxy may stand between. */
  readonly loopback: boolean;
}

const VERSION_SEGMENT = /^v\d+[a-z0-9]*$/i;
const OPERATION = /\/(chat\/completions|completions|responses|models|chat)$/;

/**
 * Reads an endpoint in any of the forms people write it: with, without and with half a `/v1`, with a trailing slash, or
 * as the full address of the chat operation. A path that names no version gets `/v1`, any other keeps its own.
 *
 * @throws ModelError `endpoint-empty`, `endpoint-scheme`, `endpoint-malformed`, `endpoint-credentials`.
 */
export function parseEndpoint(text: string): Endpoint {
  const trimmed = text.trim();
  const example = message('Give an address such as http://localhost:8000/v1.');
  if (trimmed === '') throw new ModelError('endpoint-empty', message('No endpoint is set.'), example);
  if (!/^https?:\/\//i.test(trimmed)) {
    throw new ModelError('endpoint-scheme', message('The endpoint “{endpoint}” needs http:// or https:// in front.', { endpoint: trimmed }), example);
  }
  const url = parseOrNull(trimmed);
  if (!url) throw new ModelError('endpoint-malformed', message('“{endpoint}” is no address.', { endpoint: trimmed }), example);
  if (url.username || url.password) {
    throw new ModelError('endpoint-credentials', message('The endpoint holds a user name or password, which would be kept in plain text.'),
      message('Take it out of the address and set it as the API key.'));
  }
  const path = url.pathname.replace(/\/+$/, '').replace(OPERATION, '');
  const versioned = path.split('/').some((segment) => VERSION_SEGMENT.test(segment));
  return {
    base: `${url.origin}${path}${versioned ? '' : '/v1'}`,
    origin: url.origin,
    query: Object.fromEntries(url.searchParams),
    loopback: isLoopback(url.hostname),
  };
}

/** True when a host name can only mean this computer. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/i.test(host);
}

function parseOrNull(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
