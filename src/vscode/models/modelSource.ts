import * as vscode from 'vscode';
import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import { parseEndpoint } from '../../core/models/endpoint';
import { BudgetGate, CostLedger, metered } from '../../core/models/cost';
import { sendsKeyInClear, type KeyRing } from '../../core/models/keys';
import { resolveProfile, type ModelProfile } from '../../core/models/profiles';
import type { Clock, ModelClient, ModelRole, Sampling } from '../../core/ports';
import { message } from '../../shared/message';
import { MODEL_ROLES } from '../../shared/modelProfile';
import type { Interaction } from '../interaction';
import type { EndpointSetup, NodePorts } from '../nodePorts';
import { readSetting, settingProblem } from '../settings';

/** Where the origins are kept that the user said need no key. */
const KEYLESS = 'envwright.originsWithoutKey';

/** Gives the model that the settings name for a role, with the key of its origin, and asks for one at an origin that is new. */
export class ModelSource {
  /** What the models of this window have used. */
  readonly ledger = new CostLedger();
  private readonly cached = new Map<ModelRole, { readonly setup: string; readonly client: ModelClient }>();
  private readonly gate: BudgetGate;

  constructor(
    private readonly ports: Pick<NodePorts, 'endpointModel' | 'offlineModel'>,
    private readonly keys: KeyRing,
    private readonly interaction: Interaction,
    private readonly state: vscode.Memento,
    private readonly clock: Pick<Clock, 'now'> = { now: () => Date.now() },
  ) {
    this.gate = new BudgetGate(this.ledger, { get tokens() { return readSetting('model.budget'); }, ask: (used) => this.askForMore(used) });
  }

  /** True while *Offline samples* stand in for the agent's model. */
  get isOffline(): boolean {
    return this.isOfflineFor('agent');
  }

  /** The name of the agent's model, or of what stands in for it. */
  get label(): string {
    return this.labelOf('agent');
  }

  isOfflineFor(role: ModelRole): boolean {
    return this.profile(role).provider === 'offline-samples';
  }

  /** The name to show for a role: its model's, or what stands in for it. */
  labelOf(role: ModelRole): string {
    return this.isOfflineFor(role) ? vscode.l10n.t('Offline samples (not a model)') : this.profile(role).model;
  }

  /** How the settings say that the model of a role is reached and asked. @throws EnvwrightError `settings/bad-profile`. */
  profile(role: ModelRole): ModelProfile {
    return configuredProfile(role);
  }

  /** The model of a role for one work: its calls are counted, and stop at the budget, which one work asks about once. */
  async client(role: ModelRole = 'agent'): Promise<ModelClient> {
    const profile = this.profile(role);
    if (profile.provider === 'offline-samples') return this.ports.offlineModel();
    const setup = profile.provider === 'vscode-lm' ? { editor: profile.model } : await this.setup(role);
    const key = JSON.stringify(setup);
    const known = this.cached.get(role);
    const bare = known?.setup === key ? known.client : 'editor' in setup ? (await import('./languageModel')).editorModel(setup.editor) : await this.ports.endpointModel(setup);
    this.cached.set(role, { setup: key, client: bare });
    return metered(bare, this.ledger, this.clock, this.gate.forWork());
  }

  /** Endpoint, model and key of a role; asks for the key of an origin that was never asked for. */
  async setup(role: ModelRole = 'agent'): Promise<EndpointSetup> {
    const { endpoint, model, extraBody } = this.profile(role);
    parseEndpoint(endpoint);
    if (model === '') {
      throw new EnvwrightError('settings/no-model', message('No model is named for the endpoint {endpoint}.', { endpoint }), message('Set envwright.model.name.'));
    }
    return { endpoint, model, apiKey: await this.keyFor(endpoint), idleMs: 1_000 * readSetting('model.timeout'), ...leniency(), ...(Object.keys(extraBody).length > 0 && { extraBody }) };
  }

  /** The set-up of a role as far as it is known without asking anybody; undefined where it is no server, or its key is not known. */
  async quietSetup(role: ModelRole): Promise<EndpointSetup | undefined> {
    const { provider, endpoint, model, extraBody } = this.profile(role);
    if (provider !== 'openai-compatible' || endpoint === '' || model === '') return undefined;
    const { origin } = parseEndpoint(endpoint);
    const apiKey = await this.keys.keyFor(endpoint);
    return apiKey !== undefined || this.keyless().includes(origin) ? { endpoint, model, apiKey, extraBody, ...leniency() } : undefined;
  }

  /** The endpoints that the roles use, each once. */
  endpoints(): readonly string[] {
    const used = MODEL_ROLES.map((role) => this.profile(role)).filter(({ provider, endpoint }) => provider === 'openai-compatible' && endpoint !== '');
    const all = used.length > 0 ? used.map(({ endpoint }) => endpoint) : [readSetting('model.endpoint')].filter((endpoint) => endpoint !== '');
    return [...new Map(all.map((endpoint) => [parseEndpoint(endpoint).origin, endpoint])).values()];
  }

  private askForMore(used: number): Promise<boolean> {
    const budget = readSetting('model.budget');
    return this.interaction.confirm({
      message: vscode.l10n.t('The budget of {0} tokens is used up.', budget.toLocaleString(vscode.env.language)),
      detail: vscode.l10n.t('This window has used {0} tokens, estimated where a server did not count. Nothing more is asked of a model until you allow another {1}.', used.toLocaleString(vscode.env.language), budget.toLocaleString(vscode.env.language)),
      accept: vscode.l10n.t('Go On'),
    });
  }

  /** An endpoint that no setting names yet, with its key; asks for one at an origin that is new. */
  async reach(endpoint: string): Promise<Omit<EndpointSetup, 'model'>> {
    parseEndpoint(endpoint);
    return { endpoint, apiKey: await this.keyFor(endpoint), ...leniency() };
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

/** Takes any certificate only where the user's own settings say so: a workspace cannot weaken it. */
function leniency(): Pick<EndpointSetup, 'strictTls'> {
  return vscode.workspace.getConfiguration('http').inspect<boolean>('proxyStrictSSL')?.globalValue === false ? { strictTls: false } : {};
}

/** Sampling of a role as the settings say; what is `null` there is left to the server. */
export function configuredSampling(role: ModelRole = 'agent'): Sampling {
  return configuredProfile(role).sampling;
}

/** @throws EnvwrightError `settings/bad-profile`: a profile with a mistake never becomes the model of all roles in silence. */
function configuredProfile(role: ModelRole): ModelProfile {
  const problem = settingProblem('model.profiles');
  if (problem !== undefined) {
    throw new EnvwrightError('settings/bad-profile', message('The setting envwright.model.profiles cannot be read: {problem}.', { problem }), message('Correct it, or remove it.'));
  }
  return resolveProfile(role, {
    provider: readSetting('model.provider'), endpoint: readSetting('model.endpoint'), model: readSetting('model.name'),
    temperature: readSetting('model.temperature'), topP: readSetting('model.topP'), topK: readSetting('model.topK'), minP: readSetting('model.minP'),
    maxTokens: readSetting('model.maxTokens'), thinking: readSetting('model.thinking'), extraBody: readSetting('model.extraBody'),
  }, readSetting('model.profiles')[role]);
}
