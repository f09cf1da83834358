/** The designer's reward, in the variants a run can be launched with (run contract §6). */
import { learningPotentialTracker, type TrackerRates } from './learningPotential';
import { centreBySkill, DEFAULT_BAND, plateauReward, varianceReward, type Band } from './rewards';
import { clip, meanOrZero } from './statistics';
import { inOrder, microLpHalves, microLpSlope, type ReturnsByStep } from './window';

/** Weights and scales of the blend. */
export interface BlendWeights {
  readonly regret: number;
  readonly microLp: number;
  readonly plateau: number;
  readonly frontier: number;
  readonly regretScale: number;
  readonly microLpScale: number;
  readonly frontierScale: number;
  readonly microLpSigned: boolean;
  readonly microLpBySlope: boolean;
  /** Clips the regret term to [0, 1]. */
  readonly regretFloor: boolean;
  readonly band: Band;
}

/** What the run takes for every weight that a configuration leaves out. */
export const DEFAULT_WEIGHTS: BlendWeights = {
  regret: 0.5, microLp: 0.5, plateau: 0, frontier: 0, regretScale: 0.15, microLpScale: 0.1, frontierScale: 0.08, microLpSigned: true,
  microLpBySlope: true, regretFloor: false, band: DEFAULT_BAND,
};

/** The blend of the paper's launchers, whose value is in [0, 1]. */
export const DEPLOYED_WEIGHTS: BlendWeights = { ...DEFAULT_WEIGHTS, regret: 0.4, microLp: 0, plateau: 0.6, regretFloor: true };

/** An environment whose designer is rewarded. */
export interface DesignedGame {
  readonly game_file: string;
  readonly skill: string;
}

/** Every signal of one environment, and what the blend makes of them. */
export interface BlendSignals {
  readonly regret: number;
  readonly microLp: number;
  readonly winRate: number;
  readonly plateau: number;
  readonly frontierPenalty: number;
  readonly regretTerm: number;
  readonly blend: number;
}

/** The regret term of the blend: regret over its scale, clipped to [0, 1] where the weights say so. */
export function regretTerm(regret: number, weights: BlendWeights): number {
  const term = regret / weights.regretScale;
  return weights.regretFloor ? clip(term, 0, 1) : term;
}

/** Signals and blend of one environment. A missing hint return counts as 0; so does a window without plays. */
export function blendSignals(returns: ReturnsByStep, hintReturn: number | undefined, weights: BlendWeights): BlendSignals {
  const groups = inOrder(returns);
  const regret = (hintReturn ?? 0) - meanOrZero(groups[0] ?? []);
  const signed = weights.microLpBySlope ? microLpSlope(returns) : microLpHalves(returns);
  const microLp = weights.microLpSigned ? signed : Math.max(0, signed);
  const winRate = meanOrZero(groups.flat());
  const plateau = plateauReward(winRate, weights.band);
  const frontierPenalty = (winRate - 0.5) ** 2;
  const term = regretTerm(regret, weights);
  const blend =
    weights.regret * term + weights.microLp * (microLp / weights.microLpScale) + weights.plateau * plateau -
    weights.frontier * (frontierPenalty / weights.frontierScale);
  return { regret, microLp, winRate, plateau, frontierPenalty, regretTerm: term, blend };
}

/** The blend of a batch: environments with a negative blend are masked (`reward` null), the rest is centred on its skill and scaled. */
export function blendRewards(
  games: readonly DesignedGame[], returns: Readonly<Record<string, ReturnsByStep>>, hints: Readonly<Record<string, number>>, weights: BlendWeights, scale: number,
): (BlendSignals & { readonly reward: number | null })[] {
  const signals = games.map(({ game_file }) => blendSignals(returns[game_file] ?? {}, hints[game_file], weights));
  const rewards = centreBySkill(signals.map(({ blend }, index) => ({ skill: games[index]?.skill ?? '', value: blend < 0 ? null : blend })), scale);
  return signals.map((signal, index) => ({ ...signal, reward: rewards[index] ?? null }));
}

/** Booked for a step that timed out, in place of the regret. */
const STEP_TIMEOUT_PENALTY = -0.5;

/** Regret only: floored at 0, over all no-hint returns; the penalty for a step that timed out. */
export function regretOnly(hintReturn: number | undefined, noHint: readonly number[], stepTimeout = false): number {
  return stepTimeout ? STEP_TIMEOUT_PENALTY : Math.max(0, (hintReturn ?? 0) - meanOrZero(noHint));
}

/** Regret-only rewards of a batch, centred and scaled. */
export function regretOnlyRewards(
  games: readonly (DesignedGame & { readonly step_timeout?: boolean | undefined })[], returns: Readonly<Record<string, readonly number[]>>,
  hints: Readonly<Record<string, number>>, scale: number,
): (number | null)[] {
  return centreBySkill(
    games.map(({ game_file, skill, step_timeout }) => ({ skill, value: regretOnly(hints[game_file], returns[game_file] ?? [], step_timeout) })), scale,
  );
}

/** Micro-LP-only rewards of a batch: late half minus early half, floored at 0, centred and scaled. */
export function microLpRewards(games: readonly DesignedGame[], returns: Readonly<Record<string, ReturnsByStep>>, scale: number): (number | null)[] {
  return centreBySkill(games.map(({ game_file, skill }) => ({ skill, value: Math.max(0, microLpHalves(returns[game_file] ?? {})) })), scale);
}

/** Learning-potential rewards of a batch: distance of the mean return from the skill's slow average, with the variance reward if asked for. */
export function learningPotentialRewards(
  games: readonly DesignedGame[], returns: Readonly<Record<string, readonly number[]>>, before: Readonly<Record<string, readonly number[]>>,
  options: TrackerRates & { readonly variance: boolean; readonly scale: number },
): { raw: number; reward: number | null }[] {
  const raws = games.map(({ game_file, skill }) => {
    const plays = returns[game_file] ?? [];
    const baseline = learningPotentialTracker(options, before[skill] ?? []).at(-1)?.muSlow ?? 0;
    const distance = plays.length === 0 ? 0 : Math.abs(meanOrZero(plays) - baseline);
    return distance + (options.variance && plays.length > 1 ? varianceReward(plays) : 0);
  });
  const rewards = centreBySkill(raws.map((value, index) => ({ skill: games[index]?.skill ?? '', value })), options.scale);
  return raws.map((raw, index) => ({ raw, reward: rewards[index] ?? null }));
}
