import type { ChatMessage, ChatRequest } from '../../core/ports';

/** What a server was found to refuse; kept with its client. */
export interface ServerQuirks {
  /** Wants `max_completion_tokens` in place of `max_tokens`. */
  maxCompletionTokens: boolean;
  /** Refuses `stream_options`. */
  noStreamOptions: boolean;
}

/**
 * The body of a streamed chat request. What is not set is left out, an empty list of tools too: several servers refuse
 * it. `extra` goes over everything else.
 */
export function requestBody(
  model: string,
  request: ChatRequest,
  quirks: ServerQuirks,
  extra: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { sampling = {}, thinking, tools = [] } = request;
  const body = {
    model,
    messages: request.messages.map(wireMessage),
    stream: true,
    stream_options: quirks.noStreamOptions ? undefined : { include_usage: true },
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    seed: sampling.seed,
    [quirks.maxCompletionTokens ? 'max_completion_tokens' : 'max_tokens']: sampling.maxTokens,
    chat_template_kwargs: thinking === undefined ? undefined : { enable_thinking: thinking },
    tools: tools.length > 0 ? tools : undefined,
    ...extra,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function wireMessage(message: ChatMessage): Record<string, unknown> {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  if (message.role !== 'assistant' || !message.calls?.length) return { role: message.role, content: message.content };
  return {
    role: 'assistant',
    content: message.content,
    tool_calls: message.calls.map(({ id, name, arguments: args }) => ({
      id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    })),
  };
}
