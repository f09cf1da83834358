import { regenerationInterval } from '../../core/run/liveness';
import type { RunInventory } from '../../core/run/inventory';
import { outlook, paceOf, type Pace } from '../../core/run/pace';
import type { RunSettings } from '../../core/run/runSettings';
import type { Standing } from '../../core/memory/sampling';
import type { Heartbeat } from '../../shared/link';
import { message, type Message } from '../../shared/message';

/** Where a run is and how fast it goes: what decides when a record is evicted and how often it can be drawn before. */
export interface RunPace extends Pace {
  /** The newest rollout that is known, null before there is one. */
  readonly rollout: number | null;
  /** Rollouts between regenerations, null when not known. */
  readonly interval: number | null;
}

/** Reads the pace off the link module's word and the launch flags where they are known, else off the steps that the run has written. */
export function runPace({ steps }: Pick<RunInventory, 'steps'>, heartbeat: Heartbeat | null, settings: RunSettings | null): RunPace {
  const rollouts = steps.map(({ rollout }) => rollout);
  return {
    ...paceOf(settings),
    rollout: heartbeat?.rollout ?? (rollouts.length === 0 ? null : Math.max(...rollouts)),
    interval: heartbeat?.interval ?? settings?.interval ?? regenerationInterval(rollouts),
  };
}

/** The rollout of the next regeneration, null when that cannot be told. */
export function nextRegeneration({ rollout, interval }: Pick<RunPace, 'rollout' | 'interval'>): number | null {
  if (interval === null || interval <= 0) return null;
  return rollout === null ? interval : (Math.floor(rollout / interval) + 1) * interval;
}

/** What becomes of a record: in how many regenerations it leaves and at which rollout, and the chance that it is drawn before. */
export function fate(standing: Pick<Standing, 'odds' | 'evictedAfterAdds'>, pace: RunPace): { readonly evictedIn: number; readonly evictedAt: number | null; readonly oddsByEviction: number } {
  const { regenerations, oddsByEviction } = outlook(standing, pace);
  const next = nextRegeneration(pace);
  return { evictedIn: regenerations, evictedAt: next === null || pace.interval === null ? null : next + (regenerations - 1) * pace.interval, oddsByEviction };
}

/** Prompts of a skill at a regeneration, on average. */
export function promptsOf({ prompts, share, assumed }: Pace): { readonly count: number; readonly assumed: boolean } {
  return { count: Math.round(prompts * share * 10) / 10, assumed };
}

/** Where the run is and how it goes on, in words. */
export function paceFacts(pace: RunPace): Message[] {
  const next = nextRegeneration(pace);
  return [
    ...(pace.rollout === null ? [] : [message('rollout {rollout}', { rollout: pace.rollout })]),
    ...(pace.interval === null || next === null ? [] : [message('regenerates every {interval}, next at {next}', { interval: pace.interval, next })]),
  ];
}
