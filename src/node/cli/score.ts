import { score } from '../../core/value/score';
import { ScoreDocument } from '../../shared/score';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { readDocument } from './inputs';
import { Output } from './output';

export const scoreCommand: Command = {
  name: 'score',
  summary: 'fill a document of rewards with the values that the run computes',
  usage: 'score FILE',
  async run(argv, context) {
    const args = Args.parse(argv, {}, context.cwd);
    const document = await readDocument(context, args.onePath('FILE'), ScoreDocument);
    new Output(context, args).document(score(document));
    return EXIT.fine;
  },
};
