import type { Notice } from '../../shared/play';
import type { PlainJson } from '../pythonJson';
import { strip } from '../pythonText';
import { boxesOf, parseActionBoxed, playedBox } from './readingBoxed';
import { callBlocks, extractAnswer, type ParsedCall } from './readingCalls';

export { boxesOf, extractBoxedAnswer, parseActionBoxed, type Box } from './readingBoxed';
export { baseClassStep, extractAnswer, parseToolCalls, type BaseClassStep, type ParsedCall } from './readingCalls';

/** How actions arrive: in a box, or as tool calls and an answer. */
export type ActionFormat = 'boxed' | 'tool_call';

/** What decides how a reply is read (run contract §4). */
export interface ReadingOptions {
  /** The run's thinking setting (`--spade-actor-enable-thinking`). */
  readonly thinking?: boolean;
  readonly arm?: 'hint' | 'no-hint';
  readonly format?: ActionFormat;
}

/**
 * A reply as the run reads it. `action` is what `step` would be sent. `calls` are the calls of the run's native path;
 * `writtenCalls` are the same calls as they were written, which is what is executed unless plays follow the run; they
 * differ only where a notice says so. A reply with an `<answer>` makes no calls at all: `answer-drops-calls` tells.
 */
export interface Reading {
  readonly boxed: string | null;
  readonly action: string;
  readonly answer: string | null;
  readonly calls: readonly ParsedCall[];
  readonly writtenCalls: readonly ParsedCall[];
  readonly notices: readonly Notice[];
}

const THINK_END = '</think>';

/** Where the thinking of a reply ends: after its last end tag, or at the end of the reply when it was opened and not closed. */
function thinkingEnd(reply: string): number {
  const last = reply.lastIndexOf(THINK_END);
  const end = last < 0 ? 0 : last + THINK_END.length;
  return reply.indexOf('<think>', end) >= 0 ? reply.length : end;
}

/** The part of a reply in which the run looks for its box: only the no-hint arm of a thinking run drops the thinking. */
export function readPart(reply: string, { thinking = false, arm = 'no-hint', format = 'boxed' }: ReadingOptions): string {
  if (!thinking || arm !== 'no-hint' || format !== 'boxed') return reply;
  const last = reply.lastIndexOf(THINK_END);
  return last < 0 ? reply : reply.slice(last + THINK_END.length);
}

function boxNotices(text: string): Notice[] {
  const boxes = boxesOf(text);
  const played = playedBox(text);
  const notices: Notice[] = [];
  if (boxes.length === 0) return played ? [] : ['no-box'];
  if (boxes.filter(({ closed }) => closed).length > 1) notices.push('several-boxes');
  const thinking = thinkingEnd(text);
  if (boxes.some(({ start, closed }) => closed && start < thinking)) notices.push('box-in-thinking');
  if (played?.answer === '') notices.push('empty-box');
  if (boxes.some(({ closed }) => !closed)) notices.push('unclosed-box');
  return notices;
}

/** Reads a reply as the run does, and says where that may not be what the writer meant. */
export function readReply(reply: string, options: ReadingOptions = {}): Reading {
  const text = readPart(reply, options);
  const answer = extractAnswer(text);
  const boxed = playedBox(text)?.answer ?? null;
  if ((options.format ?? 'boxed') === 'boxed') {
    return { boxed, action: parseActionBoxed(text), answer, calls: [], writtenCalls: [], notices: boxNotices(text) };
  }
  const { blocks, open } = callBlocks(text);
  const notices = new Set<Notice>(blocks.flatMap(({ losses }) => losses));
  if (open) notices.add('unparsed-call');
  const calls = blocks.flatMap(({ played }) => (played ? [played] : []));
  if (calls.length > 1) notices.add('several-calls');
  if (calls.length > 0 && answer !== null) notices.add('answer-drops-calls');
  const writtenCalls = blocks.flatMap(({ played, written }) => written ?? played ?? []);
  return { boxed, action: strip(text), answer, calls, writtenCalls, notices: [...notices] };
}

/** The arguments of a call as the tool gets them; a call whose arguments are no object cannot be made. */
export function callArguments(call: ParsedCall): Record<string, PlainJson> | null {
  const { arguments: args } = call;
  return args !== null && typeof args === 'object' && !Array.isArray(args) ? args : null;
}
