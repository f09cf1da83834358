import { z } from 'zod';
import { parseEndpoint } from '../../core/models/endpoint';
import type { ModelClientOptions } from './openaiClient';
import { plainFetch } from './transport';

/** vLLM answers with a count, llama.cpp and SGLang with the tokens. */
const Answer = z.union([z.looseObject({ count: z.int() }), z.looseObject({ tokens: z.array(z.unknown()) })]);
const PATIENCE_MS = 5_000;

/**
 * Tokens of a text by the server's own tokenizer, where it offers `/tokenize` (vLLM, SGLang, llama.cpp); null where it does
 * not, or does not answer. Rejects only when cancelled.
 */
export async function countTokens(options: Pick<ModelClientOptions, 'endpoint' | 'model' | 'apiKey' | 'fetch' | 'strictTls'>, text: string, signal: AbortSignal): Promise<number | null> {
  const endpoint = parseEndpoint(options.endpoint);
  const fetch = plainFetch(options, endpoint);
  const headers = { 'content-type': 'application/json', ...(options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}) };
  // vLLM reads `prompt`, llama.cpp `content`, SGLang either.
  const body = JSON.stringify({ model: options.model, prompt: text, content: text, add_special_tokens: false });
  try {
    const url = new URL(`${endpoint.base.replace(/\/v\d+[a-z0-9]*$/i, '')}/tokenize`);
    for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    const answer = Answer.safeParse(await response.json());
    if (!answer.success) return null;
    return 'count' in answer.data ? (answer.data.count as number) : answer.data.tokens.length;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
