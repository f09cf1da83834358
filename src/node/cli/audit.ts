import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { dirname, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint } from '../../core/review/novelty';
import { readPython } from '../../core/environment/pythonDocument';
import { auditCsv } from '../../core/review/audit/csv';
import { auditHtml } from '../../core/review/audit/html';
import { AuditJournal, workspaceJournal } from '../../core/review/audit/journal';
import { auditMarkdown } from '../../core/review/audit/markdown';
import { findingIds, headLines } from '../../core/review/audit/reportText';
import { runAudit, type AuditItem, type AuditResult } from '../../core/review/audit/runAudit';
import { stampOf } from '../../core/review/audit/stamp';
import { countOf, summarise, type AuditSummary } from '../../core/review/audit/summary';
import { timedSandbox } from '../../core/review/audit/timedSandbox';
import { findPythonFiles } from '../../core/review/findFiles';
import { parseSkill } from '../../core/design/skills';
import { isCancelled } from '../../core/errors';
import type { Sandbox, SandboxProvider } from '../../core/ports';
import { SandboxError } from '../../core/sandboxError';
import type { AuditDocument } from '../../shared/cliDocuments';
import { Profile, type FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import { Args } from './args';
import { decisionsOf, severitiesOf } from './check';
import { EXIT, UsageError, worst, type CliContext, type Command, type ExitCode } from './context';
import { englishReport } from './english';
import { Output, shownPath, table } from './output';
import { SANDBOX_OPTIONS, SANDBOX_USAGE, sandboxOf } from './sandboxArgs';
import { sarif } from './sarif';

/** Least time between two words of progress, in milliseconds. */
const PROGRESS_MS = 1_000;

/** Checks told of beside each of the worst files. */
const WORST_CHECKS = 2;

const string = { type: 'string' } as const;
const OPTIONS = {
  html: string, markdown: string, sarif: string, csv: string, journal: string, fresh: { type: 'boolean' }, jobs: string, skills: string, profile: string, severity: string,
  'static-only': { type: 'boolean' }, 'fail-on': string, ...SANDBOX_OPTIONS,
} as const;

/** What runs the files, for the stamp; null when nothing can. */
async function sandboxFacts(sandbox: SandboxProvider | null, signal: AbortSignal): Promise<Sandbox | null> {
  try {
    return (await sandbox?.get(signal)) ?? null;
  } catch (error) {
    if (isCancelled(error) || !(error instanceof SandboxError)) throw error;
    return null;
  }
}

/** The address of a file as seen from the report. */
function linkFrom(report: string): (file: string) => string {
  return (file) => {
    const path = relative(dirname(report), file);
    return path.startsWith('..') ? pathToFileURL(file).href : path.split(sep).map(encodeURIComponent).join('/');
  };
}

async function writeReports(args: Args, context: CliContext, result: AuditResult, summary: AuditSummary): Promise<string[]> {
  const files = (): FileReport[] => result.items.map(({ report }) => report);
  const writers: Record<string, (path: string) => string | Promise<string>> = {
    html: (path) => auditHtml(result, summary, { link: linkFrom(path) }),
    markdown: () => auditMarkdown(result, summary),
    csv: () => auditCsv(result, summary),
    sarif: () => `${JSON.stringify(sarif({ files: files().map(englishReport) }, context.cwd), null, 2)}\n`,
  };
  const written: string[] = [];
  for (const [flag, write] of Object.entries(writers)) {
    const path = args.path(flag);
    if (path === undefined) continue;
    await context.files.makeFolder(dirname(path));
    await context.files.replace(path, await write(path));
    written.push(path);
  }
  return written;
}

function documentOf({ items, helpers }: AuditResult, summary: AuditSummary, reports: string[]): AuditDocument {
  const { coverage } = summary;
  return {
    files: items.map(({ file, hash, report, facts }) => ({
      file, hash, verdict: report.verdict, class: report.class, profile: report.profile, skill: facts.skill,
      errors: countOf(report, 'error'), warnings: countOf(report, 'warning'), infos: countOf(report, 'info'), notMade: new Set(report.notChecked.map(({ id }) => id)).size,
    })),
    helpers: [...helpers],
    verdicts: summary.verdicts,
    checks: [...summary.checks],
    notMade: [...summary.notMade],
    duplicates: [...summary.same, ...summary.clones].map(({ files, similarity }) => ({ files: [...files], similarity })),
    coverage: {
      bySkill: Object.fromEntries(coverage.bySkill), byDifficulty: Object.fromEntries(coverage.byDifficulty), byKind: Object.fromEntries(coverage.byKind),
      byBand: Object.fromEntries(coverage.byBand), holes: [...coverage.holes],
    },
    worst: summary.worst.map(({ file }) => file),
    judged: summary.judged, reused: summary.reused, wallMs: summary.wallMs, sandboxMs: summary.sandboxMs, reports,
  };
}

function worstChecks(item: AuditItem): string {
  const ids = findingIds(item);
  return ids.length > WORST_CHECKS ? `${ids.slice(0, WORST_CHECKS).join(', ')} and ${ids.length - WORST_CHECKS} more` : ids.join(', ');
}

function text(document: AuditDocument, summary: AuditSummary, cwd: string): string {
  return [
    ...headLines(summary), '',
    table([['verdict', 'files'], ...Object.entries(document.verdicts).map(([verdict, count]) => [verdict, String(count)])]), '',
    ...(document.checks.length > 0 ? [table([['check', 'severity', 'files'], ...document.checks.map(({ id, severity, files }) => [id, severity, String(files)])]), ''] : []),
    ...(document.worst.length > 0 ? [`The ${document.worst.length} worst:`, table(summary.worst.map((item) => [`  ${item.report.verdict}`, worstChecks(item), shownPath(item.file, cwd)])), ''] : []),
    `${document.duplicates.length} groups of duplicates${document.duplicates.length > 0 ? ':' : '.'}`,
    ...document.duplicates.map(({ files, similarity }) => `  ${(similarity * 100).toFixed(0)} %: ${files.map((file) => shownPath(file, cwd)).join(', ')}`),
    ...document.reports.map((path) => `Written: ${shownPath(path, cwd)}`),
  ].join('\n');
}

function exitCodeOf({ verdict, findings }: FileReport, failOnWarning: boolean): ExitCode {
  if (verdict === 'reject' || (failOnWarning && findings.some(({ severity }) => severity === 'warning'))) return EXIT.no;
  return verdict === 'cannot-run' ? EXIT.notDone : EXIT.fine;
}

export const auditCommand: Command = {
  name: 'audit',
  summary: 'verdicts, findings, duplicates, coverage and the worst files of whole folders; goes on where an earlier audit was ended',
  usage: [
    'audit FOLDER… [--html FILE] [--markdown FILE] [--sarif FILE] [--csv FILE] [--journal FILE] [--fresh] [--jobs N] [--skills S,…] [--profile s|m|c|t|u]',
    `      [--severity ID=error|warning|info,…] [--static-only] ${SANDBOX_USAGE} [--fail-on error|warning]`,
  ].join('\n  '),
  async run(argv, context) {
    const args = Args.parse(argv, OPTIONS, context.cwd);
    const roots = args.paths();
    if (roots.length === 0) throw new UsageError(message('Give one folder or more.'));
    const [staticOnly, severities] = [args.flag('static-only'), severitiesOf(args.text('severity'))];
    const failOnWarning = args.choice('fail-on', ['error', 'warning']) === 'warning';
    const jobs = args.integer('jobs', 1) ?? availableParallelism();
    const skills = args.text('skills')?.split(',').map(parseSkill);
    const profile = args.choice('profile', Profile.options) ?? null;
    const output = new Output(context, args);
    // Every session of every file that is under way listens for the end.
    setMaxListeners(0, context.signal);
    const paths = await findPythonFiles(context.files, roots, context.signal);
    const journal = await AuditJournal.open(context.files, args.path('journal') ?? (await workspaceJournal(context.files, context.cwd)), { fresh: args.flag('fresh') }, context.signal);
    const sandbox = staticOnly ? null : await sandboxOf(args, context);
    const threads = Array.from({ length: jobs }, () => context.checks());
    try {
      const parser = await context.parser();
      const stamp = await stampOf({ staticOnly, severities, sandbox: await sandboxFacts(sandbox, context.signal) });
      let [next, said] = [0, 0];
      const result = await runAudit({
        files: context.files, journal,
        print: (source) => fingerprint(readPython(parser, source).tree),
        judge: async (input, signal) => {
          const thread = await threads[next++ % threads.length]!;
          const timed = sandbox && timedSandbox(sandbox);
          return { report: await thread.check(input, timed, signal), sandboxMs: timed?.spentMs() ?? 0 };
        },
      }, {
        paths, stamp, decisions: await decisionsOf(context), profile, input: { staticOnly, severityOverrides: severities }, atOnce: jobs * 2,
        onProgress: ({ done, total, file, report, reused }) => {
          const now = context.clock.now();
          if (now - said < PROGRESS_MS && done < total) return;
          said = now;
          output.note(`${done} of ${total}: ${report.verdict} ${shownPath(file, context.cwd)}${reused ? ' (as before)' : ''}`);
        },
      }, context.signal);
      const summary = summarise(result, skills);
      const document = documentOf(result, summary, await writeReports(args, context, result, summary));
      output.answer(document, () => text(document, summary, context.cwd));
      if (!staticOnly && summary.verdicts['cannot-run'] > 0) output.note(message('Some files could not be judged. See envwright doctor.'));
      return worst(result.items.map(({ report }) => exitCodeOf(report, failOnWarning)));
    } finally {
      for (const thread of threads) (await thread).dispose();
      sandbox?.dispose();
    }
  },
};
