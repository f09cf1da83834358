import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { checkMany, type VerdictCounts } from '../checks/checkMany';
import type { Checks } from '../checks/feature';
import type { Interaction } from '../interaction';
import type { EnvironmentsTree } from '../trees/environmentsTree';

/** Checks every environment of the workspace; gives the count of verdicts, undefined when it was given up. */
export async function checkAll(environments: EnvironmentsTree, checks: Checks, interaction: Interaction): Promise<VerdictCounts | undefined> {
  const uris = await environments.environments();
  if (uris.length === 0) {
    throw new EnvwrightError('checks/no-environments', message('There is no environment in this workspace.'), message('Open a folder that holds one, or design one with Envwright: Design Environment.'));
  }
  return checkMany(uris, {
    title: vscode.l10n.t('Envwright: checking environments'),
    question: vscode.l10n.t('Check {0} environments?', uris.length),
    done: (counts) => vscode.l10n.t('Environments checked: {0}.', counts),
  }, checks.checker, interaction);
}
