import { pythonFloat } from '../../pythonJson';
import { kindOf } from '../fileFacts';
import { findingIds } from './reportText';
import type { AuditResult } from './runAudit';
import { countOf, type AuditSummary } from './summary';

const HEAD = ['file', 'sha256', 'verdict', 'class', 'profile', 'skill', 'difficulty', 'kind', 'errors', 'warnings', 'infos', 'checks', 'not_made', 'group', 'win_rate', 'regret', 'seconds'];

/** A cell that neither breaks the row nor is taken for a formula by a spreadsheet. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An audit as CSV (RFC 4180), one row a file. Files of one group of duplicates carry the same number. */
export function auditCsv({ items }: Pick<AuditResult, 'items'>, { same, clones }: Pick<AuditSummary, 'same' | 'clones'>): string {
  const group = new Map([...same, ...clones].flatMap(({ files }, index) => files.map((file): [string, number] => [file, index + 1])));
  const rows = items.map((item) => {
    const { file, hash, report, facts } = item;
    const { staticMs, probeMs } = report.timing;
    return [
      file, hash ?? '', report.verdict, report.class ?? '', report.profile ?? '', facts.skill ?? '', facts.difficulty ?? '', facts.kind ?? kindOf(report.profile) ?? '',
      ...(['error', 'warning', 'info'] as const).map((severity) => String(countOf(report, severity))), findingIds(item).join(' '),
      String(new Set(report.notChecked.map(({ id }) => id)).size), String(group.get(file) ?? ''), facts.winRate === null ? '' : pythonFloat(facts.winRate),
      facts.regret === null ? '' : pythonFloat(facts.regret.value), ((staticMs + (probeMs ?? 0)) / 1000).toFixed(3),
    ];
  });
  return [HEAD, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
