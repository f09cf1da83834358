import * as vscode from 'vscode';
import { parseEndpoint } from '../../core/models/endpoint';
import { EnvwrightError } from '../../core/errors';
import { localize } from '../localize';
import { BACK, type Interaction } from '../interaction';
import type { NodePorts } from '../nodePorts';
import { withProgress } from '../progress';
import { readSetting, writeSetting } from '../settings';
import { requireTrust } from '../trust';
import { editorModels } from './languageModel';
import type { ModelSource } from './modelSource';

/** What choosing a model needs. */
export interface ChooseParts {
  readonly models: ModelSource;
  readonly ports: Pick<NodePorts, 'listModels'>;
  readonly interaction: Interaction;
}

type Place = { readonly kind: 'offline' } | { readonly kind: 'server'; readonly endpoint: string } | { readonly kind: 'newServer' } | { readonly kind: 'editor'; readonly name: string };

/** Lets the person choose the model of all roles: of a server, of the editor, or none. Roles with a profile of their own keep it. */
export async function chooseModel(parts: ChooseParts): Promise<string | undefined> {
  requireTrust();
  const place = await parts.interaction.pick<Place>({ title: vscode.l10n.t('Choose Model'), placeholder: vscode.l10n.t('For all roles that have no profile of their own'), choices: await places(parts.models) });
  if (place === undefined || place === BACK) return undefined;
  if (place.kind === 'offline') {
    await writeSetting('model.provider', 'offline-samples');
    return parts.models.label;
  }
  if (place.kind === 'editor') {
    await writeSetting('model.name', place.name);
    await writeSetting('model.provider', 'vscode-lm');
    return place.name;
  }
  const endpoint = place.kind === 'server' ? place.endpoint : await askEndpoint(parts.interaction);
  if (endpoint === undefined) return undefined;
  const name = await modelOf(endpoint, parts);
  if (name === undefined) return undefined;
  await writeSetting('model.endpoint', endpoint);
  await writeSetting('model.name', name);
  await writeSetting('model.provider', 'openai-compatible');
  return name;
}

async function places(models: ModelSource) {
  const offered = await editorModels();
  return [
    { separator: vscode.l10n.t('Servers') },
    ...models.endpoints().map((endpoint) => ({ label: parseEndpoint(endpoint).origin, description: endpoint, value: { kind: 'server' as const, endpoint } })),
    { label: vscode.l10n.t('Another server…'), description: 'vLLM, SGLang, Ollama, llama.cpp, OpenRouter', value: { kind: 'newServer' as const } },
    ...(offered.length > 0 ? [{ separator: vscode.l10n.t('Language models of the editor') }] : []),
    ...offered.map(({ name, vendor, family, maxInputTokens }) => ({
      label: name, description: `${vendor}/${family}`, detail: vscode.l10n.t('prompts of up to {0} tokens', maxInputTokens), value: { kind: 'editor' as const, name: `${vendor}/${family}` },
    })),
    { separator: vscode.l10n.t('None') },
    { label: vscode.l10n.t('Offline samples (not a model)'), value: { kind: 'offline' as const } },
  ];
}

function askEndpoint(interaction: Interaction): Promise<string | undefined> {
  return interaction.input({
    title: vscode.l10n.t('Address of the server'), prompt: vscode.l10n.t('For example http://localhost:8000/v1'), value: readSetting('model.endpoint'),
    validate: (text) => {
      try {
        parseEndpoint(text);
        return undefined;
      } catch (error) {
        if (error instanceof EnvwrightError) return `${localize(error.what)} ${localize(error.next)}`;
        throw error;
      }
    },
  });
}

/** One of the models that the server lists; where it lists none, the name is asked for. */
async function modelOf(endpoint: string, { models, ports, interaction }: ChooseParts): Promise<string | undefined> {
  const reached = await models.reach(endpoint);
  const listed = await withProgress(vscode.l10n.t('Envwright: asking for the models'), (signal) => ports.listModels(reached, signal));
  if (listed.length === 0) return interaction.input({ title: vscode.l10n.t('Name of the model'), prompt: vscode.l10n.t('The server lists none: give the name as it knows it.') });
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Model at {0}', parseEndpoint(endpoint).origin),
    choices: listed.map(({ id, context }) => ({ label: id, ...(context !== null && { description: vscode.l10n.t('context of {0} tokens', context) }), value: id })),
  });
  return chosen === BACK ? undefined : chosen;
}
