/** The document of `score`: inputs of the run's reward arithmetic, to be filled with the values the run computes. */
import { z } from 'zod';
import { fromJsonNumber, JsonNumber } from './json';

const number = JsonNumber.transform(fromJsonNumber);
const numbers = z.array(number);
const Game = z.looseObject({ game_file: z.string(), skill: z.string() });
const games = z.array(Game);
const returnsByStep = z.record(z.string(), z.record(z.string().regex(/^-?\d+$/), numbers));
const returns = z.record(z.string(), numbers);
const byGame = z.record(z.string(), number);

/** Weights of the blend under the names of the run's configuration; what is left out has the run's default (run contract §6). */
export const BlendConfig = z.looseObject({
  env_reward_scale: number,
  regret_weight: number.optional(),
  regret_scale: number.optional(),
  regret_floor: z.boolean().optional(),
  micro_lp_weight: number.optional(),
  micro_lp_scale: number.optional(),
  micro_lp_signed: z.boolean().optional(),
  micro_lp_slope: z.boolean().optional(),
  plateau_weight: number.optional(),
  plateau_lo: number.optional(),
  plateau_hi: number.optional(),
  plateau_ramp: number.optional(),
  frontier_weight: number.optional(),
  frontier_scale: number.optional(),
});
export type BlendConfig = z.infer<typeof BlendConfig>;

/** Each section is a list of inputs; every key is optional, and keys of an input that are not named here are kept. */
export const ScoreDocument = z.strictObject({
  episode_reward: z.array(z.looseObject({ rewards: numbers, terminated: z.boolean() })).optional(),
  plateau_reward: z.array(z.looseObject({ win_rate: number, lo: number.default(0.4), hi: number.default(0.6), ramp: number.default(0.25) })).optional(),
  variance_reward: z.array(z.looseObject({ rewards: numbers })).optional(),
  env_reward_scale: z.array(z.looseObject({
    num_env_trajectories: number, num_actor_trajectories: number, regeneration_interval: number, max_scale: number.default(50),
  })).optional(),
  learning_potential: z.array(z.looseObject({ gamma_fast: number, gamma_slow: number, updates: numbers })).optional(),
  blend: z.array(z.looseObject({ config: BlendConfig, games, rewards_by_step: returnsByStep, hint_reward: byGame.default({}) })).optional(),
  regret_only: z.array(z.looseObject({
    games: z.array(Game.extend({ step_timeout: z.boolean().optional() })), rewards: returns, hint_reward: byGame.default({}), env_reward_scale: number,
  })).optional(),
  micro_lp: z.array(z.looseObject({ games, rewards_by_step: returnsByStep, env_reward_scale: number })).optional(),
  learning_potential_reward: z.array(z.looseObject({
    gamma_fast: number, gamma_slow: number, updates_before: returns.default({}), games, rewards: returns, use_variance: z.boolean().default(false),
    env_reward_scale: number,
  })).optional(),
});
export type ScoreDocument = z.infer<typeof ScoreDocument>;
