import type { FileReport, Severity, Verdict } from '../../../shared/findings';
import { groupBy } from '../../collections';
import { catalog, checkById } from '../../checks/catalog';
import { KINDS, TRAINED_SKILLS } from '../../design/skills';
import { coverageOf, type Coverage } from '../curriculum';
import { kindOf } from '../fileFacts';
import { cloneGroups, Commonness } from '../novelty';
import type { AuditItem, AuditResult } from './runAudit';

/** How often one check found something. */
export interface CheckTally {
  readonly id: string;
  readonly severity: Severity;
  readonly files: number;
  readonly findings: number;
}

/** Files that are the same, to the letter or by structure. */
export interface DuplicateGroup {
  readonly files: readonly string[];
  /** 1 for the same content; else the least similarity that links the group. */
  readonly similarity: number;
}

/** What a report of an audit shows. */
export interface AuditSummary {
  readonly files: number;
  readonly helpers: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** The most frequent first, errors before warnings. */
  readonly checks: readonly CheckTally[];
  /** Checks that could not be made in some files, with how many. */
  readonly notMade: readonly { readonly id: string; readonly files: number }[];
  readonly same: readonly DuplicateGroup[];
  readonly clones: readonly DuplicateGroup[];
  readonly coverage: Coverage;
  readonly worst: readonly AuditItem[];
  readonly judged: number;
  readonly reused: number;
  readonly wallMs: number;
  readonly sandboxMs: number;
}

/** Files that a report names as the worst. */
const WORST = 20;

const VERDICTS: readonly Verdict[] = ['reject', 'cannot-run', 'accept-with-warnings', 'accept'];
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Number of findings of a severity. */
export function countOf({ findings }: Pick<FileReport, 'findings'>, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Sums an audit up. `skills` are those that coverage is held against. */
export function summarise(result: AuditResult, skills: readonly string[] = TRAINED_SKILLS): AuditSummary {
  const { items } = result;
  return {
    files: items.length,
    helpers: result.helpers.length,
    verdicts: Object.fromEntries(VERDICTS.map((verdict) => [verdict, items.filter(({ report }) => report.verdict === verdict).length])) as Record<Verdict, number>,
    checks: checkTallies(items),
    notMade: notMade(items),
    ...duplicates(items),
    coverage: coverageOf(items.map(({ facts, report }) => ({
      skill: facts.skill, difficulty: facts.difficulty, kind: facts.kind ?? kindOf(report.profile), winRate: facts.winRate,
    })), skills, Object.keys(KINDS)),
    worst: worstOf(items),
    judged: result.judged, reused: result.reused, wallMs: result.wallMs, sandboxMs: result.sandboxMs,
  };
}

function checkTallies(items: readonly AuditItem[]): CheckTally[] {
  const tallies = new Map<string, { files: number; findings: number; severity: Severity }>();
  for (const { report } of items) {
    for (const [id, findings] of groupBy(report.findings, (finding) => finding.id)) {
      const known = tallies.get(id) ?? { files: 0, findings: 0, severity: findings[0]!.severity };
      const severity = SEVERITIES[Math.min(...[known.severity, ...findings.map((finding) => finding.severity)].map((one) => SEVERITIES.indexOf(one)))]!;
      tallies.set(id, { files: known.files + 1, findings: known.findings + findings.length, severity });
    }
  }
  const order = new Map(catalog.map(({ id }, index) => [id, index]));
  return [...tallies].map(([id, tally]) => ({ id, ...tally })).sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.files - a.files || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

function notMade(items: readonly AuditItem[]): AuditSummary['notMade'] {
  const counts = new Map<string, number>();
  for (const { report } of items) for (const id of new Set(report.notChecked.map((entry) => entry.id))) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([id]) => checkById(id) !== undefined || id === 'read-file').map(([id, files]) => ({ id, files })).sort((a, b) => b.files - a.files || (a.id < b.id ? -1 : 1));
}

function duplicates(items: readonly AuditItem[]): Pick<AuditSummary, 'same' | 'clones'> {
  const contents = [...groupBy(items.filter(({ hash }) => hash !== null), ({ hash }) => hash).values()];
  const same = contents.filter((group) => group.length > 1).map((group) => ({ files: group.map(({ file }) => file), similarity: 1 }));
  const firsts = contents.map(([first]) => first!).filter(({ print }) => print !== null && print.size > 0);
  const prints = firsts.map(({ print }) => print!);
  const commonness = new Commonness();
  for (const print of prints) commonness.add(print);
  const clones = cloneGroups(prints, commonness).map(({ members, similarity }) => ({ files: members.map((index) => firsts[index]!.file), similarity }));
  return { same, clones };
}

/** Most errors first, then most warnings; files without either are not among the worst. */
function worstOf(items: readonly AuditItem[]): AuditItem[] {
  const rank = ({ report }: AuditItem) => [countOf(report, 'error'), Number(report.verdict === 'cannot-run'), countOf(report, 'warning')] as const;
  return items.filter((item) => rank(item).some((value) => value > 0)).sort((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    return other[0] - one[0] || other[1] - one[1] || other[2] - one[2] || (a.file < b.file ? -1 : 1);
  }).slice(0, WORST);
}
