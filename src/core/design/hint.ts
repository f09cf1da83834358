import type { CallCost } from '../../shared/design';
import { message } from '../../shared/message';
import { collectReply } from '../models/collect';
import { costOf } from '../models/cost';
import { ModelError } from '../models/errors';
import type { ChatEvent, Clock, ModelClient, Sampling } from '../ports';
import { codeFenceFor } from './material';
import { fill, type TemplateSource } from './templates';

/** Longest hint, in words (run contract §5). */
export const MAX_HINT_WORDS = 100;

/** The run writes hints colder than it plays. */
const HINT_TEMPERATURE = 0.3;

/** What a hint is to be written for. */
export interface HintRequest {
  readonly client: ModelClient;
  readonly templates: TemplateSource;
  readonly clock: Pick<Clock, 'now'>;
  readonly code: string;
  readonly family: 'game' | 'tools';
  /** Sampling of the role; the temperature is the run's unless it is set here. */
  readonly sampling?: Sampling;
  readonly thinking?: boolean;
}

/** A hint and what is odd about it. */
export interface WrittenHint {
  readonly text: string;
  readonly words: number;
  readonly tooLong: boolean;
  /** True when it came from no model. */
  readonly simulated: boolean;
  readonly cost: CallCost;
}

/** Has the model write a hint from the code. @throws ModelError, also for a reply that was cut or holds no hint. */
export async function writeHint(
  { client, templates, clock, code, family, sampling, thinking }: HintRequest, signal: AbortSignal, onEvent?: (event: ChatEvent) => void,
): Promise<WrittenHint> {
  const prompt = fill(await templates.template(family === 'game' ? 'hint-game' : 'hint-tools'), { code: code.trimEnd(), fence: codeFenceFor(code) });
  const started = clock.now();
  const reply = await collectReply(client, {
    messages: [{ role: 'user', content: prompt }],
    sampling: { temperature: HINT_TEMPERATURE, maxTokens: 1_024, ...sampling },
    ...(thinking === undefined ? {} : { thinking }),
    purpose: { role: 'hint', code },
  }, signal, onEvent);
  const text = hintIn(reply.text);
  const withheld = reply.finishReason === 'content_filter';
  if (text === '' || withheld || reply.finishReason === 'length') {
    throw new ModelError('no-answer', text === '' ? message('The reply holds no hint.') : withheld ? message('The endpoint held part of the hint back.') : message('The hint was cut at the token limit.'),
      message('Write it again, with thinking off or a higher token limit, or write it by hand.'));
  }
  return { text, words: countWords(text), tooLong: countWords(text) > MAX_HINT_WORDS, simulated: client.simulated, cost: costOf(reply.usage, clock.now() - started) };
}

/** What closes a quotation that begins with these. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', "'": "'" };

/** The hint in a reply: without thinking, heading, quotes and blank lines around it. */
export function hintIn(reply: string): string {
  const end = reply.lastIndexOf('</think>');
  const answer = (end < 0 ? reply : reply.slice(end + '</think>'.length)).trim();
  const bare = answer.replace(/^(?:[*_#]*\s*hint\s*(?:[*_]+\s*)?:\s*[*_]*)/i, '').trim();
  const [first = '', last = ''] = [bare.at(0), bare.at(-1)];
  const within = bare.slice(1, -1);
  return bare.length > 1 && QUOTES[first] === last && !within.includes(first) && !within.includes(last) ? within.trim() : bare;
}

/** Words of a text, parted by white space. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
