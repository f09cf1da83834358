import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import type { Interaction } from '../interaction';
import { readSetting } from '../settings';

/** The name under which decisions are kept; empty before it was given. */
export function reviewerName(): string {
  return readSetting('review.name').trim();
}

/** The reviewer's name, asked for once and kept with the user. @throws EnvwrightError `review/no-name` when it is not given. */
export async function requireReviewer(interaction: Interaction): Promise<string> {
  const known = reviewerName();
  if (known !== '') return known;
  const given = (await interaction.input({
    title: vscode.l10n.t('Your Name as a Reviewer'),
    prompt: vscode.l10n.t('Stands beside your decisions and notes, for the others who review here'),
    validate: (value) => (value.trim() === '' ? vscode.l10n.t('A name is needed, so that several reviewers can be told apart.') : undefined),
  }))?.trim();
  if (!given) throw new EnvwrightError('review/no-name', message('Without a name nothing was decided.'), message('Give a name, or set envwright.review.name.'));
  await vscode.workspace.getConfiguration('envwright').update('review.name', given, vscode.ConfigurationTarget.Global);
  return given;
}
