import { APIError } from 'openai';
import { describe, expect, it } from 'vitest';
import { modelErrorOf } from '../../../../src/node/models/failures';

const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

describe('what broke a connection is named', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'model/certificate'], ['CERT_HAS_EXPIRED', 'model/certificate'], ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'model/certificate'],
    ['ECONNREFUSED', 'model/unreachable'], ['ENOTFOUND', 'model/unreachable'], ['UND_ERR_CONNECT_TIMEOUT', 'model/timeout'], ['ECONNRESET', 'model/connection-reset'],
  ])('%s is %s', (code, kind) => expect(modelErrorOf(failed(code), 'https://h.example.com')).toMatchObject({ code: kind }));

  it('a certificate that cannot be trusted says where trust is set', () => {
    expect(modelErrorOf(failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'https://h.example.com').message).toContain('http.systemCertificates');
  });

  it('a cancellation stays one', () => expect(modelErrorOf(new DOMException('x', 'AbortError'), 'o').name).toBe('AbortError'));
});

it.each([400, 401, 500, undefined])('a server that repeats the key with status %s does not bring it into the message', (status) => {
  const body = { message: 'Incorrect API key provided: abc-123-key.', code: 'abc-123-key' };
  const refused = new APIError(status, body, undefined, new Headers());
  const { message } = modelErrorOf(refused, 'https://h.example.com', 'abc-123-key');
  expect(message).not.toContain('abc-123-key');
  expect(modelErrorOf(refused, 'https://h.example.com').message.includes('abc-123-key')).toBe(message.includes('[key]'));
});

it('the words of a server that is not told of otherwise stand in the message, with the key taken out', () => {
  const refused = new APIError(400, { message: 'bad request by abc-123-key' }, undefined, new Headers());
  expect(modelErrorOf(refused, 'https://h.example.com', 'abc-123-key').message).toContain('bad request by [key]');
});
