import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { checkById } from '../../core/checks/catalog';
import { checkFile, type CheckDeps } from '../../core/checks/checkFile';
import { judgeableSource, STOPPED, stoppedReport, UNREAD } from '../../core/checks/judgeableSource';
import { CheckRecords, chosenProfile, type Decisions } from '../../core/checks/records';
import { contentHash } from '../../core/checks/suppression';
import { counted } from '../../core/counted';
import { isCancelled } from '../../core/errors';
import type { CheckDocument } from '../../shared/cliDocuments';
import { Profile, Severity, type FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import { Args } from './args';
import { EXIT, UsageError, worst, type CliContext, type Command, type ExitCode } from './context';
import { englishReport } from './english';
import { readSource } from './inputs';
import { Output, shownPath, table } from './output';
import { SANDBOX_OPTIONS, SANDBOX_USAGE, sandboxOf } from './sandboxArgs';
import { sarif } from './sarif';
import { terminalLine } from './terminal';

type File = CheckDocument['files'][number];

/** What holds for all files of one call. */
interface Options {
  readonly profile: Profile | null;
  readonly staticOnly: boolean;
  readonly decisions: Decisions;
  readonly severityOverrides: Readonly<Record<string, Severity>>;
}

/** @param place where the text of `file` lies. */
async function report(deps: CheckDeps, context: CliContext, file: string, place: string, { decisions, profile, ...options }: Options): Promise<FileReport> {
  const source = await judgeableSource(context.files, place, () => readSource(context, place), context.signal);
  if ('report' in source) return source.report;
  const { text } = source;
  const chosen = chosenProfile(decisions.profiles, { file, hash: await contentHash(text) });
  return checkFile(deps, { file, text, ...options, profile: profile ?? chosen?.profile ?? null, suppressions: decisions.suppressions }, context.signal);
}

function findingLines({ file, findings, suppressed, staleSuppressions = [], lowered = [], notChecked }: File, cwd: string): string[] {
  const path = shownPath(file, cwd);
  const lines = findings.map(({ line, column, severity, id, message: words, evidence }) => {
    const seed = evidence?.seed === undefined ? '' : ` (seed ${evidence.seed ?? '–'})`;
    return `${path}:${line}:${column}: ${severity} ${id}: ${words}${seed}`;
  });
  const unmade = notChecked.length === 0 ? [] : [`${path}: ${counted(notChecked.length, 'check')} not made, first: ${notChecked[0]?.id}: ${notChecked[0]?.reason}`];
  const silenced = suppressed.map(({ line, column, severity, id }) => `${path}:${line}:${column}: ${severity} ${id}: silenced by the user`);
  const stale = staleSuppressions.map(({ reason }) => `${path}: silencing out of date: ${reason}`);
  return [...lines, ...silenced, ...stale, ...lowered.map((id) => `${path}: ${id} is an error that was given a lower severity`), ...unmade].map(terminalLine);
}

function text({ files }: CheckDocument, cwd: string): string {
  const count = ({ findings }: File, wanted: string): string => String(findings.filter(({ severity }) => severity === wanted).length);
  const seconds = ({ timing }: File): string => `${((timing.staticMs + (timing.probeMs ?? 0)) / 1000).toFixed(1)} s`;
  return [
    ...files.flatMap((file) => findingLines(file, cwd)),
    table([
      ['verdict', 'errors', 'warnings', 'infos', 'time', 'class', 'file'],
      ...files.map((file) => [file.verdict, count(file, 'error'), count(file, 'warning'), count(file, 'info'), seconds(file), file.class ?? '–', shownPath(file.file, cwd)]),
    ]),
  ].join('\n');
}

/** Warnings, and errors that the user silenced or made less: they keep the verdict from a clean one, and count as a warning does. */
function hasWarning({ findings, suppressed, lowered = [] }: File): boolean {
  return lowered.length > 0 || findings.some(({ severity }) => severity === 'warning') || suppressed.some(({ severity }) => severity === 'error');
}

/** As {@link report}; when the user stops the command, what was judged by then is still worth its answer, and this file is told of as not judged. */
async function reportOrStopped(context: CliContext, file: string, make: () => Promise<FileReport>): Promise<FileReport> {
  if (context.signal.aborted) return stoppedReport(file);
  try {
    return await make();
  } catch (error) {
    if (context.signal.aborted && isCancelled(error)) return stoppedReport(file);
    throw error;
  }
}

/** True for a file that was not judged for this reason. */
const isUnjudged = ({ verdict, notChecked }: File, why: string): boolean => verdict === 'cannot-run' && notChecked[0]?.id === why;

function exitCodeOf(file: File, failOnWarning: boolean): ExitCode {
  const { verdict } = file;
  if (verdict === 'reject' || (failOnWarning && hasWarning(file))) return EXIT.no;
  return verdict === 'cannot-run' ? EXIT.notDone : EXIT.fine;
}

/** What the user decided in this workspace, with the files by their full paths. */
export async function decisionsOf(context: CliContext): Promise<Decisions> {
  const { suppressions, profiles } = await new CheckRecords(context.files, context.cwd).read();
  const full = <T extends { readonly file: string }>(entry: T): T => ({ ...entry, file: resolve(context.cwd, entry.file) });
  return { suppressions: suppressions.map((entry) => (entry.scope === 'file' ? full(entry) : entry)), profiles: profiles.map(full) };
}

/** The severities that the user gave, as `id=severity` with commas between. */
export function severitiesOf(given: string | undefined): Record<string, Severity> {
  return Object.fromEntries((given?.split(',') ?? []).map((text) => {
    const [id = '', severity] = text.split('=');
    const parsed = Severity.safeParse(severity);
    if (!parsed.success || !checkById(id)) throw new UsageError(message('“{text}” is no check with a severity, such as guessable=info.', { text }));
    return [id, parsed.data];
  }));
}

/** A check that takes longer says so this often, in milliseconds. */
const STILL_MS = 5000;

/**
 * Checks files as the command does, and gives their reports too. `names` says under which names files are told of that lie elsewhere: a set keeps
 * its texts under their digests.
 */
export async function checkFiles(argv: readonly string[], context: CliContext, names: ReadonlyMap<string, string> = new Map()): Promise<{ readonly code: ExitCode; readonly files: readonly File[] }> {
  const args = Args.parse(argv, {
    profile: { type: 'string' }, severity: { type: 'string' }, 'static-only': { type: 'boolean' }, sarif: { type: 'string' }, 'fail-on': { type: 'string' }, ...SANDBOX_OPTIONS,
  }, context.cwd);
  const places = args.paths();
  if (places.length === 0) throw new UsageError(message('Give one file or more.'));
  const staticOnly = args.flag('static-only');
  const options: Options = {
    profile: args.choice('profile', Profile.options) ?? null, staticOnly, decisions: await decisionsOf(context), severityOverrides: severitiesOf(args.text('severity')),
  };
  const failOnWarning = args.choice('fail-on', ['error', 'warning']) === 'warning';
  const sarifPath = args.path('sarif');
  // Before anything is judged: a folder that cannot be written to would take what was found with it.
  if (sarifPath !== undefined) await context.files.makeFolder(dirname(sarifPath));
  const output = new Output(context, args);
  const sandbox = staticOnly ? null : await sandboxOf(args, context);
  const underway = new Set<string>();
  const telling = setInterval(() => output.note(`still checking ${[...underway].map((file) => shownPath(file, context.cwd)).join(', ')}`), STILL_MS).unref();
  try {
    const deps: CheckDeps = { parser: await context.parser(), sandbox };
    const reports = new Array<File>(places.length);
    let [next, done] = [0, 0];
    const work = async (): Promise<void> => {
      for (let at = next++; at < places.length; at = next++) {
        const place = places[at]!;
        underway.add(place);
        const file = names.get(place) ?? place;
        const made = englishReport(await reportOrStopped(context, file, () => report(deps, context, file, place, options)));
        underway.delete(place);
        reports[at] = made;
        if (isUnjudged(made, STOPPED)) continue;
        done += 1;
        if (places.length > 1) output.note(`${done} of ${places.length}: ${made.verdict} ${shownPath(made.file, context.cwd)}`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), places.length) }, work));
    const document: CheckDocument = { files: reports };
    if (sarifPath !== undefined) await context.files.replace(sarifPath, `${JSON.stringify(sarif(document, context.cwd), null, 2)}\n`);
    output.answer(document, () => text(document, context.cwd));
    if (context.signal.aborted) output.note(message('Stopped: {done} of {files} judged.', { done, files: counted(places.length, 'file') }));
    if (reports.some((file) => isUnjudged(file, UNREAD))) output.note(message('Some files could not be read: check their paths. Whole folders are judged by envwright audit.'));
    if (!staticOnly && reports.some((file) => file.verdict === 'cannot-run' && !isUnjudged(file, UNREAD) && !isUnjudged(file, STOPPED))) output.note(message('Some files could not be judged. See envwright doctor.'));
    return { code: worst(reports.map((file) => exitCodeOf(file, failOnWarning))), files: reports };
  } finally {
    clearInterval(telling);
    sandbox?.dispose();
  }
}

export const checkCommand: Command = {
  name: 'check',
  summary: 'verdict and findings of environment files',
  usage: [
    'check FILE… [--profile s|m|c|t|u] [--severity ID=error|warning|info,…] [--static-only] [--sarif FILE] [--fail-on error|warning]',
    `      ${SANDBOX_USAGE}`,
  ].join('\n  '),
  run: async (argv, context) => (await checkFiles(argv, context)).code,
};
