import type { FileReport, Profile } from '../../../shared/findings';
import { message } from '../../../shared/message';
import { judgeableSource, unreadableReport } from '../../checks/judgeableSource';
import type { CheckInput } from '../../checks/checkFile';
import { chosenProfile, type Decisions } from '../../checks/records';
import { contentHash } from '../../checks/suppression';
import { mayBeEnvironment } from '../../environment/looksLikeEnvironment';
import { EnvwrightError, isCancelled } from '../../errors';
import type { FileStore } from '../../ports';
import { baseName } from '../../run/paths';
import { GAME } from '../../run/runNames';
import { FactsReader, type FileFacts } from '../fileFacts';
import type { Fingerprint } from '../novelty';
import { packedPrint, type AuditJournal } from './journal';
import { keyOf } from './stamp';

/** One file of an audit. */
export interface AuditItem {
  readonly file: string;
  /** Null for a file that could not be read. */
  readonly hash: string | null;
  readonly report: FileReport;
  /** Null for a file that could not be read. */
  readonly print: Fingerprint | null;
  readonly facts: FileFacts;
}

/** What an audit found. */
export interface AuditResult {
  readonly items: readonly AuditItem[];
  /** Python files that hold no class of an environment and are named like none: helpers. They are not judged. */
  readonly helpers: readonly string[];
  /** Contents that were judged now, and those that an earlier audit had judged. */
  readonly judged: number;
  readonly reused: number;
  readonly wallMs: number;
  /** Time that sandboxes were asked for, over all files judged now; files run beside one another. */
  readonly sandboxMs: number;
}

/** How far an audit is. */
export interface AuditProgress {
  readonly done: number;
  readonly total: number;
  readonly file: string;
  readonly report: FileReport;
  readonly reused: boolean;
  readonly hash: string | null;
}

/** What an audit works with. */
export interface AuditParts {
  readonly files: FileStore;
  readonly journal: AuditJournal;
  /** Judges one text in full, and says how long the sandbox was asked for. */
  readonly judge: (input: CheckInput, signal: AbortSignal) => Promise<{ readonly report: FileReport; readonly sandboxMs: number }>;
  readonly print: (text: string) => Fingerprint | Promise<Fingerprint>;
}

/** What holds for all files of an audit. */
export interface AuditOptions {
  readonly paths: readonly string[];
  readonly stamp: string;
  readonly decisions: Decisions;
  /** Holds for all files; null to go by each file's own. */
  readonly profile: Profile | null;
  readonly input: Pick<CheckInput, 'staticOnly' | 'severityOverrides'>;
  /** Files judged at the same time. */
  readonly atOnce: number;
  readonly onProgress?: (progress: AuditProgress) => void;
}

/**
 * Judges files, several at a time. What the journal holds for the same content is taken over, so that an audit that was ended or killed
 * goes on where it was; files with one content are judged once. Rejects with an `AbortError` when the signal aborts; what was judged is kept.
 */
export async function runAudit(parts: AuditParts, options: AuditOptions, signal: AbortSignal): Promise<AuditResult> {
  const started = performance.now();
  const facts = new FactsReader(parts.files);
  const items: (AuditItem | null)[] = options.paths.map(() => null);
  const helpers: string[] = [];
  const underWay = new Map<string, ReturnType<typeof judgeOnce>>();
  let [next, done, judged, reused, sandboxMs] = [0, 0, 0, 0, 0];

  const one = async (index: number, file: string): Promise<void> => {
    const source = await judgeableSource(parts.files, file, async () => (await parts.files.read(file))?.replace(/^\ufeff/, ''), signal);
    if ('text' in source && !mayBeEnvironment(source.text) && !GAME.test(baseName(file)) && !/Env\b/.test(source.text)) {
      helpers.push(file);
      done += 1;
      return;
    }
    if ('report' in source) {
      items[index] = { file, hash: null, report: source.report, print: null, facts: await facts.of(file) };
      options.onProgress?.({ done: (done += 1), total: options.paths.length, file, report: source.report, reused: false, hash: null });
      return;
    }
    const hash = await contentHash(source.text);
    const profile = options.profile ?? chosenProfile(options.decisions.profiles, { file, hash })?.profile ?? null;
    const key = await keyOf(options.stamp, hash, { profile, suppressions: options.decisions.suppressions });
    const isRepeat = underWay.has(key);
    const work = underWay.get(key) ?? judgeOnce(parts, key, { file, text: source.text, profile, suppressions: options.decisions.suppressions, ...options.input }, signal);
    underWay.set(key, work);
    const { entry, isKnown } = await work;
    if (!isRepeat && isKnown) reused += 1;
    if (!isRepeat && !isKnown) [judged, sandboxMs] = [judged + 1, sandboxMs + entry.sandboxMs];
    const report = { ...entry.report, file };
    items[index] = { file, hash, report, print: new Map(entry.print), facts: await facts.of(file) };
    options.onProgress?.({ done: (done += 1), total: options.paths.length, file, report, reused: isKnown, hash });
  };

  const work = async (): Promise<void> => {
    for (let index = next++; index < options.paths.length; index = next++) {
      signal.throwIfAborted();
      await one(index, options.paths[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.atOnce, options.paths.length) }, work));
  return { items: items.filter((item) => item !== null), helpers: helpers.sort(), judged, reused, wallMs: performance.now() - started, sandboxMs };
}

async function judgeOnce({ journal, judge, print }: AuditParts, key: string, input: CheckInput, signal: AbortSignal) {
  const known = journal.get(key);
  if (known) return { entry: known, isKnown: true };
  const { report, sandboxMs } = await judge(input, signal).catch((error: unknown) => {
    if (isCancelled(error) || signal.aborted) throw error;
    return { report: failedReport(input.file, error), sandboxMs: 0 };
  });
  const entry = { v: 1 as const, key, report, print: packedPrint(await print(input.text)), sandboxMs: Math.round(sandboxMs) };
  await journal.add(entry);
  return { entry, isKnown: false };
}

/** The report of a file on which the checks themselves failed: one file must not end an audit of thousands. */
function failedReport(file: string, error: unknown): FileReport {
  const why = error instanceof Error ? error.message : String(error);
  return unreadableReport(file, new EnvwrightError('review/check-failed', message('The checks themselves failed on this file: {why}', { why }), message('This is a defect of Envwright: please report it.')));
}
