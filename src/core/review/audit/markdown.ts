import { markdownLine } from '../../plainText';
import type { AuditResult } from './runAudit';
import { BAND_WORDS, countWords, findingIds, headLines, shortener, TEXT, VERDICT_WORDS } from './reportText';
import type { AuditSummary } from './summary';
import { coverageTable } from '../curriculum';
import type { Verdict } from '../../../shared/findings';

const cell = (text: string): string => markdownLine(text, TEXT);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? ['None.', ''] : [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
}

/** An audit as Markdown. Whatever comes from a file is escaped. */
export function auditMarkdown({ items }: Pick<AuditResult, 'items'>, summary: AuditSummary): string {
  const short = shortener(items.map(({ file }) => file));
  const groups = [...summary.same, ...summary.clones];
  const { coverage } = summary;
  const { columns, rows } = coverageTable(coverage);
  return [
    '# Audit of a pool', '', ...headLines(summary), '',
    '## Verdicts', '', ...table(['verdict', 'files'], Object.entries(summary.verdicts).map(([verdict, count]) => [VERDICT_WORDS[verdict as Verdict], String(count)])),
    '## Findings by check', '', ...table(['check', 'severity', 'files', 'findings'], summary.checks.map(({ id, severity, files, findings }) => [`\`${id}\``, severity, String(files), String(findings)])),
    '## Checks that could not be made', '', ...table(['check', 'files'], summary.notMade.map(({ id, files }) => [`\`${id}\``, String(files)])),
    `## The ${summary.worst.length} worst`, '', ...table(['file', 'verdict', 'findings', 'checks'], summary.worst.map((item) => [cell(short(item.file)), VERDICT_WORDS[item.report.verdict], countWords(item), findingIds(item).map((id) => `\`${id}\``).join(' ')])),
    '## Duplicates', '', ...table(['similarity', 'files'], groups.map(({ files, similarity }) => [`${(similarity * 100).toFixed(0)} %`, files.map((file) => cell(short(file))).join('<br>')])),
    '## Coverage', '', ...table(['skill', ...columns], [...rows].map(([skill, counts]) => [cell(skill), ...counts.map((count) => (count === 0 ? '**none**' : String(count)))])),
    ...table(['kind', 'files'], [...coverage.byKind].map(([kind, count]) => [cell(kind), String(count)])),
    ...table(['win rate without hint', 'files'], [...coverage.byBand].map(([band, count]) => [BAND_WORDS[band], String(count)])),
  ].join('\n');
}
