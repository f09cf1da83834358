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
