import { beforeEach, describe, expect, it, vi } from 'vitest';
import { collectReply } from '../../../src/core/models/collect';
import type { ChatRequest } from '../../../src/core/ports';
import { LanguageModelError, LanguageModelTextPart, LanguageModelToolCallPart, offered } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));
const { editorModel } = await import('../../../src/vscode/models/languageModel');

interface Sent {
  readonly messages: readonly unknown[];
  readonly options: unknown;
  readonly token: { readonly isCancellationRequested: boolean; onCancellationRequested(listener: () => void): unknown };
}
const sent: Sent[] = [];

/** A language model of the editor that answers with these parts, or fails. */
function offer(parts: readonly unknown[] | Error, countTokens: (text: unknown) => Promise<number> = () => Promise.resolve(3)): void {
  offered.models = [{
    id: 'm-1', vendor: 'v', family: 'f', name: 'Model', maxInputTokens: 100, countTokens,
    sendRequest: (messages: unknown[], options: unknown, token: Sent['token']) => {
      sent.push({ messages, options, token });
      if (parts instanceof Error) return Promise.reject(parts);
      return Promise.resolve({ stream: streamOf(parts) });
    },
  }];
}
async function* streamOf(parts: readonly unknown[]) {
  for (const part of parts) {
    await Promise.resolve();
    if (part instanceof Error) throw part;
    yield part;
  }
}
const text = (value: string) => new LanguageModelTextPart(value);
const hello: ChatRequest = { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'hello' }], sampling: { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 9 } };
const ask = (request = hello, signal = new AbortController().signal, name = 'v/f') => collectReply(editorModel(name), request, signal);

beforeEach(() => {
  sent.length = 0;
});

describe('a language model of the editor', () => {
  it('streams text, and its tokens are those of its own tokenizer', async () => {
    offer([text('Hel'), text('lo.')]);
    const reply = await ask();
    expect(reply).toMatchObject({ text: 'Hello.', finishReason: 'stop', usage: { promptTokens: 6, completionTokens: 3, totalTokens: 9 } });
    expect(reply.warnings).toHaveLength(1);
    expect(sent[0]?.options).toMatchObject({ modelOptions: { temperature: 0.6, top_p: 0.95, max_tokens: 9 } });
    expect(sent[0]?.messages).toEqual([{ role: 'user', content: 'Be brief.' }, { role: 'user', content: 'hello' }]);
  });

  it('passes tools, calls and their results on in the editor’s shapes', async () => {
    offer([new LanguageModelToolCallPart('c1', 'look', { at: 1 })]);
    const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }];
    const reply = await ask({
      tools,
      messages: [{ role: 'user', content: 'go' }, { role: 'assistant', content: '', calls: [{ id: 'c0', name: 'look', arguments: { at: 0 } }] }, { role: 'tool', callId: 'c0', content: 'nothing' }],
    });
    expect(reply).toMatchObject({ calls: [{ id: 'c1', name: 'look', arguments: { at: 1 } }], finishReason: 'tool_calls' });
    expect(sent[0]?.options).toMatchObject({ tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] });
    expect(sent[0]?.messages.slice(1)).toMatchObject([{ role: 'assistant', content: [{ callId: 'c0', input: { at: 0 } }] }, { role: 'user', content: [{ callId: 'c0', content: [{ value: 'nothing' }] }] }]);
  });

  it.each([
    ['a refused consent', new LanguageModelError('not allowed', 'NoPermissions'), 'model/unauthorized'],
    ['a model that is gone', new LanguageModelError('gone', 'NotFound'), 'model/not-found'],
    ['a used-up quota', new LanguageModelError('You have exceeded your premium quota', 'Blocked'), 'model/rate-limited'],
    ['a filter', new LanguageModelError('refused', 'Blocked'), 'model/no-answer'],
    ['a full context', new Error('prompt token count exceeds the token limit'), 'model/context-full'],
    ['anything else', new Error('boom'), 'model/server-error'],
  ])('%s is an error with its own code', async (_, error, code) => {
    offer(error);
    await expect(ask()).rejects.toMatchObject({ code });
    offer([text('half'), error]);
    await expect(ask()).rejects.toMatchObject({ code });
  });

  it('an empty reply is an error, and so is a name that is not offered', async () => {
    offer([]);
    await expect(ask()).rejects.toMatchObject({ code: 'model/empty-reply' });
    await expect(ask(hello, undefined, 'other')).rejects.toMatchObject({ code: 'model/not-found', next: { args: { offered: 'v/f' } } });
    offered.models = [];
    await expect(ask(hello, undefined, '')).rejects.toMatchObject({ code: 'model/not-found' });
  });

  it('a cancelled call reaches the model and is no failure', async () => {
    offer([text('a'), text('b'), text('c')]);
    const controller = new AbortController();
    const reply = collectReply(editorModel('m-1'), hello, controller.signal, () => controller.abort());
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent[0]?.token.isCancellationRequested).toBe(true);
  });

  it('tokens that it does not count are unknown, not zero', async () => {
    offer([text('x')], () => Promise.reject(new Error('no tokenizer')));
    expect((await ask()).usage).toBeNull();
  });
});
