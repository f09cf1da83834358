import { counted } from '../../core/counted';
import { readCorpus } from '../../core/design/corpus';
import { EnvwrightError } from '../../core/errors';
import type { CorpusDocumentReport } from '../../shared/cliDocuments';
import { formatMessage, message } from '../../shared/message';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { Output } from './output';

/** Documents shown. */
const FIRST = 5;

export const corpusCommand: Command = {
  name: 'corpus',
  summary: 'documents of a corpus, and the lines that the run skips or dies on',
  usage: 'corpus FILE',
  async run(argv, context) {
    const args = Args.parse(argv, {}, context.cwd);
    const path = args.onePath('FILE');
    const found = await context.files.stat(path);
    if (!found || found.folder) throw new EnvwrightError('cli/no-such-file', message('There is no file {path}.', { path }), message('Check the path.'));
    const report: CorpusDocumentReport = { documents: 0, problems: [], blank: 0, first: [] };
    let crashes = 0;
    for await (const line of readCorpus(context.files.lines(path, context.signal))) {
      if (line.kind === 'blank') report.blank += 1;
      else if (line.kind === 'problem') {
        report.problems.push({ line: line.line, why: formatMessage(line.why) });
        crashes += line.crashes ? 1 : 0;
      } else {
        report.documents += 1;
        if (report.first.length < FIRST) report.first.push({ line: line.line, words: line.words, metadata: { ...line.metadata } });
      }
    }
    const output = new Output(context, args);
    output.answer(report, () => [
      `${counted(report.documents, 'document')}, ${counted(report.problems.length, 'line')} without one, ${counted(report.blank, 'blank line')}`,
      ...report.problems.map(({ line, why }) => `line ${line}: ${why}`),
      ...report.first.map(({ line, words, metadata }) => `document on line ${line}: ${words} words ${JSON.stringify(metadata)}`),
    ].join('\n'));
    if (crashes > 0) output.note(message('The run would stop with an error on {crashes} of these lines.', { crashes }));
    return EXIT.fine;
  },
};
