import type { Outcome } from './curriculum';
import type { PlayedOutcome } from './reviewQueue';
import type { PlayReport } from '../../shared/play';
import { countedReturns } from '../value/summary';

/**
 * What plays of both arms say of a file: the regret with its interval, and on how many seeds the arms ended differently. Null where a hint
 * changes nothing for who played: the arms then differ by chance alone.
 */
export function playedOutcome({ paired, unpaired, arms: { noHint, hint } }: PlayReport, usesHint: boolean): PlayedOutcome | null {
  if (!usesHint) return null;
  const regret = paired ?? unpaired ?? null;
  const pairs = (hint?.episodes ?? []).flatMap((episode, index) => {
    const other = noHint.episodes[index];
    return paired && other && other.seed === episode.seed ? [episode.runReturn !== other.runReturn] : [];
  });
  return {
    regret: regret && { value: regret.regret, interval: regret.interval && { lo: regret.interval.lo, hi: regret.interval.hi } },
    disagreement: pairs.length === 0 ? null : pairs.filter(Boolean).length / pairs.length,
  };
}

/** The outcome that a curriculum keeps of plays, and how many of them counted; null when no play without the hint came to an end. */
export function outcomeOf({ arms: { noHint }, paired, unpaired, simulated }: PlayReport): Outcome | null {
  const plays = countedReturns(noHint.episodes).length;
  if (noHint.winRate === null || plays === 0) return null;
  return { winRate: noHint.winRate, regret: (paired ?? unpaired)?.regret ?? 0, plays, simulated };
}

/** The outcome to keep after new plays: what no model played never takes the place of what a model did. */
export function laterOutcome(known: Outcome | null, played: Outcome): Outcome {
  return played.simulated && known !== null && !known.simulated ? known : played;
}
