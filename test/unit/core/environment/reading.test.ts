import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { baseClassStep, boxesOf, extractBoxedAnswer, parseActionBoxed, parseToolCalls, readReply } from '../../../../src/core/environment/reading';
import { extractGameCode } from '../../../../src/core/environment/readingCode';
import type { PythonParser } from '../../../../src/core/ports';
import { fixture } from '../../../helpers/fixtures';
import { pythonParser } from '../../../helpers/pythonParser';

interface Golden<T> { text: string; expected: T }
const golden = fixture<{
  extract_boxed_answer: Golden<string | null>[];
  parse_action_boxed: Golden<string>[];
  parse_tool_calls: Golden<unknown>[];
  extract_game_code: Golden<string>[];
}>('golden/parsing.json');

let parser: PythonParser;
beforeAll(async () => {
  parser = await pythonParser();
});

describe('golden parsing', () => {
  it.each(golden.extract_boxed_answer)('answer of $text', ({ text, expected }) => expect(extractBoxedAnswer(text)).toBe(expected));
  it.each(golden.parse_action_boxed)('action of $text', ({ text, expected }) => expect(parseActionBoxed(text)).toBe(expected));
  it.each(golden.parse_tool_calls)('calls of $text', ({ text, expected }) => expect(parseToolCalls(text)).toEqual(expected));
  it.each(golden.extract_game_code)('code of $text', ({ text, expected }) => expect(extractGameCode(text, parser)).toBe(expected));
});

describe('case 02: which box is played', () => {
  const { results } = fixture<{ results: { text: string; spade_answer: string | null; action_sent_to_step: string; notices: string[] }[] }>(
    'cases/02-first-box-wins/expected.json',
  );
  it.each(results)('$text', ({ text, spade_answer, action_sent_to_step, notices }) => {
    expect(readReply(text)).toMatchObject({ boxed: spade_answer, action: action_sent_to_step, notices });
  });
});

describe('case 20: the two readers of tool calls', () => {
  const { results } = fixture<{ results: { text: string; notices: string[]; as_the_run_plays: unknown[]; base_class_step: unknown }[] }>(
    'cases/20-tool-call-parsers-disagree/expected.json',
  );
  it.each(results)('$text', ({ text, notices, as_the_run_plays, base_class_step }) => {
    const reading = readReply(text, { format: 'tool_call' });
    expect(reading.calls.map((call) => [call.name, call.arguments])).toEqual(as_the_run_plays);
    expect(reading.notices).toEqual(notices);
    const step = baseClassStep(text);
    const said = step.kind === 'answer' ? `ANSWER ${step.answer}` : step.kind === 'call' ? [step.name, step.arguments] : 'format error';
    expect(said).toEqual(base_class_step);
  });

  it('keeps the arguments as they were written where the run loses them', () => {
    const reading = readReply('<tool_call>{"name": "book", "arguments": {"who": {"first": "Ana"}}}</tool_call>', { format: 'tool_call' });
    expect(reading.calls[0]?.arguments).toEqual({});
    expect(reading.writtenCalls[0]?.arguments).toEqual({ who: { first: 'Ana' } });
  });

  it('says that an open block was not read', () => {
    expect(readReply('<tool_call>{"name": "a", "arguments": {}}', { format: 'tool_call' })).toMatchObject({ calls: [], notices: ['unparsed-call'] });
  });
});

describe('thinking', () => {
  const reply = '<think>\\boxed{1}?</think> \\boxed{2}';

  it('is dropped only in the no-hint arm of a thinking run', () => {
    expect(readReply(reply, { thinking: true, arm: 'no-hint' })).toMatchObject({ boxed: '2', notices: [] });
    expect(readReply(reply, { thinking: true, arm: 'hint' })).toMatchObject({ boxed: '1', notices: ['several-boxes', 'box-in-thinking'] });
    expect(readReply(reply, { thinking: false, arm: 'no-hint' }).boxed).toBe('1');
  });

  it('is dropped up to the last end tag', () => {
    expect(readReply('a</think>\\boxed{1}</think>\\boxed{2}', { thinking: true }).boxed).toBe('2');
  });

  it('counts when it was never closed', () => {
    expect(readReply('<think>\\boxed{1}', { thinking: true })).toMatchObject({ boxed: '1', notices: ['box-in-thinking'] });
  });
});

describe('reading in general', () => {
  it('an action read again is the same action', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('\\boxed{', '}', '{', 'a', ' ', '\n', '7') }), (reply) => {
      const action = parseActionBoxed(reply);
      if (extractBoxedAnswer(reply)) expect(extractBoxedAnswer(action)).not.toBeNull();
      else expect(action).toBe(reply.trim());
    }));
  });

  it('finds boxes in order and without overlap', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('\\boxed{', '}', '{', 'x') }), (text) => {
      const boxes = boxesOf(text);
      boxes.forEach((box, index) => expect(box.start).toBeGreaterThanOrEqual(boxes[index - 1]?.end ?? 0));
    }));
  });

  it('reads a hostile reply of 300 kB in no time', () => {
    const start = performance.now();
    for (const unit of ['<tool_call>', '{"name":"a","arguments":{', '\\boxed{', '<function=a>', '{"a":', '<answer>']) {
      readReply(unit.repeat(Math.floor(300_000 / unit.length)), { format: 'tool_call' });
      readReply(unit.repeat(Math.floor(300_000 / unit.length)));
    }
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it('does not take Python for what only looks like it: code that parses is left alone', () => {
    const code = 'x = f"\\\\boxed{answer}"';
    expect(extractGameCode(code, parser)).toBe(code);
  });
});
