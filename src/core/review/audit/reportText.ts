import type { Verdict } from '../../../shared/findings';
import { counted } from '../../counted';
import { plainLine } from '../../plainText';
import { baseName } from '../../run/paths';
import type { WinRateBand } from '../curriculum';
import type { AuditItem } from './runAudit';
import { countOf, type AuditSummary } from './summary';

/** Longest text of a file or an environment in a report, in characters. */
export const TEXT = 300;

/** Text of a file or an environment as reports show it: one line, nothing that steers a reader. */
export function shown(text: string): string {
  return plainLine(text, TEXT);
}

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  reject: 'reject', 'cannot-run': 'cannot run', 'accept-with-warnings': 'accept with warnings', accept: 'accept',
};

export const BAND_WORDS: Readonly<Record<WinRateBand, string>> = {
  'not-played': 'not played', 'too-hard': 'too hard, below .10', 'dead-zone-low': 'dead zone, .10 to .15', seed: 'seed, .15 to .85', 'dead-zone-high': 'dead zone, .85 to .90',
  'too-easy': 'too easy, above .90',
};

/** The first lines of a report: what was looked at, how long it took, and where that time went. */
export function headLines({ files, helpers, judged, reused, wallMs, sandboxMs }: AuditSummary): string[] {
  const seconds = wallMs / 1000;
  return [
    `${counted(files, 'environment file')}${helpers > 0 ? `, ${counted(helpers, 'further Python file')} without one` : ''}.`,
    `${counted(judged, 'content')} judged now, ${reused} taken over from earlier audits, in ${seconds.toFixed(1)} s${judged > 0 ? ` (${(judged / Math.max(seconds, 0.001)).toFixed(1)} a second)` : ''}.`,
    ...(judged > 0 ? [`The sandbox was asked for ${(sandboxMs / 1000).toFixed(1)} s over all files, which run beside one another.`] : []),
  ];
}

/** Names of the checks that found an error, then those of warnings, each once. */
export function findingIds({ report }: AuditItem): string[] {
  const ids = (severity: string) => report.findings.filter((finding) => finding.severity === severity).map(({ id }) => id);
  return [...new Set([...ids('error'), ...ids('warning')])];
}

/** `3 errors, 1 warning`. */
export function countWords({ report }: AuditItem): string {
  const words = (['error', 'warning'] as const).map((severity) => [countOf(report, severity), severity] as const).filter(([count]) => count > 0);
  return words.length === 0 ? 'no finding above info' : words.map(([count, severity]) => counted(count, severity)).join(', ');
}

/** Paths as the report shows them: without what all of them begin with. */
export function shortener(files: readonly string[]): (file: string) => string {
  const folders = files.map((file) => file.slice(0, file.length - baseName(file).length));
  let common = folders[0] ?? '';
  for (const folder of folders) while (!folder.startsWith(common)) common = common.slice(0, -1);
  common = common.replace(/[^/\\]*$/, '');
  return (file) => shown(file.startsWith(common) ? file.slice(common.length) : file);
}
