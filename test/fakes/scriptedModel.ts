import type { ChatEvent, ChatRequest, ModelClient } from '../../src/core/ports';

/** A reply of the scripted model: a text, whole events, or what it fails with. */
export type ScriptedReply = string | readonly ChatEvent[] | Error;

/** A model that gives prepared replies in turn, the last again and again, and keeps what it was asked. */
export function scriptedModel(replies: readonly ScriptedReply[]): ModelClient & { asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name: 'scripted', simulated: false, asked,
    async *stream(request, signal) {
      const reply = replies[Math.min(asked.length, replies.length - 1)];
      asked.push(request);
      await Promise.resolve();
      signal.throwIfAborted();
      if (reply instanceof Error) throw reply;
      yield* typeof reply === 'string' ? spoken(reply) : (reply ?? []);
    },
  };
}

/** The events of a good reply. */
export function spoken(text: string, finishReason = 'stop'): ChatEvent[] {
  const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
  return [
    ...pieces.map((piece) => ({ type: 'text' as const, text: piece })),
    { type: 'done', finishReason, calls: [], usage: { promptTokens: 100, completionTokens: 20, totalTokens: 120 }, warnings: [] },
  ];
}
