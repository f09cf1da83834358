import * as vscode from 'vscode';
import { isCancelled } from '../../core/errors';
import { ModelError } from '../../core/models/errors';
import type { ChatEvent, ChatMessage, ChatRequest, ModelClient, Sampling } from '../../core/ports';
import { message } from '../../shared/message';
import type { ToolCall } from '../../shared/play';

/** What the editor's language models do not say, and what must therefore be said beside their replies. */
const WARNING = 'the editor does not say whether a reply was cut at the token limit';

/**
 * A language model of the editor behind the same port as a server. The editor asks for the user's consent; refusals, quotas
 * and filters reject with a {@link ModelError}, and a reply with nothing in it does too.
 *
 * @param name its id, or `vendor/family`; empty for the first that is offered.
 */
export function editorModel(name: string): ModelClient {
  return { name: name === '' ? 'editor' : name, simulated: false, stream: (request, signal) => stream(name, request, signal) };
}

/** The language models that the editor offers now. */
export async function editorModels(): Promise<readonly vscode.LanguageModelChat[]> {
  return vscode.lm.selectChatModels();
}

/** @throws ModelError `not-found` when the editor offers no such model. */
export async function findEditorModel(name: string): Promise<vscode.LanguageModelChat> {
  const models = await editorModels();
  const found = name === '' ? models[0] : models.find(({ id, vendor, family }) => [id, `${vendor}/${id}`, `${vendor}/${family}`, family].includes(name));
  if (found) return found;
  const offered = models.map(({ vendor, family }) => `${vendor}/${family}`).join(', ');
  throw new ModelError('not-found', message('The editor offers no language model {name}.', { name: name === '' ? '' : `“${name}”` }), offered === ''
    ? message('Install an extension that offers language models and sign in to it, or set another envwright.model.provider.')
    : message('Set envwright.model.name to one of: {offered}.', { offered }));
}

async function* stream(name: string, request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
  signal.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const model = await findEditorModel(name);
    const messages = editorMessages(request.messages);
    const response = await model.sendRequest(messages, optionsOf(request), source.token);
    const calls: ToolCall[] = [];
    let text = '';
    for await (const part of response.stream) {
      signal.throwIfAborted();
      if (part instanceof vscode.LanguageModelTextPart) {
        text += part.value;
        yield { type: 'text', text: part.value };
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        calls.push({ id: part.callId, name: part.name, arguments: part.input as ToolCall['arguments'] });
      }
    }
    signal.throwIfAborted();
    if (text === '' && calls.length === 0) {
      throw new ModelError('empty-reply', message('The language model {name} gave an empty reply.', { name: model.name }), message('Try again; an empty reply is never played or taken for an answer.'));
    }
    yield { type: 'done', finishReason: calls.length > 0 ? 'tool_calls' : 'stop', calls, usage: await usageOf(model, messages, text, source.token), warnings: [WARNING] };
  } catch (error) {
    if (signal.aborted) throw new DOMException('Cancelled.', 'AbortError');
    throw editorModelError(error, name);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.cancel();
    source.dispose();
  }
}

/** The editor has no system role: that text opens the first message. */
function editorMessages(messages: readonly ChatMessage[]): vscode.LanguageModelChatMessage[] {
  const { LanguageModelChatMessage: Message } = vscode;
  return messages.map((one) => {
    if (one.role === 'tool') return Message.User([new vscode.LanguageModelToolResultPart(one.callId, [new vscode.LanguageModelTextPart(one.content)])]);
    if (one.role !== 'assistant') return Message.User(one.content);
    if (!one.calls?.length) return Message.Assistant(one.content);
    const parts = one.calls.map(({ id, name, arguments: input }) => new vscode.LanguageModelToolCallPart(id, name, typeof input === 'object' && input !== null ? input : {}));
    return Message.Assistant([...(one.content === '' ? [] : [new vscode.LanguageModelTextPart(one.content)]), ...parts]);
  });
}

function optionsOf({ sampling = {}, tools = [] }: ChatRequest): vscode.LanguageModelChatRequestOptions {
  return {
    justification: vscode.l10n.t('Envwright asks it to design, play or judge environments.'),
    modelOptions: modelOptions(sampling),
    ...(tools.length > 0 && { tools: tools.map(editorTool) }),
  };
}

function modelOptions({ temperature, topP, topK, maxTokens, seed }: Sampling): Record<string, number> {
  const all = { temperature, top_p: topP, top_k: topK, max_tokens: maxTokens, seed };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** A tool of the function-calling schema in the editor's form. */
function editorTool(tool: unknown): vscode.LanguageModelChatTool {
  const { function: declared } = tool as { function?: { name?: string; description?: string; parameters?: object } };
  return {
    name: declared?.name ?? '', description: declared?.description ?? '',
    ...(declared?.parameters && { inputSchema: declared.parameters }),
  };
}

/** Tokens by the model's own tokenizer; null when it does not count. */
async function usageOf(model: vscode.LanguageModelChat, messages: readonly vscode.LanguageModelChatMessage[], text: string, token: vscode.CancellationToken) {
  try {
    const asked = await Promise.all(messages.map((one) => model.countTokens(one, token)));
    const promptTokens = asked.reduce((sum, count) => sum + count, 0);
    const completionTokens = await model.countTokens(text, token);
    return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  } catch {
    return null;
  }
}

/** What the editor or the model's extension refused, in the codes of the other providers. */
function editorModelError(error: unknown, name: string): Error {
  if (error instanceof ModelError || isCancelled(error)) return error as Error;
  const words = error instanceof Error ? error.message.slice(0, 500) : String(error);
  const options = { cause: error };
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  if (code === 'NoPermissions') {
    return new ModelError('unauthorized', message('Envwright may not use the language model {name}: {words}.', { name, words }),
      message('Allow it when the editor asks, or under Accounts, Manage Language Model Access.'), options);
  }
  if (code === 'NotFound') return new ModelError('not-found', message('The language model {name} is gone: {words}.', { name, words }), message('Choose another one in envwright.model.name.'), options);
  if (/quota|rate.?limit|too many requests|exceeded your/i.test(`${code} ${words}`)) {
    return new ModelError('rate-limited', message('The language model {name} refuses more requests for now: {words}.', { name, words }), message('Wait, or use another model.'), options);
  }
  if (code === 'Blocked' || /content.?filter|responsible ai|off.?topic/i.test(`${code} ${words}`)) {
    return new ModelError('no-answer', message('The language model {name} was kept from answering: {words}.', { name, words }), message('Change the prompt, or use another model.'), options);
  }
  if (/context|too long|too many tokens|token limit/i.test(words)) {
    return new ModelError('context-full', message('The prompt does not fit into the model’s context: {said}.', { said: words }),
      message('Shorten the prompt (leave out the document or the memory), lower the reply’s token limit, or use a model with a longer context.'), options);
  }
  return new ModelError('server-error', message('The language model {name} failed: {words}.', { name, words }), message('Look at the log of its extension, then try again.'), options);
}
