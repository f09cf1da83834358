import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { MODEL_ROLES, type RoleProfile, type RoleProfiles } from '../../shared/modelProfile';
import { message } from '../../shared/message';
import type { ReadOnlyDocuments } from '../documents';
import type { Interaction } from '../interaction';
import { localize } from '../localize';
import type { LinkedRun } from '../run/linkedRun';
import { readSetting, writeSetting } from '../settings';
import { requireTrust } from '../trust';
import type { ModelSource } from './modelSource';

/** What the commands about profiles need. */
export interface ProfileParts {
  readonly models: ModelSource;
  readonly run: Pick<LinkedRun, 'settings'>;
  readonly interaction: Interaction;
  readonly documents: ReadOnlyDocuments;
}

/** Fills the profiles of all roles from the launch flags of the linked run, after showing what would be set. Endpoints and models stay. */
export async function fillProfiles({ run, interaction }: Pick<ProfileParts, 'run' | 'interaction'>): Promise<RoleProfiles | undefined> {
  requireTrust();
  const settings = await run.settings();
  if (!settings) {
    throw new EnvwrightError('run/no-flags', message('The launch flags of the linked run are not known.'),
      message('Start the run with the link module, or read them from its launcher script: envwright run launch.'));
  }
  const { profilesOfLaunch } = await import('../../core/models/launchProfiles');
  const { profiles, notes } = profilesOfLaunch(settings.launch.flags);
  if (Object.keys(profiles).length === 0) {
    throw new EnvwrightError('run/no-sampling', message('The launch flags of this run say nothing about sampling.'), message('Set envwright.model.profiles by hand.'));
  }
  const isSure = await interaction.confirm({
    message: vscode.l10n.t('Sample each role as the run does?'),
    detail: [...MODEL_ROLES.flatMap((role) => (profiles[role] ? [`${role}: ${said(profiles[role])}`] : [])), ...notes.map(localize), vscode.l10n.t('Read from {0}. Endpoints and models stay as they are.', settings.launch.from)].join('\n'),
    accept: vscode.l10n.t('Set Profiles'),
  });
  if (!isSure) return undefined;
  const before = readSetting('model.profiles');
  const after = Object.fromEntries(MODEL_ROLES.flatMap((role) => {
    const profile = { ...before[role], ...profiles[role] };
    return Object.keys(profile).length > 0 ? [[role, profile]] : [];
  })) as RoleProfiles;
  await writeSetting('model.profiles', after);
  return after;
}

function said(profile: RoleProfile): string {
  return Object.entries(profile).map(([key, value]) => `${key} ${value === null ? vscode.l10n.t('left to the server') : JSON.stringify(value)}`).join(', ');
}

/** Shows what the models of this window have used, by role. */
export async function showCosts({ models, documents }: Pick<ProfileParts, 'models' | 'documents'>): Promise<void> {
  const count = (value: number | null): string => (value === null ? vscode.l10n.t('not counted') : value.toLocaleString(vscode.env.language));
  const rows = models.ledger.roles().map(([role, { calls, promptTokens, completionTokens, ms }]) =>
    `| ${role} | ${calls} | ${count(promptTokens)} | ${count(completionTokens)} | ${(ms / 1000).toFixed(1)} s |`);
  const budget = readSetting('model.budget');
  const text = [
    `# ${vscode.l10n.t('What models have used in this window')}`, '',
    ...(rows.length === 0
      ? [vscode.l10n.t('No model has been asked yet. The offline samples are no model and use nothing.')]
      : [`| ${vscode.l10n.t('role')} | ${vscode.l10n.t('calls')} | ${vscode.l10n.t('tokens read')} | ${vscode.l10n.t('tokens written')} | ${vscode.l10n.t('time')} |`, '| --- | ---: | ---: | ---: | ---: |', ...rows]),
    '',
    budget === 0 ? vscode.l10n.t('No budget is set (envwright.model.budget).') : vscode.l10n.t('{0} of a budget of {1} tokens, estimated where nobody counted.', count(models.ledger.tokens), count(budget)),
    '',
  ].join('\n');
  await documents.showRendered('Costs.md', text);
}
