/** The plain sentence about an environment's value, and the thresholds it rests on, for every place that says it. */
import type { Interval } from '../../shared/interval';
import { message, type Message } from '../../shared/message';
import type { ArmReport, PlayReport } from '../../shared/play';
import { meanInterval, pairedInterval, Z, type Pair } from './intervals';
import { meanOrZero, variance } from './statistics';
import { asTheRunCounts, FAILED } from './summary';

/** Below this many pairs no interval of regret is narrow enough to mean anything: even four gaps of 1 leave 0.1 open. */
const MIN_PAIRS = 4;
/** The run's own bounds of "too easy" and "too hard" (run contract §7): outside, a record is never an example to follow. */
const TOO_EASY = 0.9;
const TOO_HARD = 0.1;
/** Forecasts beyond this say "more than", since the estimate of the spread rests on few plays. */
const MAX_FORECAST = 1000;

/** What the plays say: `teaches-now`, `teaches-little`, `out-of-reach`, `hint-hurts` are decided; the others are not. */
export type ValueKind = 'no-plays' | 'none-counts' | 'no-hint-arm' | 'too-early' | 'teaches-now' | 'teaches-little' | 'out-of-reach' | 'hint-hurts' | 'cannot-tell';

/** A kind, its first words (to be set in bold) and the rest of the sentence. */
export interface ValueSentence {
  readonly kind: ValueKind;
  readonly lead: Message;
  readonly rest: Message;
}

const number = (value: number): string => (value < 0 ? `−${Math.abs(value).toFixed(2)}` : value.toFixed(2));
const span = ({ lo, hi }: Interval): string => `${number(lo)} to ${number(hi)}`;
const wins = (arm: ArmReport): { won: number; of: number } => {
  const of = arm.episodes.filter(({ return: value }) => value !== null).length;
  return { won: Math.round((arm.winRate ?? 0) * of), of };
};

/**
 * How many more pairs until the interval of regret would exclude 0, if gap and spread stay as they are. Null when there is
 * no gap to tell, or it is excluded already.
 */
export function morePairs(pairs: readonly Pair[]): number | null {
  const gaps = pairs.map(({ hint, noHint }) => hint - noHint);
  const gap = meanOrZero(gaps);
  const interval = pairedInterval(pairs);
  if (!interval || gap === 0 || interval.lo > 0 || interval.hi < 0) return null;
  const half = (interval.hi - interval.lo) / 2;
  const spread = Math.max(Math.sqrt(variance(gaps)) * Z, half * Math.sqrt(pairs.length));
  return Math.max(1, Math.ceil((spread / gap) ** 2) - pairs.length);
}

function decided(noHint: ArmReport, hint: ArmReport, paired: NonNullable<PlayReport['paired']>): ValueSentence | null {
  const interval = paired.interval;
  if (!interval || paired.pairs < MIN_PAIRS) return null;
  const args = { regret: number(paired.regret), interval: span(interval), pairs: paired.pairs };
  if (interval.lo > 0) {
    return { kind: 'teaches-now', lead: message('Teaches this policy now.'), rest: message('The hint is worth {regret} of return ({interval}, {pairs} pairs).', args) };
  }
  if (interval.hi < 0) {
    return { kind: 'hint-hurts', lead: message('The hint hurts.'), rest: message('It costs return: regret {regret} ({interval}, {pairs} pairs). The run floors it at 0.', args) };
  }
  const without = wins(noHint);
  const withHint = wins(hint);
  if ((noHint.winRate ?? 0) > TOO_EASY) {
    return { kind: 'teaches-little', lead: message('Teaches little now:'), rest: message('won {won} of {of} without the hint.', without) };
  }
  if ((hint.winRate ?? 0) < TOO_HARD && (noHint.winRate ?? 0) < TOO_HARD) {
    return { kind: 'out-of-reach', lead: message('Out of reach:'), rest: message('lost with the hint too, won {won} of {of}.', withHint) };
  }
  return null;
}

