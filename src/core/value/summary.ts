/** What a set of plays says: arms, regret paired by seed, the designer's terms. */
import type { ArmName, ArmReport, Episode, EpisodeStatus, PlayReport } from '../../shared/play';
import { groupBy } from '../collections';
import { DEPLOYED_WEIGHTS, regretTerm, type BlendWeights } from './designer';
import { meanInterval, pairedInterval, type Pair } from './intervals';
import { plateauReward } from './rewards';
import { meanOrNull, meanOrZero } from './statistics';

/** Statuses of a play that failed: it says nothing about the policy. A cancelled play is none at all. */
export const FAILED: ReadonlySet<EpisodeStatus> = new Set(['step-raised', 'step-timeout', 'policy-failed']);

/** The returns that count: plain returns that are numbers. */
export function countedReturns(episodes: readonly Episode[]): number[] {
  return episodes.flatMap(({ return: value }) => value ?? []);
}

/** Mean, interval and win rate over the plays whose return is a number, and how many failed. */
export function summariseArm(episodes: readonly Episode[]): ArmReport {
  const returns = countedReturns(episodes);
  return {
    episodes: [...episodes],
    mean: meanOrNull(returns),
    interval: meanInterval(returns),
    winRate: meanOrNull(returns.map((value) => (value > 0 ? 1 : 0))),
    failed: episodes.filter(({ status }) => FAILED.has(status)).length,
  };
}

/**
 * Plays of both arms that belong together: the first of a seed with the first of that seed, and so on. A pair counts when
 * both returns are numbers; plays without a seed have no partner.
 */
export function pairBySeed(hint: readonly Episode[], noHint: readonly Episode[]): Pair[] {
  const bySeed = (episodes: readonly Episode[]): Map<number, Episode[]> => {
    const seeded = episodes.flatMap((episode) => (episode.seed === null ? [] : [{ seed: episode.seed, episode }]));
    return new Map([...groupBy(seeded, ({ seed }) => seed)].map(([seed, plays]) => [seed, plays.map(({ episode }) => episode)]));
  };
  const partners = bySeed(hint);
  return [...bySeed(noHint)].flatMap(([seed, plays]) => plays.flatMap((play, index) => {
    const partner = partners.get(seed)?.[index];
    return typeof partner?.return === 'number' && play.return !== null ? [{ hint: partner.return, noHint: play.return }] : [];
  }));
}

/** Regret of the pairs: mean gap, interval, number of pairs. Null without a pair. */
export function pairedRegret(hint: readonly Episode[], noHint: readonly Episode[]): PlayReport['paired'] {
  const pairs = pairBySeed(hint, noHint);
  if (pairs.length === 0) return null;
  return { regret: meanOrZero(pairs.map((pair) => pair.hint - pair.noHint)), interval: pairedInterval(pairs), pairs: pairs.length };
}

/** The returns that the run counts: a play with the hint that failed is 0, one without is dropped unless `step` raised (run contract §5). */
export function asTheRunCounts(episodes: readonly Episode[], arm: ArmName): number[] {
  const isDropped = ({ status }: Episode): boolean => status === 'cancelled' || (arm === 'noHint' && (status === 'policy-failed' || status === 'step-timeout'));
  return episodes.filter((episode) => !isDropped(episode)).map(({ runReturn }) => runReturn);
}

/**
 * Terms of the designer's reward from the run's returns (not the plain ones). Without a hint arm there is neither a regret
 * term nor a blend; without plays nothing.
 */
export function designerTerms(
  noHint: readonly Episode[], hint: readonly Episode[] | null, weights: BlendWeights = DEPLOYED_WEIGHTS,
): PlayReport['designer'] {
  const without = asTheRunCounts(noHint, 'noHint');
  const withHint = hint && asTheRunCounts(hint, 'hint');
  if (without.length === 0) return null;
  const plateau = plateauReward(meanOrZero(without), weights.band);
  if (!withHint || withHint.length === 0) return { plateau, regretTerm: null, blend: null };
  const term = regretTerm(meanOrZero(withHint) - meanOrZero(without), weights);
  // Plays of one time are one offset of the window, for which micro-LP is 0.
  const frontier = (weights.frontier * (meanOrZero(without) - 0.5) ** 2) / weights.frontierScale;
  return { plateau, regretTerm: term, blend: weights.plateau * plateau + weights.regret * term - frontier };
}
