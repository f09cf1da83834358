import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLoopback, parseEndpoint } from '../../../../src/core/models/endpoint';
import { ModelError } from '../../../../src/core/models/errors';

interface UrlCase { base: string; chat: string }
const { results } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/cases/24-base-url-forms/expected.json'), 'utf8'),
) as { results: UrlCase[] };
const errors: Record<string, string> = { 'error: empty': 'endpoint-empty', 'error: needs http:// or https://': 'endpoint-scheme' };

describe('an endpoint’s address', () => {
  it.each(results.map(({ base, chat }) => [base, chat]))('%j is read as case 24 says', (base, chat) => {
    if (!chat.startsWith('error:')) return expect(`${parseEndpoint(base).base}/chat/completions`).toBe(chat);
    let kind = '';
    try {
      parseEndpoint(base);
    } catch (error) {
      kind = (error as ModelError).kind;
    }
    return expect(kind).toBe(errors[chat]);
  });

  it('keeps a version in the middle and the query', () => {
    const endpoint = parseEndpoint('https://h.example.com/v1beta/openai/?api-version=2');
    expect(endpoint).toMatchObject({ base: 'https://h.example.com/v1beta/openai', query: { 'api-version': '2' }, loopback: false });
  });

  it('refuses a password in it', () => {
    expect(() => parseEndpoint('https://me:secret@h.example.com/v1')).toThrow(ModelError);
  });

  it.each(['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'gpu.localhost'])('%s is this computer', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['localhost.example.com', '128.0.0.1', 'example.com', '10.0.0.1'])('%s is not', (host) => expect(isLoopback(host)).toBe(false));
});
