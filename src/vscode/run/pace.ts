import { regenerationInterval } from '../../core/run/liveness';
import type { RunInventory } from '../../core/run/inventory';
import type { Heartbeat } from '../../shared/link';
import { message, type Message } from '../../shared/message';

/** Environments that a regeneration adds when a run shows none yet (run contract §7). */
const ADDS = 24;
/** Prompts of one skill at a regeneration when the launch flags are not known. */
const PROMPTS = 4;
/** Skills that a run designs for when nothing limits them (run contract §7). */
const SKILLS = 6;

/** How fast a run goes: what decides when a record is evicted and how often it can be drawn before. */
export interface RunPace {
  /** The newest rollout that is known, null before there is one. */
  readonly rollout: number | null;
  /** Rollouts between regenerations, null when not known. */
  readonly interval: number | null;
  /** Records that come in at a regeneration. */
  readonly adds: number;
  readonly prompts: { readonly count: number; readonly assumed: boolean };
}

/** Reads the pace off the link module's word where there is one, else off the steps that the run has written. */
export function runPace({ steps, games }: Pick<RunInventory, 'steps' | 'games'>, heartbeat: Heartbeat | null): RunPace {
  const rollouts = steps.map(({ rollout }) => rollout);
  const newest = rollouts.length === 0 ? null : Math.max(...rollouts);
  const counts = rollouts.map((step) => games.filter(({ rollout, inPlay }) => rollout === step && !inPlay).length).filter((count) => count > 0).sort((a, b) => a - b);
  const batch = heartbeat?.settings?.['rollout_batch_size'];
  const active = heartbeat?.settings?.['spade_skills_per_regen'];
  const skills = typeof active === 'number' && active > 0 ? active : SKILLS;
  return {
    rollout: heartbeat?.rollout ?? newest,
    interval: heartbeat?.interval ?? regenerationInterval(rollouts),
    adds: counts[Math.floor(counts.length / 2)] ?? ADDS,
    prompts: typeof batch === 'number' && batch > 0 ? { count: Math.max(1, Math.floor(batch / skills)), assumed: false } : { count: PROMPTS, assumed: true },
  };
}

/** Why a run with these launch arguments never reads its memory (run contract §7), null when nothing says so. */
export function whyNotUsed(settings: Heartbeat['settings']): Message | null {
  if (settings?.['spade_use_env_memory'] === false) return message('This run does not read its memory (--spade-use-env-memory is off).');
  if (settings?.['spade_mode'] === 'fixed_env') return message('This run does not read its memory (--spade-mode is fixed_env).');
  if (typeof settings?.['spade_static_game_pool'] === 'string' && settings['spade_static_game_pool'] !== '') return message('This run does not read its memory: it plays a static pool.');
  return settings?.['spade_game_regeneration_interval'] === 0 ? message('This run does not read its memory: it never regenerates.') : null;
}

/** The rollout of the next regeneration, null when that cannot be told. */
export function nextRegeneration({ rollout, interval }: Pick<RunPace, 'rollout' | 'interval'>): number | null {
  if (interval === null || interval <= 0) return null;
  return rollout === null ? interval : (Math.floor(rollout / interval) + 1) * interval;
}

/** When a record leaves that goes after so many others have come: in how many regenerations, and at which rollout. */
export function eviction(adds: number, pace: RunPace): { readonly in: number; readonly at: number | null } {
  const regenerations = Math.max(1, Math.ceil(adds / pace.adds));
  const next = nextRegeneration(pace);
  return { in: regenerations, at: next === null || pace.interval === null ? null : next + (regenerations - 1) * pace.interval };
}

/** Where the run is and how it goes on, in words. */
export function paceFacts(pace: RunPace): Message[] {
  const next = nextRegeneration(pace);
  return [
    ...(pace.rollout === null ? [] : [message('rollout {rollout}', { rollout: pace.rollout })]),
    ...(pace.interval === null || next === null ? [] : [message('regenerates every {interval}, next at {next}', { interval: pace.interval, next })]),
  ];
}
