import type { CallCost } from '../../shared/design';
import { extractBoxedAnswer } from '../environment/reading';
import { boxesOf } from '../environment/readingBoxed';
import { EnvwrightError, isCancelled } from '../errors';
import { collectReply, rawReply } from '../models/collect';
import { costOf, NO_COST } from '../models/cost';
import type { Clock, ModelClient, Sampling } from '../ports';
import { codeFenceFor } from './material';
import { fill, type TemplateSource } from './templates';

/** The run's time-out of its screen (run contract §2.7), in milliseconds. */
const SCREEN_TIMEOUT_MS = 120_000;

/** What a model says of a file. `reason` is the model's own text or what went wrong: untrusted. */
export interface ScreenResult {
  readonly verdict: 'yes' | 'no' | 'undecided';
  readonly reason: string;
  /** What the run's own screen would do with the same reply: it lets errors, empty and boxless replies pass. */
  readonly inTheRun: 'passes' | 'rejects';
  readonly model: string;
  readonly cost: CallCost;
}

/** What is screened and by whom. */
export interface ScreenRequest {
  readonly client: ModelClient;
  readonly templates: TemplateSource;
  readonly clock: Pick<Clock, 'now'>;
  readonly code: string;
  readonly sampling?: Sampling;
  readonly thinking?: boolean;
  readonly timeoutMs?: number;
}

/**
 * Asks a model whether a file is fit, with three answers: whatever is not a clear yes or no is undecided, errors and a
 * time-out too. It never fails open. Rejects only when cancelled.
 */
export async function screenEnvironment({ client, templates, clock, code, sampling, thinking, timeoutMs = SCREEN_TIMEOUT_MS }: ScreenRequest, signal: AbortSignal): Promise<ScreenResult> {
  const prompt = fill(await templates.template('screen'), { code: code.trimEnd(), fence: codeFenceFor(code) });
  const started = clock.now();
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const request = {
      messages: [{ role: 'user' as const, content: prompt }], sampling: { temperature: 0, maxTokens: 2_048, ...sampling }, ...(thinking !== undefined && { thinking }),
      purpose: { role: 'screen' as const, code },
    };
    const reply = await collectReply(client, request, AbortSignal.any([signal, late]));
    const cost = costOf(reply.usage, clock.now() - started);
    const cut = CUT[reply.finishReason] ?? '';
    return { ...readScreen(rawReply(reply)), ...(cut ? { verdict: 'undecided' as const, reason: `${cut}${reply.text}` } : {}), model: client.name, cost };
  } catch (error) {
    signal.throwIfAborted();
    const failed = { verdict: 'undecided' as const, model: client.name, cost: { ...NO_COST, calls: 1, ms: clock.now() - started } };
    if (late.aborted && isCancelled(error)) return { ...failed, reason: `No answer within ${Math.round(timeoutMs / 1000)} s.`, inTheRun: 'rejects' };
    if (error instanceof EnvwrightError) return { ...failed, reason: error.message, inTheRun: 'passes' };
    throw error;
  }
}

/** Ends of a reply that is not whole: what stands in it is no verdict. */
const CUT: Readonly<Record<string, string>> = { length: 'The reply was cut at the token limit. ', content_filter: 'The endpoint held part of the reply back. ' };

const YES = ['yes', 'y', 'true'];
const NO = ['no', 'n', 'false'];

/** Reads a reply of the screen. Its first box decides (run contract §2.7), but a yes that a later box takes back, and anything but a clear yes or no, is undecided. */
export function readScreen(reply: string): Pick<ScreenResult, 'verdict' | 'reason' | 'inTheRun'> {
  const word = extractBoxedAnswer(reply)?.trim().toLowerCase() ?? null;
  const reason = reply.replace(/\\boxed\s*\{[^{}]*\}/g, '').trim() || 'The model gave no reason.';
  if (word === null || word === '') return { verdict: 'undecided', reason, inTheRun: 'passes' };
  const inTheRun = YES.includes(word) ? 'passes' : 'rejects';
  const all = [word, ...boxesOf(reply).map(({ content }) => content.replace(/^[\s{]+|[\s}]+$/g, '').toLowerCase())];
  const verdict = all.every((one) => YES.includes(one)) ? 'yes' : NO.includes(word) ? 'no' : 'undecided';
  return { verdict, reason, inTheRun };
}
