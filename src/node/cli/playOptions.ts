import { basename } from 'node:path';
import { z } from 'zod';
import type { ArmsOptions } from '../../core/play/arms';
import { CHEAT_PLAYS, cheatPolicy } from '../../core/play/policies/cheats';
import { noopPolicy, oraclePolicy, scriptPolicy } from '../../core/play/policies/fixed';
import { LAUNCHER_SAMPLING, modelPolicy } from '../../core/play/policies/model';
import { randomPolicy } from '../../core/play/policies/random';
import { simulatedLearner } from '../../core/play/policies/simulated';
import type { Policy } from '../../core/play/policy';
import { parseSeeds } from '../../core/play/seeds';
import { message } from '../../shared/message';
import type { PlaySettings } from '../../shared/webviewProtocol';
import type { Args } from './args';
import { UsageError, type CliContext } from './context';
import { readDocument, readInput, readSource } from './inputs';
import { MODEL_OPTIONS, modelOf, samplingOf } from './modelArgs';
import { SANDBOX_OPTIONS, sandboxOf } from './sandboxArgs';

const POLICIES = ['oracle', 'random', 'noop', 'cheats', 'script', 'model', 'simulated'] as const;
type PolicyName = (typeof POLICIES)[number];
const DEFAULT_SEEDS = '0-3';

/** Flags of `play` that say what is played and how. */
export const PLAY_OPTIONS = {
  policy: { type: 'string' }, actions: { type: 'string' }, hint: { type: 'string' }, 'hint-file': { type: 'string' }, seeds: { type: 'string' }, plays: { type: 'string' },
  'max-turns': { type: 'string' }, 'as-run': { type: 'boolean' }, thinking: { type: 'boolean' }, chance: { type: 'string' }, 'chance-hint': { type: 'string' },
  concurrency: { type: 'string' }, 'random-seed': { type: 'string' }, ...SANDBOX_OPTIONS, ...MODEL_OPTIONS,
} as const;

function chanceOf(args: Args, name: string, otherwise: number): number {
  const value = args.number(name) ?? otherwise;
  if (value < 0 || value > 1) throw new UsageError(message('--{name} takes a chance from 0 to 1.', { name }));
  return value;
}

/** The policy that flags name, or a saved session: its name and chances are then given. */
export async function policyOf(args: Args, context: CliContext, saved?: Pick<PlaySettings, 'policy' | 'chance' | 'chanceHint'>): Promise<Policy> {
  const seed = args.integer('random-seed') ?? 0;
  const name = saved ? POLICIES.find((policy) => policy === saved.policy) : args.choice('policy', POLICIES);
  switch (name) {
    case undefined:
      throw saved
        ? new UsageError(message('A session that was played by {policy} cannot go on without a screen.', { policy: saved.policy }), message('Open it in the editor.'))
        : new UsageError(message('--policy is missing: one of {policies}.', { policies: POLICIES.join(', ') }));
    case 'oracle':
      return oraclePolicy();
    case 'noop':
      return noopPolicy();
    case 'cheats':
      return cheatPolicy();
    case 'random':
      return randomPolicy(seed);
    case 'simulated': {
      const chance = saved?.chance ?? chanceOf(args, 'chance', 0.5);
      return simulatedLearner({ chance, chanceWithHint: saved?.chanceHint ?? chanceOf(args, 'chance-hint', chance), seed });
    }
    case 'script': {
      const path = args.path('actions');
      if (path === undefined) throw new UsageError(message('--policy script needs --actions FILE: a JSON array of texts.'));
      return scriptPolicy(await readDocument(context, path, z.array(z.string())));
    }
    case 'model':
      return modelPolicy({ client: await modelOf(args, context), sampling: samplingOf(args, LAUNCHER_SAMPLING), ...(args.flag('thinking') ? { thinking: true } : {}) });
  }
}

async function hintOf(args: Args, context: CliContext): Promise<string | null> {
  const [text, file] = [args.text('hint'), args.path('hint-file')];
  if (text !== undefined && file !== undefined) throw new UsageError(message('Give either --hint or --hint-file.'));
  return file === undefined ? (text ?? null) : (await readInput(context, file)).trim();
}

/** What is to be played anew. */
export async function optionsOf(args: Args, context: CliContext): Promise<ArmsOptions> {
  const path = args.onePath('FILE');
  const maxTurns = args.integer('max-turns', 1);
  const plays = args.integer('plays', 1) ?? (args.text('policy') === 'cheats' ? CHEAT_PLAYS : undefined);
  return {
    file: { name: basename(path), source: await readSource(context, path) },
    policy: await policyOf(args, context),
    hint: await hintOf(args, context),
    mode: args.flag('as-run') ? 'as-run' : 'paired',
    seeds: parseSeeds(args.text('seeds') ?? DEFAULT_SEEDS),
    plays: plays ?? 1,
    ...(plays === undefined ? {} : { asRun: { hintPlays: plays, noHintPlays: plays, drawSeed: args.integer('random-seed') ?? 0 } }),
    thinking: args.flag('thinking'),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(await howOf(args, context)),
  };
}

/** Where plays run and how many at once. */
export async function howOf(args: Args, context: CliContext): Promise<Pick<ArmsOptions, 'sandbox' | 'clock' | 'concurrency'>> {
  const concurrency = args.integer('concurrency', 1);
  return { clock: context.clock, sandbox: await sandboxOf(args, context), ...(concurrency === undefined ? {} : { concurrency }) };
}

/** The flags as a player would hold them, for the record. */
export function settingsOf(args: Args, { hint, mode, plays }: ArmsOptions): PlaySettings {
  const chance = args.number('chance') ?? 0.5;
  return {
    policy: (args.text('policy') ?? 'oracle') as PolicyName, hint, mode, plays, seeds: args.text('seeds') ?? DEFAULT_SEEDS,
    chance, chanceHint: args.number('chance-hint') ?? chance,
  };
}
