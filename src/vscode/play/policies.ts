import type { ScriptedMove } from '../../core/play/policies/fixed';
import type { Policy } from '../../core/play/policy';
import { EnvwrightError } from '../../core/errors';
import { message, type Message } from '../../shared/message';
import type { PlaySettings, PolicyChoice } from '../../shared/webviewProtocol';
import { configuredSampling, type ModelSource } from '../models/modelSource';
import type { HumanSeat } from './humanSeat';

/** Seed of the policies that draw: the same plays give the same result. */
const DRAW_SEED = 0;
/** Pause between two pieces of the simulated learner's reply, so that it can be read as it comes. */
const PACE_MS = 12;

/** Actions that were chosen to be played, and what they are called. */
export interface GivenScript {
  readonly moves: readonly ScriptedMove[];
  readonly label: Message;
}

/** The policies that the player offers, the ones without a model first. */
export function offeredPolicies(models: ModelSource, script: GivenScript | undefined): PolicyChoice[] {
  return [
    {
      id: 'simulated', label: message('Simulated learner (not a model)'), available: true, usesHint: true,
      why: message('Plays the right solution with a settable chance. Shows the whole path; says nothing about a model.'),
    },
    { id: 'oracle', label: message('solution()'), available: true, usesHint: false, why: message('The environment’s own solution.') },
    { id: 'random', label: message('Random'), available: true, usesHint: false, why: message('Random actions of the kind that the environment reads.') },
    { id: 'noop', label: message('Does nothing'), available: true, usesHint: false, why: message('Always the empty reply.') },
    { id: 'cheats', label: message('Cheats of the checks'), available: true, usesHint: false, why: message('Each play of a seed tries another way to be paid without the skill.') },
    { id: 'human', label: message('You'), available: true, usesHint: true, why: message('You play, one episode after the other, by text or by the tools’ forms.') },
    {
      id: 'script', available: true, usesHint: false, label: script?.label ?? message('Saved actions…'),
      why: script ? message('{n} actions, the same in every episode.', { n: script.moves.length }) : message('Asks for a saved episode or a file of actions.'),
    },
    {
      id: 'model', available: !models.isOffline, usesHint: true,
      label: models.isOffline ? message('Model (none set)') : message('Model {name}', { name: models.label }),
      why: models.isOffline ? message('Set envwright.model.provider, endpoint and name.') : message('The model of the settings, sampled as there.'),
    },
  ];
}

/** The policy that the player's settings ask for. @throws EnvwrightError when it cannot be had. */
export async function policyFor(
  { policy, chance, chanceHint }: PlaySettings, models: ModelSource, { script, seat }: { readonly script: GivenScript | undefined; readonly seat: HumanSeat },
): Promise<Policy> {
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
    case 'cheats': return (await import('../../core/play/policies/cheats')).cheatPolicy();
    case 'oracle': return (await import('../../core/play/policies/fixed')).oraclePolicy();
    case 'noop': return (await import('../../core/play/policies/fixed')).noopPolicy();
    case 'human': return (await import('../../core/play/policies/fixed')).humanPolicy(seat.ask);
    case 'script':
      if (script) return (await import('../../core/play/policies/fixed')).scriptPolicy(script.moves);
      throw new EnvwrightError('play/no-script', message('There are no actions to play.'), message('Choose a saved episode or a file of actions.'));
  }
}
