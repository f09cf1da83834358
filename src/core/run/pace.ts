/** How fast records pass through a run's memory, and how often its prompts draw. */
import { oddsOverPrompts, type Standing } from '../memory/sampling';
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
