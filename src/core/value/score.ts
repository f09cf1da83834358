import { toJsonNumber } from '../../shared/json';
import type { BlendConfig, ScoreDocument } from '../../shared/score';
import { blendRewards, DEFAULT_WEIGHTS, learningPotentialRewards, microLpRewards, regretOnlyRewards, type BlendWeights } from './designer';
import { learningPotentialTracker } from './learningPotential';
import { envRewardScale, episodeReward, plateauReward, varianceReward } from './rewards';

const orNull = (value: number | null) => (value === null ? null : toJsonNumber(value));

/** The weights that a configuration of the run stands for. */
function weightsOf(config: Partial<BlendConfig>): BlendWeights {
  const d = DEFAULT_WEIGHTS;
  return {
    regret: config.regret_weight ?? d.regret,
    microLp: config.micro_lp_weight ?? d.microLp,
    plateau: config.plateau_weight ?? d.plateau,
    frontier: config.frontier_weight ?? d.frontier,
    regretScale: config.regret_scale ?? d.regretScale,
    microLpScale: config.micro_lp_scale ?? d.microLpScale,
    frontierScale: config.frontier_scale ?? d.frontierScale,
    microLpSigned: config.micro_lp_signed ?? d.microLpSigned,
    microLpBySlope: config.micro_lp_slope ?? d.microLpBySlope,
    regretFloor: config.regret_floor ?? d.regretFloor,
    band: { lo: config.plateau_lo ?? d.band.lo, hi: config.plateau_hi ?? d.band.hi, ramp: config.plateau_ramp ?? d.band.ramp },
  };
}

/** One filler a section: the keys that the run's values are added under. */
const FILLERS: { [Section in keyof ScoreDocument]-?: (input: NonNullable<ScoreDocument[Section]>[number]) => Record<string, unknown> } = {
  episode_reward: ({ rewards, terminated }) => ({ expected: toJsonNumber(episodeReward(rewards, terminated)) }),
  plateau_reward: ({ win_rate, lo, hi, ramp }) => ({ expected: toJsonNumber(plateauReward(win_rate, { lo, hi, ramp })) }),
  variance_reward: ({ rewards }) => ({ expected: toJsonNumber(varianceReward(rewards)) }),
  env_reward_scale: (input) => ({
    expected: toJsonNumber(envRewardScale(input.num_env_trajectories, input.num_actor_trajectories, input.regeneration_interval, input.max_scale)),
  }),
  learning_potential: ({ gamma_fast, gamma_slow, updates }) => ({
    expected: learningPotentialTracker({ gammaFast: gamma_fast, gammaSlow: gamma_slow }, updates).map(({ rho, muFast, muSlow, signed }) => ({
      rho: toJsonNumber(rho), mu_fast: toJsonNumber(muFast), mu_slow: toJsonNumber(muSlow), signed: toJsonNumber(signed),
    })),
  }),
  blend: ({ config, games, rewards_by_step, hint_reward }) => ({
    expected: blendRewards(games, rewards_by_step, hint_reward, weightsOf(config), config.env_reward_scale).map((signal, index) => ({
      game_file: games[index]?.game_file,
      regret: toJsonNumber(signal.regret),
      micro_lp: toJsonNumber(signal.microLp),
      win_rate: toJsonNumber(signal.winRate),
      plateau: toJsonNumber(signal.plateau),
      frontier_penalty: toJsonNumber(signal.frontierPenalty),
      blend: toJsonNumber(signal.blend),
      masked: signal.reward === null,
      reward: orNull(signal.reward),
    })),
  }),
  regret_only: ({ games, rewards, hint_reward, env_reward_scale }) => ({
    expected_reward: regretOnlyRewards(games, rewards, hint_reward, env_reward_scale).map(orNull),
  }),
  micro_lp: ({ games, rewards_by_step, env_reward_scale }) => ({ expected_reward: microLpRewards(games, rewards_by_step, env_reward_scale).map(orNull) }),
  learning_potential_reward: (input) => {
    const values = learningPotentialRewards(input.games, input.rewards, input.updates_before, {
      gammaFast: input.gamma_fast, gammaSlow: input.gamma_slow, variance: input.use_variance, scale: input.env_reward_scale,
    });
    return {
      expected: Object.fromEntries(input.games.map(({ game_file }, index) => [
        game_file, { raw: orNull(values[index]?.raw ?? null), reward: orNull(values[index]?.reward ?? null) },
      ])),
    };
  },
};

/** Fills every input of a document with the values that the run computes for it. Inputs are returned with their own keys first. */
export function score(document: ScoreDocument): Record<string, Record<string, unknown>[]> {
  return Object.fromEntries(Object.entries(document).map(([section, inputs]) => {
    const fill = FILLERS[section as keyof ScoreDocument] as (input: unknown) => Record<string, unknown>;
    return [section, (inputs as Record<string, unknown>[]).map((input) => ({ ...input, ...fill(input) }))];
  }));
}
