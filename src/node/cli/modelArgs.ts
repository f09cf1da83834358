import { BudgetGate, CostLedger, metered } from '../../core/models/cost';
import { sendsKeyInClear } from '../../core/models/keys';
import type { ModelClient, Sampling } from '../../core/ports';
import { formatMessage, message } from '../../shared/message';
import type { Args } from './args';
import { UsageError, type CliContext, type EndpointChoice } from './context';

/** Flags of every command that asks a model; sampling by its common names. */
export const MODEL_OPTIONS = {
  endpoint: { type: 'string' }, model: { type: 'string' }, temperature: { type: 'string' }, 'top-p': { type: 'string' }, 'top-k': { type: 'string' },
  'min-p': { type: 'string' }, 'max-tokens': { type: 'string' }, 'model-timeout': { type: 'string' }, budget: { type: 'string' },
} as const;

/** How these flags stand in the usage of a command. */
export const MODEL_USAGE = '[--endpoint URL --model NAME --temperature X --top-p X --top-k N --min-p X --max-tokens N --model-timeout SECONDS --budget TOKENS]';

/** The key comes from here and from nowhere else, so that it stands in no command line. */
export const KEY_VARIABLE = 'ENVWRIGHT_API_KEY';

/** The endpoint of the flags, undefined when none is named. */
export function endpointOf(args: Args, context: Pick<CliContext, 'env'>): EndpointChoice | undefined {
  const [endpoint, model] = [args.text('endpoint'), args.text('model')];
  if (endpoint === undefined && model === undefined) return undefined;
  if (!endpoint || !model) throw new UsageError(message('A model needs both --endpoint URL and --model NAME.'));
  const apiKey = context.env[KEY_VARIABLE] || undefined;
  if (apiKey !== undefined && sendsKeyInClear(endpoint)) {
    throw new UsageError(message('{endpoint} would get the key of {variable} in clear text.', { endpoint, variable: KEY_VARIABLE }), message('Use https, or leave the key out.'));
  }
  const seconds = args.integer('model-timeout', 1);
  return { endpoint, model, apiKey, ...(seconds !== undefined && { idleMs: 1_000 * seconds }) };
}

/** The model of the flags; without one the command is wrong usage. */
export function modelOf(args: Args, context: CliContext): Promise<ModelClient> {
  const choice = endpointOf(args, context);
  if (!choice) throw new UsageError(message('This needs a model: give --endpoint URL and --model NAME.'), message('The key is read from {variable}.', { variable: KEY_VARIABLE }));
  return clientOf(choice, args, context);
}

/** The model of a choice. With `--budget` it stops when so many tokens are used, and asks at a terminal for as many again. */
export async function clientOf(choice: EndpointChoice, args: Args, context: CliContext): Promise<ModelClient> {
  const client = await context.model(choice);
  const tokens = args.integer('budget', 1);
  if (tokens === undefined) return client;
  const ledger = new CostLedger();
  const gate = new BudgetGate(ledger, {
    tokens,
    ask: (used) => context.confirm(formatMessage(message('The budget of {tokens} tokens is used up: {used}. Allow another {tokens}?', { tokens, used }))),
  });
  return metered(client, ledger, context.clock, gate.forWork());
}

/** What the flags set of the sampling; the rest is left as `defaults` have it. */
export function samplingOf(args: Args, defaults: Sampling): Sampling {
  const set = {
    temperature: args.number('temperature'), topP: args.number('top-p'), topK: args.integer('top-k'), minP: args.number('min-p'), maxTokens: args.integer('max-tokens', 1),
  };
  return { ...defaults, ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) };
}
