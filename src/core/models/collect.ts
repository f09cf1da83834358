import type { ToolCall } from '../../shared/play';
import type { ChatEvent, ChatRequest, ModelClient, Usage } from '../ports';

/** A whole reply. `reasoning` is what the model thought where the server told it apart. */
export interface Reply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage: Usage | null;
  readonly warnings: readonly string[];
}

/** Reads a stream to its end, passing every event on as it comes. Rejects as the stream does. */
export async function collectReply(
  client: ModelClient,
  request: ChatRequest,
  signal: AbortSignal,
  onEvent: (event: ChatEvent) => void = () => {},
): Promise<Reply> {
  let text = '';
  let reasoning = '';
  for await (const event of client.stream(request, signal)) {
    onEvent(event);
    if (event.type === 'text') text += event.text;
    else if (event.type === 'reasoning') reasoning += event.text;
    else if (event.type === 'done') {
      const { finishReason, calls, usage, warnings } = event;
      return { text, reasoning, calls, finishReason, usage, warnings };
    }
  }
  throw new Error(`The client ${client.name} ended a stream without an end of the reply.`);
}

/** The reply as the run would hold it: with the thinking in its tags in front of the answer. */
export function rawReply({ text, reasoning }: Pick<Reply, 'text' | 'reasoning'>): string {
  return reasoning === '' ? text : `<think>${reasoning}</think>${text}`;
}
