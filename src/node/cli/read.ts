import { extractBoxedAnswer, parseActionBoxed, parseToolCalls, readReply } from '../../core/environment/reading';
import { extractGameCode } from '../../core/environment/readingCode';
import type { PythonParser } from '../../core/ports';
import { ReadDocument, type ReplyDocument } from '../../shared/cliDocuments';
import { message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, type Command } from './context';
import { readDocument } from './inputs';
import { Output, table } from './output';

/** How each section of the document is read. */
const READERS: Readonly<Record<string, (text: string, parser: PythonParser) => unknown>> = {
  extract_boxed_answer: extractBoxedAnswer,
  parse_action_boxed: parseActionBoxed,
  parse_tool_calls: parseToolCalls,
  extract_game_code: extractGameCode,
};

function replyText(reading: ReplyDocument): string {
  return table([
    ['box', reading.boxed ?? '–'],
    ['action', reading.action],
    ['answer', reading.answer ?? '–'],
    ...reading.calls.map((call): string[] => ['call', `${JSON.stringify(call.name)} ${JSON.stringify(call.arguments)}`]),
    ['notices', reading.notices.join(', ') || 'none'],
  ]);
}

export const readCommand: Command = {
  name: 'read',
  summary: 'read replies as the run reads them: a document of texts, or one reply from stdin',
  usage: 'read FILE | read --reply [--thinking] [--arm hint|no-hint] [--format boxed|tool_call]',
  async run(argv, context) {
    const args = Args.parse(argv, {
      reply: { type: 'boolean' }, thinking: { type: 'boolean' }, arm: { type: 'string' }, format: { type: 'string' },
    }, context.cwd);
    const output = new Output(context, args);
    if (args.flag('reply')) {
      if (args.positionals.length > 0) throw new UsageError(message('With --reply the text comes from stdin.'));
      const reading = readReply(await context.stdin(), {
        thinking: args.flag('thinking'), arm: args.choice('arm', ['hint', 'no-hint']) ?? 'no-hint', format: args.choice('format', ['boxed', 'tool_call']) ?? 'boxed',
      }) as ReplyDocument;
      output.answer(reading, () => replyText(reading));
      return EXIT.fine;
    }
    const document = await readDocument(context, args.onePath('FILE'), ReadDocument);
    const parser = await context.parser();
    output.document(Object.fromEntries(Object.entries(document).map(([section, inputs]) => [
      section, (inputs ?? []).map((input) => ({ ...input, expected: READERS[section]?.(input.text, parser) })),
    ])));
    return EXIT.fine;
  },
};
