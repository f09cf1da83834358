import { z } from 'zod';
import type { ToolCall } from '../../shared/play';
import type { ChatEvent, Usage } from '../ports';
import { ThinkSplitter, type Stretch } from './thinkSplitter';

const Count = z.number().nullish().catch(null);
const ContentPart = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
const CallDelta = z.looseObject({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.union([z.string(), z.record(z.string(), z.json())]).nullish() }).nullish(),
});
type CallDelta = z.infer<typeof CallDelta>;
const Delta = z.looseObject({
  content: z.union([z.string(), z.array(ContentPart)]).nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z.array(CallDelta).nullish(),
});
/** One event of a streamed chat reply, as far as it is read; servers leave out or null nearly every field. */
const ReplyChunk = z.looseObject({
  choices: z.array(z.looseObject({
    index: z.int().nullish(),
    delta: Delta.nullish(),
    message: Delta.nullish(),
    finish_reason: z.string().nullish(),
  })).nullish(),
  usage: z.looseObject({ prompt_tokens: Count, completion_tokens: Count, total_tokens: Count }).nullish().catch(null),
});

interface OpenCall {
  id: string;
  given: boolean;
  name: string;
  arguments: string;
}

/**
 * Puts a streamed reply together: text and reasoning in the three shapes in use, tool calls from their fragments, the
 * reason for the end, tokens.
 */
export class ReplyAssembler {
  private readonly splitter = new ThinkSplitter();
  private readonly calls: OpenCall[] = [];
  private readonly atIndex = new Map<number, OpenCall>();
  private finish: string | null = null;
  private tokens: Usage | null = null;
  private textLength = 0;
  private reasoningLength = 0;
  private readonly odd: string[] = [];

  get finishReason(): string | null {
    return this.finish;
  }

  /** True when nothing at all was said: no text, no reasoning, no call. */
  get empty(): boolean {
    return this.textLength === 0 && this.reasoningLength === 0 && this.calls.length === 0;
  }

  /** Takes one event of the stream; gives what it adds to text and reasoning. */
  push(raw: unknown): ChatEvent[] {
    const parsed = ReplyChunk.safeParse(raw);
    if (!parsed.success) {
      this.odd.push('an event of unknown shape skipped');
      return [];
    }
    const { usage, choices } = parsed.data;
    if (usage) {
      this.tokens = {
        promptTokens: usage.prompt_tokens ?? null,
        completionTokens: usage.completion_tokens ?? null,
        totalTokens: usage.total_tokens ?? null,
      };
    }
    const choice = choices?.find(({ index }) => (index ?? 0) === 0);
    if (!choice) return [];
    if (choice.finish_reason) this.finish = choice.finish_reason;
    const delta = choice.delta ?? choice.message;
    if (!delta) return [];
    for (const [position, call] of (delta.tool_calls ?? []).entries()) this.addCall(call, position);
    const reasoning = delta.reasoning_content || delta.reasoning || '';
    const stretches: Stretch[] = reasoning ? [{ kind: 'reasoning', text: reasoning }] : [];
    return this.count([...stretches, ...this.splitter.push(contentOf(delta.content))]);
  }

  /** The stream is over: gives text that was still held back. */
  end(): ChatEvent[] {
    return this.count(this.splitter.end());
  }

  /** The last event of a good reply. `extra` are warnings of the stream itself. */
  done(finishReason: string, extra: readonly string[]): ChatEvent {
    const calls = this.calls.map((call) => this.close(call));
    return { type: 'done', finishReason, calls, usage: this.tokens, warnings: [...extra, ...this.odd] };
  }

  private count(stretches: Stretch[]): ChatEvent[] {
    for (const { kind, text } of stretches) {
      if (kind === 'text') this.textLength += text.length;
      else this.reasoningLength += text.length;
    }
    return stretches.map(({ kind, text }) => ({ type: kind, text }));
  }

  /**
   * A fragment without id continues the call on its index; a new id on the same index begins a new call; a first
   * fragment without id gets an id of its own.
   */
  private addCall(delta: CallDelta, position: number): void {
    const index = delta.index ?? position;
    const open = this.atIndex.get(index);
    const call = open && this.continues(open, delta) ? open : this.openCall(index, delta);
    if (delta.id && !call.given) {
      call.id = delta.id;
      call.given = true;
    }
    if (!call.name) call.name = delta.function?.name ?? '';
    const piece = delta.function?.arguments ?? '';
    call.arguments += typeof piece === 'string' ? piece : JSON.stringify(piece);
  }

  private continues(open: OpenCall, delta: CallDelta): boolean {
    if (delta.id) return open.given ? delta.id === open.id : !(delta.function?.name && open.name && parses(open.arguments));
    const indexIsGiven = delta.index !== null && delta.index !== undefined;
    return indexIsGiven || !(delta.function?.name && open.name && parses(open.arguments));
  }

  private openCall(index: number, delta: CallDelta): OpenCall {
    const call = { id: delta.id ?? `call_${this.calls.length + 1}`, given: Boolean(delta.id), name: '', arguments: '' };
    this.calls.push(call);
    this.atIndex.set(index, call);
    return call;
  }

  private close({ id, name, arguments: text }: OpenCall): ToolCall {
    if (text.trim() === '') return { id, name, arguments: {} };
    try {
      return { id, name, arguments: z.json().parse(JSON.parse(text)) };
    } catch {
      this.odd.push(`the arguments of the call ${name} are not JSON`);
      return { id, name, arguments: text };
    }
  }
}

function contentOf(content: z.infer<typeof Delta>['content']): string {
  if (!content) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
