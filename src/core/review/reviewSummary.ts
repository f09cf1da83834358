import { groupBy } from '../collections';
import { reviewerAgreement } from './agreement';
import { currentDecisions, jointVerdict, type Decision } from './decision';

/** What the reviewers of a workspace have come to. */
export interface ReviewSummary {
  readonly reviewers: readonly { readonly name: string; readonly accept: number; readonly reject: number; readonly needsWork: number }[];
  readonly agreement: ReturnType<typeof reviewerAgreement>;
  /** Contents on which reviewers differ, with what each said. */
  readonly disputed: readonly { readonly file: string; readonly said: readonly Decision[] }[];
  readonly accepted: number;
}

/** Sums up the decisions in force. */
export function summariseReviews(decisions: readonly Decision[]): ReviewSummary {
  const current = currentDecisions(decisions);
  const byContent = [...groupBy(current, ({ contentHash }) => contentHash).values()];
  const count = (own: readonly Decision[], verdict: Decision['verdict']) => own.filter((decision) => decision.verdict === verdict).length;
  return {
    reviewers: [...groupBy(current, ({ reviewer }) => reviewer)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => ({
      name, accept: count(own, 'accept'), reject: count(own, 'reject'), needsWork: count(own, 'needs-work'),
    })),
    agreement: reviewerAgreement(current),
    disputed: byContent.filter((said) => new Set(said.map(({ verdict }) => verdict)).size > 1).map((said) => ({ file: said[0]!.file, said })),
    accepted: byContent.filter((said) => jointVerdict(said) === 'accept').length,
  };
}
