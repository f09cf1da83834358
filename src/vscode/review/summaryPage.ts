import * as vscode from 'vscode';
import { summariseReviews } from '../../core/review/reviewSummary';
import type { Decision } from '../../core/review/decision';
import { markdownLine } from '../../core/plainText';
import type { ReviewSession } from './session';
import { decisionName, reasonName } from './words';

const TEXT = 300;
const cell = (text: string): string => markdownLine(text, TEXT);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
}

const said = ({ reviewer, verdict, reasons, comment }: Decision): string =>
  cell(`${reviewer}: ${[decisionName(verdict), ...reasons.map(reasonName), ...(comment === '' ? [] : [comment])].join(', ')}`);

/** Where the review stands, as Markdown: progress, who decided what, how far reviewers agree, and what edits have made stale. */
export function reviewReport(session: ReviewSession): string {
  const { reviewers, agreement, disputed, accepted } = summariseReviews(session.reviews.decisions);
  const { total, decided } = session.progress();
  const stale = session.all().filter((item) => item.stale.length > 0 && item.said.length === 0);
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  const t = (text: string, ...args: (string | number)[]): string => vscode.l10n.t(text, ...args);
  return [
    `# ${t('Review summary')}`, '',
    ...(session.isOpen ? [t('{0} of {1} contents under review are decided.', decided, total), ''] : []),
    accepted === 1 ? t('1 content is accepted by all who decided on it.') : t('{0} contents are accepted by all who decided on them.', accepted), '',
    `## ${t('Reviewers')}`, '',
    ...(reviewers.length === 0 ? [t('Nobody has decided anything yet.'), ''] : table([t('reviewer'), t('accepted'), t('rejected'), t('needs work')], reviewers.map(({ name, accept, reject, needsWork }) => [cell(name), String(accept), String(reject), String(needsWork)]))),
    `## ${t('Agreement')}`, '',
    agreement.share === null
      ? t('No content was decided on by two reviewers, so nothing can be said about agreement.')
      : t('Of {0} contents that several decided on, all said the same on {1}. Fleiss’ kappa: {2}.', agreement.contents, percent(agreement.share), agreement.kappa === null ? t('not defined, everything was judged alike') : agreement.kappa.toFixed(2)),
    '',
    ...(disputed.length > 0 ? table([t('file'), t('decisions')], disputed.map(({ file, said: all }) => [cell(file), all.map(said).join('<br>')])) : []),
    `## ${t('Changed since it was decided on')}`, '',
    ...(stale.length === 0 ? [t('No file under review.'), ''] : table([t('file'), t('earlier decisions')], stale.map((item) => [cell(item.file), item.stale.map(said).join('<br>')]))),
    ...(session.reviews.problems.length === 0 ? [] : [`## ${t('Files that cannot be read')}`, '', ...table([t('file'), t('why')], session.reviews.problems.map(({ file, why }) => [cell(file), cell(why)]))]),
  ].join('\n');
}
