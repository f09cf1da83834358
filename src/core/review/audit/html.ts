import type { Severity, Verdict } from '../../../shared/findings';
import { escapeHtml, policyOfStyle } from '../../../shared/html';
import { formatMessage } from '../../../shared/message';
import { coverageTable, type WinRateBand } from '../curriculum';
import { auditStyle } from './htmlStyle';
import { BAND_WORDS, countWords, findingIds, headLines, shortener, shown, VERDICT_WORDS } from './reportText';
import type { AuditItem, AuditResult } from './runAudit';
import type { AuditSummary } from './summary';

/** How the page is set into its surroundings. */
export interface AuditPage {
  /** Address of a file, to be opened with a click; null for text alone. */
  readonly link: (file: string) => string | null;
  /** Stands at the top, above the figures; text only. */
  readonly notice?: string;
}

const safe = (text: string): string => escapeHtml(shown(text));

const VERDICT_CLASS: Readonly<Record<Verdict, string>> = { reject: 'bad', 'cannot-run': 'none', 'accept-with-warnings': 'warn', accept: 'good' };
const SEVERITY_CLASS: Readonly<Record<Severity, string>> = { error: 'bad', warning: 'warn', info: 'none' };

/** A bar as a picture: no style attribute, which the page's policy refuses. */
function bar(share: number, kind: string): string {
  return `<svg class="bar ${kind}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8"/><rect class="fill" width="${(Math.min(1, share) * 100).toFixed(1)}" height="8"/></svg>`;
}

function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return `<p class="none">${none}</p>`;
  const cells = (row: readonly string[], tag: 'td' | 'th'): string => row.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${cell}</${tag}>`).join('');
  return `<table><caption>${caption}</caption><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}</tbody></table>`;
}

/**
 * An audit as one page that needs nothing else. Its policy lets no script run and nothing be loaded, and the one style is named by its
 * digest; whatever comes from a file is text.
 */
export async function auditHtml({ items }: Pick<AuditResult, 'items'>, summary: AuditSummary, { link, notice }: AuditPage): Promise<string> {
  const short = shortener(items.map(({ file }) => file));
  const fileCell = (file: string): string => {
    const address = link(file);
    return address === null ? `<code>${escapeHtml(short(file))}</code>` : `<a href="${escapeHtml(address)}"><code>${escapeHtml(short(file))}</code></a>`;
  };
  const verdictCell = (verdict: Verdict): string => `<span class="verdict ${VERDICT_CLASS[verdict]}">${VERDICT_WORDS[verdict]}</span>`;
  const most = Math.max(1, ...summary.checks.map(({ files }) => files));
  const groups = [...summary.same, ...summary.clones];
  const style = auditStyle;
  const policy = await policyOfStyle(style);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Audit of a pool</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Audit of a pool</h1>
${notice === undefined ? '' : `<p class="notice" role="status">${safe(notice)}</p>`}
<p>${headLines(summary).map(escapeHtml).join('<br>')}</p>
<ul class="verdicts">${Object.entries(summary.verdicts).map(([verdict, count]) => `<li class="${VERDICT_CLASS[verdict as Verdict]}"><b>${count}</b> ${VERDICT_WORDS[verdict as Verdict]}${bar(count / Math.max(1, summary.files), VERDICT_CLASS[verdict as Verdict])}</li>`).join('')}</ul>
<h2>The ${summary.worst.length} worst</h2>
${table('Most errors first.', ['file', 'verdict', 'findings', 'what'], summary.worst.map((item) => [fileCell(item.file), verdictCell(item.report.verdict), countWords(item), whatCell(item)]), 'No file has an error or a warning.')}
<h2>Findings by check</h2>
${table('Files in which a check found something.', ['check', 'severity', 'files', '', 'findings'], summary.checks.map(({ id, severity, files, findings }) => [`<code>${safe(id)}</code>`, `<span class="${SEVERITY_CLASS[severity]}">${severity}</span>`, String(files), bar(files / most, SEVERITY_CLASS[severity]), String(findings)]), 'No check found anything.')}
<h2>Checks that could not be made</h2>
${table('A check that was not made says nothing about a file.', ['check', 'files'], summary.notMade.map(({ id, files }) => [`<code>${safe(id)}</code>`, String(files)]), 'Every check was made.')}
<h2>Duplicates</h2>
${table('Copies by content (100 %) or by structure: renamed, re-ordered or with another skin.', ['similarity', 'files'], groups.map(({ files, similarity }) => [`${(similarity * 100).toFixed(0)} %`, files.map(fileCell).join('<br>')]), 'No file is a copy of another.')}
<h2>Coverage</h2>
${coverageTables(summary)}
<h2>All files</h2>
<details><summary>${items.length} files</summary>
${table('In the order of their paths.', ['file', 'verdict', 'findings', 'class', 'skill', 'checks'], items.map((item) => [fileCell(item.file), verdictCell(item.report.verdict), countWords(item), safe(item.report.class ?? '–'), safe(item.facts.skill ?? '–'), findingIds(item).map((id) => `<code>${safe(id)}</code>`).join(' ')]), 'There are none.')}
</details>
</main>
</body>
</html>
`;
}

/** The findings of one file in words, errors first, the first few of them. */
function whatCell({ report }: AuditItem): string {
  const FEW = 4;
  const worst = (['error', 'warning'] as const).flatMap((severity) => report.findings.filter((finding) => finding.severity === severity));
  const lines = worst.slice(0, FEW).map(({ id, line, message: words }) => `<li><code>${safe(id)}</code> line ${line}: ${safe(formatMessage(words))}</li>`);
  const more = worst.length > FEW ? `<li>${worst.length - FEW} more</li>` : '';
  const unmade = worst.length === 0 && report.notChecked[0] ? `<li>${safe(formatMessage(report.notChecked[0].reason))}</li>` : '';
  return `<ul>${lines.join('')}${more}${unmade}</ul>`;
}

function coverageTables({ coverage }: AuditSummary): string {
  const { columns, rows: bySkill } = coverageTable(coverage);
  const count = (value: number): string => (value === 0 ? '<span class="hole">none</span>' : String(value));
  const rows = (counts: ReadonlyMap<string, number>, word: (key: string) => string): string[][] => [...counts].map(([key, value]) => [safe(word(key)), count(value), bar(value / Math.max(1, coverage.total), 'plain')]);
  return [
    table('Environments by skill and difficulty, as far as these are known; a frame marks a hole.', ['skill', ...columns], [...bySkill].map(([skill, counts]) => [safe(skill), ...counts.map(count)]), 'There are none.'),
    table('By kind.', ['kind', 'files', ''], rows(coverage.byKind, (kind) => kind), 'There are none.'),
    table('By win rate without the hint, as the memory of the run would use it.', ['band', 'files', ''], rows(coverage.byBand, (band) => BAND_WORDS[band as WinRateBand]), 'There are none.'),
  ].join('\n');
}
