import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { parseEndpoint } from '../../core/models/endpoint';
import { message } from '../../shared/message';
import { BACK, type Interaction } from '../interaction';
import type { ModelSource } from '../models/modelSource';

/** Asks for the key of an endpoint in the settings. */
export async function setApiKey(models: ModelSource, interaction: Interaction): Promise<void> {
  const endpoint = await endpointOfSettings(models, interaction, vscode.l10n.t('Set the API key of which endpoint?'));
  if (endpoint !== undefined) await models.askForKey(endpoint);
}

/** Forgets the key of an endpoint in the settings, after a question. */
export async function forgetApiKey(models: ModelSource, interaction: Interaction): Promise<void> {
  const endpoint = await endpointOfSettings(models, interaction, vscode.l10n.t('Forget the API key of which endpoint?'));
  if (endpoint === undefined) return;
  const { origin } = parseEndpoint(endpoint);
  const isSure = await interaction.confirm({
    message: vscode.l10n.t('Forget the API key for {0}?', origin),
    detail: vscode.l10n.t('The next request to it asks for a key again.'),
    accept: vscode.l10n.t('Forget'),
  });
  if (isSure) await models.forgetKey(endpoint);
}

/** The endpoint of the roles; asks where they use several. Undefined when dismissed. */
async function endpointOfSettings(models: ModelSource, interaction: Interaction, title: string): Promise<string | undefined> {
  const endpoints = models.endpoints();
  if (endpoints.length === 0) {
    throw new EnvwrightError(
      'settings/no-endpoint',
      message('No endpoint is set, and a key belongs to the origin of one.'),
      message('Set envwright.model.endpoint first.'),
    );
  }
  if (endpoints.length === 1) return endpoints[0];
  const chosen = await interaction.pick({ title, choices: endpoints.map((endpoint) => ({ label: parseEndpoint(endpoint).origin, description: endpoint, value: endpoint })) });
  return chosen === BACK ? undefined : chosen;
}
