import { message, type Message } from '../../shared/message';
import type { EpisodeStep, Notice } from '../../shared/play';

/** What a notice on a reply says: what the run reads, and what it loses. */
export function noticeText(notice: Notice, { action }: Pick<EpisodeStep, 'action'>): Message {
  switch (notice) {
    case 'several-boxes': return message('Several boxes in the reply. The run plays the first: {action}.', { action });
    case 'box-in-thinking': return message('The box stands in the thinking, and the run reads it there: {action}.', { action });
    case 'empty-box': return message('The box is empty.');
    case 'unclosed-box': return message('The box is not closed. The run does not read it as a box.');
    case 'no-box': return message('No box: the whole reply is the action.');
    case 'nested-arguments-lost': return message('Nested arguments: the run loses all arguments of this call.');
    case 'braces-in-string-lost': return message('Braces in a text: the run loses all arguments of this call.');
    case 'stringified-arguments': return message('The arguments are a text and not an object.');
    case 'parameters-key': return message('The arguments are named “parameters”.');
    case 'several-calls': return message('Several calls in one reply. They are made in order.');
    case 'answer-drops-calls': return message('An answer in the reply: the run drops its calls.');
    case 'unparsed-call': return message('A call that the run cannot read.');
  }
}
