import { groupBy } from '../collections';
import { currentDecisions, DecisionVerdict, type Decision } from './decision';

/** How far reviewers agree. */
export interface Agreement {
  /** Contents that at least two reviewers decided on. */
  readonly contents: number;
  /** Of these, the share on which all said the same; null when there are none. */
  readonly share: number | null;
  /** Fleiss' kappa for any number of reviewers: 1 agreement, 0 as by chance; null when chance alone explains everything or n is 0. */
  readonly kappa: number | null;
}

/** Agreement over the decisions in force. */
export function reviewerAgreement(decisions: Iterable<Decision>): Agreement {
  const byContent = groupBy(currentDecisions(decisions), ({ contentHash }) => contentHash);
  const shared = [...byContent.values()].filter((votes) => votes.length > 1);
  if (shared.length === 0) return { contents: 0, share: null, kappa: null };
  const totals = new Map<DecisionVerdict, number>();
  let votesCast = 0;
  let observed = 0;
  let unanimous = 0;
  for (const votes of shared) {
    const counts = DecisionVerdict.options.map((verdict) => votes.filter((vote) => vote.verdict === verdict).length);
    counts.forEach((count, index) => {
      const verdict = DecisionVerdict.options[index]!;
      totals.set(verdict, (totals.get(verdict) ?? 0) + count);
    });
    votesCast += votes.length;
    observed += counts.reduce((sum, count) => sum + count * (count - 1), 0) / (votes.length * (votes.length - 1));
    if (counts.includes(votes.length)) unanimous += 1;
  }
  const expected = [...totals.values()].reduce((sum, count) => sum + (count / votesCast) ** 2, 0);
  const mean = observed / shared.length;
  return { contents: shared.length, share: unanimous / shared.length, kappa: expected === 1 ? null : (mean - expected) / (1 - expected) };
}
