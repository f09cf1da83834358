/** How fast records pass through a run's memory, and how often its prompts draw. */
import type { Heartbeat } from '../../shared/link';
import { message, type Message } from '../../shared/message';
import { oddsOverPrompts, type Standing } from '../memory/sampling';
import type { RunInventory } from './inventory';
import { regenerationInterval } from './liveness';
import type { RunSettings } from './runSettings';

/** `assumed`: the run's flags are not known, and these are the figures of the games launchers (run contract §7). */
export interface Pace {
  /** Records that come in at a regeneration. */
  readonly records: number;
  /** Prompts of one skill at a regeneration in which it designs. */
  readonly prompts: number;
  /** Share of the regenerations in which a skill designs, from 0 to 1. */
  readonly share: number;
  readonly assumed: boolean;
}

const ASSUMED: Pace = { records: 24, prompts: 4, share: 1, assumed: true };

/** The pace of a run with these settings. */
export function paceOf(settings: RunSettings | null): Pace {
  const { batchSize = null, skills = null, skillsPerRegen = null } = settings ?? {};
  if (batchSize === null || batchSize === 0 || skills === null || skills.length === 0) return batchSize ? { ...ASSUMED, records: batchSize } : ASSUMED;
  const active = skillsPerRegen === null || skillsPerRegen === 0 ? skills.length : Math.min(skillsPerRegen, skills.length);
  return { records: batchSize, prompts: batchSize / active, share: active / skills.length, assumed: false };
}

/** Regenerations until a record is evicted, and the chance that a prompt draws it before, if the pool stays as it is. */
export function outlook({ odds, evictedAfterAdds }: Pick<Standing, 'odds' | 'evictedAfterAdds'>, pace: Pace): { readonly regenerations: number; readonly oddsByEviction: number } {
  const regenerations = Math.ceil(evictedAfterAdds / pace.records);
  return { regenerations, oddsByEviction: oddsOverPrompts(odds, regenerations * pace.share * pace.prompts) };
}

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
