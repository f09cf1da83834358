import type { FileReport, Finding, Fix } from '../../shared/findings';
import { formatMessage } from '../../shared/message';
import { LineMap } from '../environment/lines';

/** Most findings and traceback lines that are sent back: a model mends few things at a time. */
const MOST_FINDINGS = 12;
const MOST_LINES = 12;
/** Most lines of a fix that are written out: a longer one is left to the designer. */
const MOST_FIXED = 6;

/**
 * The findings of a rejected draft as the designer is told them, errors first: where, what, on which seed and actions, the two
 * values that differ, the traceback. A model does not count lines: each is quoted from `code`, and where a check knows the fix, so are the
 * lines as they read with it: a small model copies its file, and changes what it is shown.
 */
export function describeFindings({ findings }: Pick<FileReport, 'findings'>, code: string): string {
  const rank = { error: 0, warning: 1, info: 2 } as const;
  const told = findings.filter((finding) => finding.severity !== 'info').sort((a, b) => rank[a.severity] - rank[b.severity]);
  const lines = told.slice(0, MOST_FINDINGS).map((finding, index) => `${index + 1}. ${describe(finding, code)}`);
  if (told.length > MOST_FINDINGS) lines.push(`${told.length - MOST_FINDINGS} more of the same kind are left out.`);
  return lines.join('\n');
}

function describe({ id, severity, line, message, evidence, fix }: Finding, code: string): string {
  const parts = [`${id} (${severity}), line ${line}: ${formatMessage(message)}`];
  const quoted = code.split('\n')[line - 1]?.trim() ?? '';
  if (quoted !== '') parts.push(`the line: ${cut(quoted, 200)}`);
  const fixed = fix ? fixedLines(fix, code) : [];
  if (fixed.length > 0) parts.push(`write in its place: ${fixed.map((text) => cut(text, 200)).join('\n   ')}`);
  if (evidence?.seed !== undefined && evidence.seed !== null) parts.push(`seed: ${evidence.seed}`);
  if (evidence?.actions?.length) parts.push(`actions: ${evidence.actions.slice(-6).map((action) => JSON.stringify(cut(action, 200))).join(', ')}`);
  if (evidence?.expected !== undefined) parts.push(`expected: ${cut(evidence.expected, 400)}`);
  if (evidence?.actual !== undefined) parts.push(`found: ${cut(evidence.actual, 400)}`);
  if (evidence?.detail !== undefined) parts.push(cut(evidence.detail, 400));
  if (evidence?.traceback?.length) parts.push(evidence.traceback.slice(-MOST_LINES).join('\n'));
  return parts.join('\n   ');
}

/** The lines that a fix changes, as they read with it; none for one that only takes away, or changes too many to be quoted. */
function fixedLines({ edits }: Fix, code: string): string[] {
  const map = new LineMap(code);
  const at = (line: number, column: number) => map.startOf(line) + column - 1;
  const text = [...edits].sort((a, b) => b.line - a.line || b.column - a.column)
    .reduce((done, edit) => done.slice(0, at(edit.line, edit.column)) + edit.newText + done.slice(at(edit.endLine, edit.endColumn)), code);
  const [before, after] = [code.split('\n'), text.split('\n')];
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let rest = 0;
  while (rest < shorter - first && before.at(-1 - rest) === after.at(-1 - rest)) rest += 1;
  const changed = after.slice(first, after.length - rest);
  if (changed.length > MOST_FIXED) return [];
  return changed.length === 1 ? [changed[0]!.trim()] : changed.map((line) => line.trimEnd());
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
