import { parsePythonJson, toPlain, type JsonNode, type PlainJson } from '../pythonJson';
import { PYTHON_SPACE, PYTHON_WORD, strip } from '../pythonText';
import { unescapeHtml } from './htmlEntities';

/** A tool call that the run reads. `name` is a text except where a reply put something else there. `id` is always empty. */
export interface ParsedCall {
  readonly name: PlainJson;
  readonly arguments: PlainJson;
  readonly id: string;
}

/** Why a block is read otherwise than it was written. */
export type CallLoss = 'nested-arguments-lost' | 'braces-in-string-lost' | 'stringified-arguments' | 'parameters-key' | 'unparsed-call';

/**
 * One `<tool_call>` block: as the run reads it (`played`), as it was written (`written`), and what was lost between the
 * two. Both are null when nobody can read it.
 */
export interface CallBlock {
  readonly played: ParsedCall | null;
  readonly written: ParsedCall | null;
  readonly losses: readonly CallLoss[];
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const S = `[${PYTHON_SPACE}]`;
const W = `[${PYTHON_WORD}]`;
const FUNCTION = new RegExp(`<function=(${W}+)>(.*?)</function>`, 'su');
const PARAMETER = new RegExp(`<parameter=(${W}+)>(.*?)</parameter>`, 'gsu');
const JSON_HEAD = new RegExp(`\\{${S}*"name"${S}*:${S}*"(${W}+)"${S}*,${S}*"arguments"${S}*:${S}*(?=\\{)`, 'u');
const ARGUMENTS_END = new RegExp(`\\}(?=${S}*\\})`, 'g');

function parsed(text: string): JsonNode | null {
  try {
    return parsePythonJson(text);
  } catch {
    return null;
  }
}

function member(node: JsonNode | null, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((entry) => entry.key === key)?.value : undefined;
}

function call(name: PlainJson, args: PlainJson): ParsedCall {
  return { name, arguments: args, id: '' };
}

function readXml(block: string): ParsedCall | null {
  const found = FUNCTION.exec(block);
  if (!found) return null;
  const args: { [key: string]: PlainJson } = {};
  for (const [, key = '', raw = ''] of (found[2] ?? '').matchAll(PARAMETER)) {
    const text = unescapeHtml(strip(raw));
    const node = parsed(text);
    args[key] = node ? toPlain(node) : text;
  }
  return call(found[1] ?? '', args);
}

/** The call of a block that is one JSON object, read the long way: `arguments`, else `parameters`; a text of JSON is read too. */
function readObject(node: JsonNode | null): { call: ParsedCall; losses: CallLoss[] } | null {
  const name = member(node, 'name');
  if (!name) return null;
  const written = member(node, 'arguments');
  const value = written ?? member(node, 'parameters');
  const losses: CallLoss[] = [];
  if (value && !written) losses.push('parameters-key');
  if (value?.kind === 'string') {
    losses.push('stringified-arguments');
    const inner = parsed(value.value);
    return { call: call(toPlain(name), inner ? toPlain(inner) : {}), losses };
  }
  return { call: call(toPlain(name), value ? toPlain(value) : {}), losses };
}

/** True when the brace at `at` stands inside a text of the JSON that starts at `from`. */
function insideText(block: string, from: number, at: number): boolean {
  let quoted = false;
  for (let index = from; index < at; index += 1) {
    if (block[index] === '\\' && quoted) index += 1;
    else if (block[index] === '"') quoted = !quoted;
  }
  return quoted;
}

/**
 * The run's quick way to a JSON call: the arguments end at the first `}` that another `}` follows. What lies between is
 * no JSON when objects are nested at the end or braces stand in a text; then all arguments are lost (run contract §4).
 */
function readQuick(block: string): { call: ParsedCall; loss: CallLoss | null } | null {
  const head = JSON_HEAD.exec(block);
  if (!head) return null;
  const from = head.index + head[0].length;
  ARGUMENTS_END.lastIndex = from + 1;
  const end = ARGUMENTS_END.exec(block)?.index;
  if (end === undefined) return null;
  const args = parsed(block.slice(from, end + 1));
  const name = head[1] ?? '';
  if (args) return { call: call(name, toPlain(args)), loss: null };
  return { call: call(name, {}), loss: insideText(block, from, end) ? 'braces-in-string-lost' : 'nested-arguments-lost' };
}

function readBlock(block: string): CallBlock {
  const xml = readXml(block);
  if (xml) return { played: xml, written: xml, losses: [] };
  const whole = readObject(parsed(strip(block)));
  const quick = readQuick(block);
  if (quick) return { played: quick.call, written: quick.loss ? (whole?.call ?? null) : quick.call, losses: quick.loss ? [quick.loss] : [] };
  return whole ? { played: whole.call, written: whole.call, losses: whole.losses } : { played: null, written: null, losses: ['unparsed-call'] };
}

/**
 * Every closed `<tool_call>` block of a reply, in order, the text outside of them, and whether one was left open. The end
 * mark of a chat template is dropped, as the run drops it.
 */
export function callBlocks(reply: string): { readonly blocks: readonly CallBlock[]; readonly outside: string; readonly open: boolean } {
  const text = strip(reply.endsWith('<|im_end|>') ? reply.slice(0, -'<|im_end|>'.length) : reply);
  const blocks: CallBlock[] = [];
  let outside = '';
  let cursor = 0;
  for (;;) {
    const start = text.indexOf(OPEN, cursor);
    const end = start < 0 ? -1 : text.indexOf(CLOSE, start + OPEN.length);
    if (end < 0) return { blocks, outside: strip(outside + text.slice(cursor)), open: start >= 0 };
    outside += text.slice(cursor, start);
    blocks.push(readBlock(text.slice(start + OPEN.length, end)));
    cursor = end + CLOSE.length;
  }
}

/** What the run's native path reads in a reply: the calls in order, and the text outside the blocks. */
export function parseToolCalls(reply: string): { normal_text: string; calls: ParsedCall[] } {
  const { blocks, outside } = callBlocks(reply);
  return { normal_text: outside, calls: blocks.flatMap(({ played }) => (played ? [played] : [])) };
}

/** What `ToolUseBaseEnv.step` makes of a reply (run contract §3): an answer, the first call, or a format error. */
export type BaseClassStep =
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'call'; readonly name: PlainJson; readonly arguments: PlainJson }
  | { readonly kind: 'format-error' };

/** The text of the first `<answer>…</answer>`, null when there is none. */
export function extractAnswer(reply: string): string | null {
  const start = reply.indexOf('<answer>');
  const end = start < 0 ? -1 : reply.indexOf('</answer>', start);
  return end < 0 ? null : strip(reply.slice(start + '<answer>'.length, end));
}

/** Reads a reply as `ToolUseBaseEnv.step` does, which is not how the native path reads it. */
export function baseClassStep(reply: string): BaseClassStep {
  const answer = extractAnswer(reply);
  if (answer !== null) return { kind: 'answer', answer };
  const start = reply.indexOf(OPEN);
  const end = start < 0 ? -1 : reply.indexOf(CLOSE, start);
  const node = end < 0 ? null : parsed(reply.slice(start + OPEN.length, end));
  if (node?.kind !== 'object') return { kind: 'format-error' };
  const name = member(node, 'name');
  const args = member(node, 'arguments');
  return { kind: 'call', name: name ? toPlain(name) : '', arguments: args?.kind === 'object' ? toPlain(args) : {} };
}