/** What failed plays do to the figures, which leave them out, and what the run makes of them; null when none failed. */
export function failureSentence(noHint: ArmReport, hint: ArmReport | null): Pick<ValueSentence, 'lead' | 'rest'> | null {
  const failures = noHint.failed + (hint?.failed ?? 0);
  if (failures === 0) return null;
  const lead = failures === 1 ? message('Counted without the failed play.') : message('Counted without the {failures} failures.', { failures });
  const without = asTheRunCounts(noHint.episodes, 'noHint');
  const withHint = asTheRunCounts(hint?.episodes ?? [], 'hint');
  if (withHint.length === 0 || without.length === 0) {
    return { lead, rest: message('The run counts a failed play with the hint as 0, and drops one without unless step() raised.') };
  }
  return {
    lead,
    rest: message('As the run counts them (hint failure as 0, no-hint failures dropped unless step() raised) the hint mean would be {mean} (n {n}) and regret {regret}.', {
      mean: number(meanOrZero(withHint)), n: withHint.length, regret: number(meanOrZero(withHint) - meanOrZero(without)),
    }),
  };
}

/** What plays that paid NaN do to the figures, which leave them out, and what the run makes of them; null when there are none. */
export function nanSentence(noHint: ArmReport, hint: ArmReport | null): Pick<ValueSentence, 'lead' | 'rest'> | null {
  const plays = [...noHint.episodes, ...(hint?.episodes ?? [])].filter(({ return: value, status }) => value === null && status !== 'cancelled' && !FAILED.has(status)).length;
  if (plays === 0) return null;
  const lead = plays === 1 ? message('Counted without the play that paid NaN.') : message('Counted without the {plays} plays that paid NaN.', { plays });
  const without = asTheRunCounts(noHint.episodes, 'noHint');
  const mean = (returns: readonly number[]): string => (returns.length === 0 ? '–' : number(meanOrZero(returns)));
  const args = { mean: mean(without), n: without.length };
  if (!hint) return { lead, rest: message('The run’s clipping makes NaN a win, 1: as the run counts them the mean would be {mean} (n {n}).', args) };
  const withHint = asTheRunCounts(hint.episodes, 'hint');
  return {
    lead,
    rest: message('The run’s clipping makes NaN a win, 1: as the run counts them the mean would be {hint} with the hint (n {hintN}) and {mean} without (n {n}).', {
      ...args, hint: mean(withHint), hintN: withHint.length,
    }),
  };
}

/** The sentence for plays of both arms. `running` says that more are still to come. */
export function valueSentence(
  noHint: ArmReport, hint: ArmReport | null, paired: PlayReport['paired'], pairs: readonly Pair[], running = false,
): ValueSentence {
  const ended = noHint.episodes.filter(({ status }) => status !== 'cancelled').length;
  if (wins(noHint).of === 0 && ended > 0) {
    return { kind: 'none-counts', lead: message('No play counts.'), rest: message('Of {ended} without the hint none has a return that is a number. Look at their last steps, then play again.', { ended }) };
  }
  if (ended === 0) return { kind: 'no-plays', lead: message('No plays yet.'), rest: message('Run the policy, once with the hint and once without.') };
  if (!hint || !paired) {
    const interval = meanInterval(noHint.episodes.flatMap(({ return: value }) => value ?? []));
    const args = { ...wins(noHint), mean: noHint.mean === null ? '–' : number(noHint.mean), interval: interval ? span(interval) : '–' };
    return {
      kind: 'no-hint-arm', lead: message('Won {won} of {of} without a hint.', args),
      rest: message('Mean return {mean} ({interval}). What a hint is worth takes plays with a hint on the same seeds.', args),
    };
  }
  const interval = paired.interval;
  const args = { interval: interval ? span(interval) : '–', pairs: paired.pairs };
  if (running || !interval || paired.pairs < MIN_PAIRS) {
    return { kind: 'too-early', lead: message('Too early to say.'), rest: interval ? message('The interval of regret is {interval} after {pairs} pairs.', args) : message('An interval of regret takes at least two pairs.') };
  }
  const found = decided(noHint, hint, paired);
  if (found) return found;
  const more = morePairs(pairs);
  const lead = message('Cannot tell:');
  if (more === null) return { kind: 'cannot-tell', lead, rest: message('the interval of regret, {interval} after {pairs} pairs, includes 0, and there is no gap to tell.', args) };
  return {
    kind: 'cannot-tell', lead,
    rest: more > MAX_FORECAST
      ? message('the interval of regret, {interval} after {pairs} pairs, includes 0; more than {more} more pairs would be needed.', { ...args, more: MAX_FORECAST })
      : message('the interval of regret, {interval} after {pairs} pairs, includes 0; about {more} more pairs.', { ...args, more }),
  };
}
