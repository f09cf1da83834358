import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { parseEndpoint } from '../../core/models/endpoint';
import { message } from '../../shared/message';
import type { Interaction } from '../interaction';
import type { ModelSource } from '../models/modelSource';
import { readSetting } from '../settings';

/** Asks for the key of the endpoint in the settings. */
export async function setApiKey(models: ModelSource): Promise<void> {
  await models.askForKey(endpointOfSettings());
}

/** Forgets the key of the endpoint in the settings, after a question. */
export async function forgetApiKey(models: ModelSource, interaction: Interaction): Promise<void> {
  const endpoint = endpointOfSettings();
  const { origin } = parseEndpoint(endpoint);
  const isSure = await interaction.confirm({
    message: vscode.l10n.t('Forget the API key for {0}?', origin),
    detail: vscode.l10n.t('The next request to it asks for a key again.'),
    accept: vscode.l10n.t('Forget'),
  });
  if (isSure) await models.forgetKey(endpoint);
}

function endpointOfSettings(): string {
  const endpoint = readSetting('model.endpoint');
  if (endpoint !== '') return endpoint;
  throw new EnvwrightError(
    'settings/no-endpoint',
    message('No endpoint is set, and a key belongs to the origin of one.'),
    message('Set envwright.model.endpoint first.'),
  );
}
