import * as vscode from 'vscode';
import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import { parseEndpoint } from '../../core/models/endpoint';
import { sendsKeyInClear, type KeyRing } from '../../core/models/keys';
import type { ModelClient, Sampling } from '../../core/ports';
import { message } from '../../shared/message';
import type { Interaction } from '../interaction';
import type { EndpointSetup, NodePorts } from '../nodePorts';
import { readSetting } from '../settings';

/** Where the origins are kept that the user said need no key. */
const KEYLESS = 'envwright.originsWithoutKey';

/** Gives the model that the settings name, with the key of its origin, and asks for one at an origin that is new. */
export class ModelSource {
  private cached: { readonly setup: string; readonly client: ModelClient } | undefined;

  constructor(
    private readonly ports: Pick<NodePorts, 'endpointModel' | 'offlineModel'>,
    private readonly keys: KeyRing,
    private readonly interaction: Interaction,
    private readonly state: vscode.Memento,
  ) {}

  /** True while *Offline samples* stand in for a model. */
  get isOffline(): boolean {
    return readSetting('model.provider') === 'offline-samples';
  }

  /** The name to show: the model's, or what stands in for it. */
  get label(): string {
    return this.isOffline ? vscode.l10n.t('Offline samples (not a model)') : readSetting('model.name');
  }

  async client(): Promise<ModelClient> {
    if (this.isOffline) return this.ports.offlineModel();
    const setup = await this.setup();
    const key = JSON.stringify(setup);
    if (this.cached?.setup !== key) this.cached = { setup: key, client: await this.ports.endpointModel(setup) };
    return this.cached.client;
  }

  /** Endpoint, model and key; asks for the key of an origin that was never asked for. */
  async setup(): Promise<EndpointSetup> {
    const endpoint = readSetting('model.endpoint');
    const model = readSetting('model.name');
    parseEndpoint(endpoint);
    if (model === '') {
      throw new EnvwrightError('settings/no-model', message('No model is named for the endpoint {endpoint}.', { endpoint }), message('Set envwright.model.name.'));
    }
    return { endpoint, model, apiKey: await this.keyFor(endpoint) };
  }

  /** Asks for the key of an endpoint and keeps it, bound to the endpoint's origin. False when dismissed. */
  async askForKey(endpoint: string): Promise<boolean> {
    const { origin } = parseEndpoint(endpoint);
    const answer = await this.interaction.input({
      title: vscode.l10n.t('API key for {0}', origin),
      prompt: vscode.l10n.t('The key is kept in the secret store and sent to {0} alone. Leave it empty if this server needs none.', origin),
      password: true,
    });
    if (answer === undefined) return false;
    if (answer.trim() === '') {
      await this.keys.forgetKey(endpoint);
      await this.state.update(KEYLESS, [...this.keyless().filter((other) => other !== origin), origin]);
      return true;
    }
    if (sendsKeyInClear(endpoint) && !(await this.confirmClear(origin))) return false;
    await this.keys.setKey(endpoint, answer);
    await this.state.update(KEYLESS, this.keyless().filter((other) => other !== origin));
    return true;
  }

  async forgetKey(endpoint: string): Promise<void> {
    const { origin } = parseEndpoint(endpoint);
    await this.keys.forgetKey(endpoint);
    await this.state.update(KEYLESS, this.keyless().filter((other) => other !== origin));
  }

  private async keyFor(endpoint: string): Promise<string | undefined> {
    const known = await this.keys.keyFor(endpoint);
    if (known !== undefined || this.keyless().includes(parseEndpoint(endpoint).origin)) return known;
    if (!(await this.askForKey(endpoint))) {
      throw new EnvwrightError('model/no-key', message('No key was given for {endpoint}.', { endpoint }), message('Set the API key, or leave it empty if the server needs none.'));
    }
    return this.keys.keyFor(endpoint);
  }

  private confirmClear(origin: string): Promise<boolean> {
    return this.interaction.confirm({
      message: vscode.l10n.t('Send the key in the clear?'),
      detail: vscode.l10n.t('{0} is another computer and is reached without encryption: whoever is on the way can read the key.', origin),
      accept: vscode.l10n.t('Keep and Send It'),
    });
  }

  private keyless(): readonly string[] {
    return z.array(z.string()).catch([]).parse(this.state.get(KEYLESS) ?? []);
  }
}

/** Sampling as the settings say; `null` leaves a parameter to the server. */
export function configuredSampling(): Sampling {
  const topP = readSetting('model.topP');
  const topK = readSetting('model.topK');
  const minP = readSetting('model.minP');
  return {
    temperature: readSetting('model.temperature'),
    maxTokens: readSetting('model.maxTokens'),
    ...(topP !== null && { topP }),
    ...(topK !== null && { topK }),
    ...(minP !== null && { minP }),
  };
}
