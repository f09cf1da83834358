import { fromJsonNumber } from '../../shared/json';
import type { Episode } from '../../shared/play';
import { episodeReward } from '../value/rewards';
import { FAILED } from '../value/summary';

/**
 * Completes an episode with its two returns. The run's is the last reward, clipped, when the environment terminated, else
 * 0; NaN becomes 1, and a step that raised pays -1 (run contract §4, §2.5). The plain one is null where that number says
 * nothing about the policy: the reward is NaN, the play failed or was cancelled.
 */
export function episodeOf(played: Omit<Episode, 'return' | 'runReturn'>): Episode {
  const paid = played.steps.flatMap(({ reward }) => (reward === null ? [] : [fromJsonNumber(reward)]));
  const terminated = played.steps.at(-1)?.terminated ?? false;
  const runReturn = episodeReward(paid, terminated);
  const meaningless = isFailed(played) || played.status === 'cancelled' || (terminated && Number.isNaN(paid.at(-1)));
  return { ...played, return: meaningless ? null : runReturn, runReturn };
}

/** True for a play that failed: it says nothing about the policy. */
export function isFailed({ status }: Pick<Episode, 'status'>): boolean {
  return FAILED.has(status);
}

/**
 * True for a failed play that the run would try once more (run contract §2.8): not one that timed out, and not one whose
 * step raised, which is an ordinary end to the run.
 */
export function isRetried({ status, steps }: Pick<Episode, 'status' | 'steps'>): boolean {
  return status === 'policy-failed' || (status === 'step-raised' && !steps.at(-1)?.terminated);
}
