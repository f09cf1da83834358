import type { ChatMessage, ChatRequest, ModelClient, Sampling } from '../../ports';
import { parseToolCalls } from '../../environment/reading';
import { collectReply } from '../../models/collect';
import type { Policy, Shown, Turn } from '../policy';

/** Sampling of the paper's launchers: 8,192 tokens a turn (run contract §4). */
export const LAUNCHER_SAMPLING: Sampling = { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 8_192 };

/** How a model plays. `thinking` undefined leaves it to the server. */
export interface ModelPolicyOptions {
  readonly client: ModelClient;
  readonly sampling?: Sampling;
  readonly thinking?: boolean;
}

/** A model plays: first message and turns as in the run, tools passed natively (run contract §4). */
export function modelPolicy({ client, sampling = LAUNCHER_SAMPLING, thinking }: ModelPolicyOptions): Policy {
  return {
    name: client.name,
    simulated: client.simulated,
    usesHint: true,
    note: null,
    move: async (turn, signal) => {
      const request: ChatRequest = {
        messages: playMessages(turn),
        tools: turn.setting.tools,
        sampling,
        ...(thinking === undefined ? {} : { thinking }),
        purpose: { role: 'agent' },
      };
      const reply = await collectReply(client, request, signal, (event) => {
        if (event.type === 'text' || event.type === 'reasoning') turn.emit(event.type, event.text);
        else if (event.type === 'wait') turn.waiting(event.ms, event.why);
      });
      const { text, reasoning, calls, finishReason, usage } = reply;
      return { reply: text, thinking: reasoning, calls, cut: finishReason === 'length', tokens: usage?.completionTokens ?? null };
    },
  };
}

/**
 * The chat so far, as the run keeps it: plain user turns for observations, tool messages for results. Thinking stays out;
 * calls that were written as text go back as calls, and not twice.
 */
export function playMessages({ setting, past, shown }: Pick<Turn, 'setting' | 'past' | 'shown'>): ChatMessage[] {
  const messages = past.flatMap(({ shown: before, move }): ChatMessage[] => [
    ...shownMessages(before),
    move.calls?.length
      ? { role: 'assistant', content: parseToolCalls(move.reply).normal_text, calls: move.calls }
      : { role: 'assistant', content: move.reply },
  ]);
  messages.push(...shownMessages(shown));
  const first = messages[0];
  if (setting.toolUse || first?.role !== 'user') return messages;
  return [{ role: 'user', content: firstMessage(first.content) }, ...messages.slice(1)];
}

function shownMessages(shown: Shown): ChatMessage[] {
  if (shown.kind === 'observation') return [{ role: 'user', content: shown.text }];
  return shown.results.map(({ callId, output }) => ({ role: 'tool', callId, content: output }));
}

/** What a player of a game is told first. */
function firstMessage(observation: string): string {
  return [
    'You are playing a game in words. This is what you see:',
    '',
    observation,
    '',
    'Think step by step. End each reply with your move or final answer inside \\boxed{}.',
  ].join('\n');
}
