import type { Verdict } from '../../shared/findings';
import type { Interval } from '../../shared/interval';
import { groupBy, median } from '../collections';
import type { DecisionVerdict } from './decision';

/** What is known of one file that waits for a review. */
export interface QueueEntry {
  readonly file: string;
  readonly contentHash: string;
  readonly skill: string | null;
  /** Null when it was not checked yet. */
  readonly verdict: Verdict | null;
  /** Regret of its plays; null without plays. */
  readonly regret: { readonly value: number; readonly interval: Pick<Interval, 'lo' | 'hi'> | null } | null;
  /** Similarity to the nearest accepted file, 0 to 1; null when nothing was accepted yet. */
  readonly nearest: number | null;
  /** Share of seeds on which the arms ended differently; null without plays of both arms. */
  readonly disagreement: number | null;
  /** The joint decision on this very content; null when none. */
  readonly decision: DecisionVerdict | null;
}

/** How much each trait counts; unknown traits count as half, so that they neither hide a file nor push it up. */
const weights = { verdict: 0.35, regret: 0.3, novelty: 0.2, disagreement: 0.15 } as const;

/** What a verdict is worth to a reviewer's time: a rejected file is seldom worth it. */
const verdictWorth: Record<Verdict, number> = { accept: 1, 'accept-with-warnings': 0.85, 'cannot-run': 0.3, reject: 0.1 };

const clip = (value: number) => Math.min(1, Math.max(0, value));

/**
 * How much a file is worth looking at, 0 to 1. Regret counts by the upper end of its interval: a file that could still turn out
 * to teach much comes before one that surely teaches little.
 */
export function reviewWorth(entry: QueueEntry): number {
  const verdict = entry.verdict === null ? 0.5 : verdictWorth[entry.verdict];
  const regret = entry.regret === null ? 0.5 : clip(entry.regret.interval?.hi ?? entry.regret.value);
  const novelty = entry.nearest === null ? 0.5 : 1 - clip(entry.nearest);
  const disagreement = entry.disagreement === null ? 0.5 : clip(entry.disagreement);
  return weights.verdict * verdict + weights.regret * regret + weights.novelty * novelty + weights.disagreement * disagreement;
}

/** What a queue leaves out. Undefined lets everything pass. */
export interface QueueFilter {
  readonly verdicts?: readonly (Verdict | null)[];
  readonly skills?: readonly string[];
  /** Also files that were decided on. */
  readonly decided?: boolean;
  /** Part of the file's name, any case. */
  readonly text?: string;
}

/** The queue: the files that pass, most worth first; a file is in it once, and not again after a decision unless its content changed. */
export function orderQueue(entries: readonly QueueEntry[], filter: QueueFilter = {}): QueueEntry[] {
  const text = filter.text?.toLowerCase();
  const wanted = [...groupBy(entries, ({ contentHash }) => contentHash).values()].map(([first]) => first!).filter((entry) =>
    (filter.decided === true || entry.decision === null)
    && (filter.verdicts === undefined || filter.verdicts.includes(entry.verdict))
    && (filter.skills === undefined || (entry.skill !== null && filter.skills.includes(entry.skill)))
    && (text === undefined || entry.file.toLowerCase().includes(text)));
  const worth = new Map(wanted.map((entry) => [entry, reviewWorth(entry)]));
  return wanted.sort((a, b) => worth.get(b)! - worth.get(a)! || (a.file < b.file ? -1 : 1));
}

/** How far a queue is done, and how long the rest may take. */
export interface QueueProgress {
  readonly total: number;
  readonly decided: number;
  /** Milliseconds for the rest at the median pace so far; null before three decisions. */
  readonly remainingMs: number | null;
}

/**
 * Progress of a queue. Breaks do not count: the median of the times between decisions is taken.
 * @param decidedAt times of this reviewer's decisions in this sitting, milliseconds, ascending.
 */
export function queueProgress(entries: readonly QueueEntry[], decidedAt: readonly number[]): QueueProgress {
  const contents = new Map(entries.map((entry) => [entry.contentHash, entry.decision !== null]));
  const decided = [...contents.values()].filter(Boolean).length;
  const gaps = decidedAt.slice(1).map((at, index) => at - decidedAt[index]!);
  const pace = gaps.length < 2 ? null : median(gaps)!;
  return { total: contents.size, decided, remainingMs: pace === null ? null : pace * (contents.size - decided) };
}
