import type { ArmName, Notice, ToolCall } from '../../shared/play';
import { callArguments, readReply, type ParsedCall } from '../environment/reading';
import type { Move } from './policy';

/** How moves are read. */
export interface MoveReading {
  /** The run's thinking setting. */
  readonly thinking: boolean;
  /** Make calls with the arguments the run would be left with, not with those that were written. */
  readonly followRun: boolean;
}

/** A call to make; `arguments` null: they are no object, so that it cannot be made. */
export interface PlannedCall {
  readonly call: ToolCall;
  readonly arguments: Record<string, unknown> | null;
}

/** What the run reads in a move: calls to make, or else an action for `step`. */
export interface ReadMove {
  readonly action: string;
  readonly calls: readonly PlannedCall[];
  readonly notices: readonly Notice[];
}

/** The whole reply as the run holds it, thinking included. */
function wholeReply({ reply, thinking = '' }: Move): string {
  return thinking === '' ? reply : `<think>${thinking}</think>${reply}`;
}

/** Reads a move as the run does (run contract §4). An `<answer>` drops all calls, native ones too. */
export function readMove(move: Move, arm: ArmName, toolUse: boolean, { thinking, followRun }: MoveReading): ReadMove {
  const whole = wholeReply(move);
  const format = toolUse ? 'tool_call' : 'boxed';
  const reading = readReply(whole, { thinking, format, arm: arm === 'hint' ? 'hint' : 'no-hint' });
  if (!toolUse) return { action: reading.action, calls: [], notices: reading.notices };
  const native = (move.calls ?? []).map((call) => ({ call, reading: readReply(asText(call), { format }) }));
  const written = followRun ? reading.calls : reading.writtenCalls;
  const calls = native.length > 0
    ? native.map(({ call, reading: alone }) => (followRun ? planned(alone.calls[0] ?? call, call.id) : planned(call, call.id)))
    : written.map((call, index) => planned(call, `call_${index + 1}`));
  const notices = new Set([...reading.notices, ...native.flatMap(({ reading: alone }) => alone.notices)]);
  if (native.length > 1) notices.add('several-calls');
  if (native.length > 0 && reading.answer !== null) notices.add('answer-drops-calls');
  return { action: reading.action, calls: reading.answer === null ? calls : [], notices: [...notices] };
}

function planned({ name, arguments: args }: Pick<ParsedCall, 'name' | 'arguments'> | ToolCall, id: string): PlannedCall {
  const call = { id, name: typeof name === 'string' ? name : JSON.stringify(name), arguments: args };
  return { call, arguments: callArguments(call) };
}

/** A native call as the model wrote it before the server parsed it. */
function asText({ name, arguments: args }: ToolCall): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
}
