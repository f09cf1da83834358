import type { Move, Policy } from '../../core/play/policy';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { PlaySettings, PolicyChoice } from '../../shared/webviewProtocol';
import { configuredSampling, type ModelSource } from '../models/modelSource';

/** Seed of the policies that draw: the same plays give the same result. */
const DRAW_SEED = 0;
/** Pause between two pieces of the simulated learner's reply, so that it can be read as it comes. */
const PACE_MS = 12;

/** The policies that the player offers, the ones without a model first. */
export function offeredPolicies(models: ModelSource, script: readonly Move[] | undefined): PolicyChoice[] {
  return [
    ...(script ? [{
      id: 'script' as const, label: message('Counterexample ({n} actions)', { n: script.length }), available: true, usesHint: false, why: message('The actions with which a check found something.'),
    }] : []),
    {
      id: 'simulated', label: message('Simulated learner (not a model)'), available: true, usesHint: true,
      why: message('Plays the right solution with a settable chance. Shows the whole path; says nothing about a model.'),
    },
    { id: 'oracle', label: message('solution()'), available: true, usesHint: false, why: message('The environment’s own solution.') },
    { id: 'random', label: message('Random'), available: true, usesHint: false, why: message('Random actions of the kind that the environment reads.') },
    { id: 'noop', label: message('Does nothing'), available: true, usesHint: false, why: message('Always the empty reply.') },
    {
      id: 'model', available: !models.isOffline, usesHint: true,
      label: models.isOffline ? message('Model (none set)') : message('Model {name}', { name: models.label }),
      why: models.isOffline ? message('Set envwright.model.provider, endpoint and name.') : message('The model of the settings, sampled as there.'),
    },
  ];
}

/** The policy that the player's settings ask for; `script` is what was given to be replayed. @throws EnvwrightError when it cannot be had. */
export async function policyFor({ policy, chance, chanceHint }: PlaySettings, models: ModelSource, script?: readonly Move[]): Promise<Policy> {
  switch (policy) {
    case 'simulated': {
      const { simulatedLearner } = await import('../../core/play/policies/simulated');
      return simulatedLearner({ chance, chanceWithHint: chanceHint, seed: DRAW_SEED, pace: () => new Promise((resolve) => setTimeout(resolve, PACE_MS)) });
    }
    case 'model': {
      if (models.isOffline) {
        throw new EnvwrightError('settings/no-model', message('No model is set, and the offline samples cannot play.'), message('Set a model, or choose another policy.'));
      }
      const { modelPolicy } = await import('../../core/play/policies/model');
      return modelPolicy({ client: await models.client(), sampling: configuredSampling(), thinking: models.profile('agent').thinking });
    }
    case 'random': return (await import('../../core/play/policies/random')).randomPolicy(DRAW_SEED);
    case 'oracle': return (await import('../../core/play/policies/fixed')).oraclePolicy();
    case 'noop': return (await import('../../core/play/policies/fixed')).noopPolicy();
    case 'script':
      if (script) return (await import('../../core/play/policies/fixed')).scriptPolicy(script);
      throw new EnvwrightError('play/no-script', message('There are no actions to replay.'), message('Replay a counterexample from its finding.'));
    case 'human':
      throw new EnvwrightError('play/not-offered', message('This policy is not offered here.'), message('Choose another policy.'));
  }
}
