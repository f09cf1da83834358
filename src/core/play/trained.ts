import { fromJsonNumber } from '../../shared/json';
import type { ArmName, Episode, EpisodeStep } from '../../shared/play';
import type { Outcome } from '../../shared/webviewProtocol';

const nothing = (kind: Outcome['kind']): Outcome => ({ kind, value: null });

/** What the run makes of a step's reward: only that of a step that terminates trains (run contract §4). */
export function outcomeOf({ reward, terminated, truncated }: Pick<EpisodeStep, 'reward' | 'terminated' | 'truncated'>): Outcome {
  if (reward === null) return nothing('tool-call');
  if (!terminated) return nothing(truncated ? 'lost-truncated' : 'not-terminal');
  const paid = fromJsonNumber(reward);
  if (Number.isNaN(paid)) return { kind: 'nan-wins', value: 1 };
  const value = Math.min(1, Math.max(-1, paid));
  return { kind: value === paid ? 'trains' : 'clipped', value };
}

/** The outcome of a step of an episode that is over: a failed play counts as 0 with the hint, and is dropped without; a step that raised ends it at -1 (run contract §2.5, §5). */
export function outcomeInEpisode(step: EpisodeStep, isLast: boolean, episode: Pick<Episode, 'status'>, arm: ArmName): Outcome {
  if (isLast && episode.status === 'step-raised' && step.terminated) return { kind: 'raised', value: -1 };
  if (!isLast || step.terminated || step.truncated) return outcomeOf(step);
  if (episode.status === 'cancelled') return nothing('cancelled');
  if (episode.status === 'policy-failed' || episode.status === 'step-timeout') {
    return arm === 'hint' ? { kind: 'failed-counts-zero', value: 0 } : nothing('failed-dropped');
  }
  return outcomeOf(step);
}
