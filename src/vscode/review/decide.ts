import * as vscode from 'vscode';
import { DecisionReason, type DecisionVerdict } from '../../core/review/decision';
import type { QueueItem } from '../../core/review/reviewQueue';
import { BACK, type Interaction } from '../interaction';
import { requireReviewer } from './reviewer';
import type { ReviewSession } from './session';
import { reasonName } from './words';

/** Asks why, records the decision, and gives it; undefined when the question was dismissed, and then nothing was decided. */
export async function decide(item: QueueItem, verdict: DecisionVerdict, session: ReviewSession, interaction: Interaction): Promise<true | undefined> {
  const reviewer = await requireReviewer(interaction);
  const why = verdict === 'accept' ? { reasons: [], comment: '' } : await askWhy(verdict, interaction);
  if (!why) return undefined;
  await session.decide(item, { verdict, reviewer, ...why });
  return true;
}

const OTHER = 'other' as const;

/** A reason of the list and free text; one of the two is needed. */
async function askWhy(verdict: Exclude<DecisionVerdict, 'accept'>, interaction: Interaction): Promise<{ reasons: DecisionReason[]; comment: string } | undefined> {
  const title = verdict === 'reject' ? vscode.l10n.t('Why Is It Rejected?') : vscode.l10n.t('What Needs Work?');
  const reason = await interaction.pick<DecisionReason | typeof OTHER>({
    title,
    placeholder: vscode.l10n.t('Choose a reason; you can add your own words after it'),
    choices: [...DecisionReason.options.map((value) => ({ label: reasonName(value), value })), { label: vscode.l10n.t('Another Reason…'), value: OTHER }],
  });
  if (reason === undefined || reason === BACK) return undefined;
  const comment = await interaction.input({
    title,
    prompt: reason === OTHER ? vscode.l10n.t('The reason, in your words') : vscode.l10n.t('{0}. More in your words, or Enter to leave it at that', reasonName(reason)),
    ...(reason === OTHER && { validate: (value: string) => (value.trim() === '' ? vscode.l10n.t('Say what the reason is.') : undefined) }),
  });
  return comment === undefined ? undefined : { reasons: reason === OTHER ? [] : [reason], comment: comment.trim() };
}
