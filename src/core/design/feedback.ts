import type { FileReport, Finding } from '../../shared/findings';
import { formatMessage } from '../../shared/message';

/** Most findings and traceback lines that are sent back: a model mends few things at a time. */
const MOST_FINDINGS = 12;
const MOST_LINES = 12;

/**
 * The findings of a rejected draft as the designer is told them, errors first: where, what, on which seed and actions, the two
 * values that differ, the traceback. A model does not count lines: each is quoted from `code`.
 */
export function describeFindings({ findings }: Pick<FileReport, 'findings'>, code: string): string {
  const source = code.split('\n');
  const rank = { error: 0, warning: 1, info: 2 } as const;
  const told = findings.filter((finding) => finding.severity !== 'info').sort((a, b) => rank[a.severity] - rank[b.severity]);
  const lines = told.slice(0, MOST_FINDINGS).map((finding, index) => `${index + 1}. ${describe(finding, source[finding.line - 1]?.trim() ?? '')}`);
  if (told.length > MOST_FINDINGS) lines.push(`${told.length - MOST_FINDINGS} more of the same kind are left out.`);
  return lines.join('\n');
}

function describe({ id, severity, line, message, evidence }: Finding, quoted: string): string {
  const parts = [`${id} (${severity}), line ${line}: ${formatMessage(message)}`];
  if (quoted !== '') parts.push(`the line: ${cut(quoted, 200)}`);
  if (evidence?.seed !== undefined && evidence.seed !== null) parts.push(`seed: ${evidence.seed}`);
  if (evidence?.actions?.length) parts.push(`actions: ${evidence.actions.slice(-6).map((action) => JSON.stringify(cut(action, 200))).join(', ')}`);
  if (evidence?.expected !== undefined) parts.push(`expected: ${cut(evidence.expected, 400)}`);
  if (evidence?.actual !== undefined) parts.push(`found: ${cut(evidence.actual, 400)}`);
  if (evidence?.detail !== undefined) parts.push(cut(evidence.detail, 400));
  if (evidence?.traceback?.length) parts.push(evidence.traceback.slice(-MOST_LINES).join('\n'));
  return parts.join('\n   ');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
