import type { FileReport, Finding, NotChecked, Profile, Severity } from '../../shared/findings';
import { formatMessage, message, type Message } from '../../shared/message';
import { readPython } from '../environment/pythonDocument';
import type { PythonFile } from '../environment/pythonFile';
import { isCancelled } from '../errors';
import type { PythonParser, Sandbox, SandboxProvider, SessionLimits } from '../ports';
import { SandboxError } from '../sandboxError';
import { catalog, checkById } from './catalog';
import { appliesTo, type FindingDraft, type ProbeJudgement } from './check';
import type { ProbeFacts } from './probe/facts';
import { errorPlace, errorText } from './probe/judge';
import { probeFile } from './probe/probeFile';
import { mergeFindings } from './merge';
import { checkStatically, toFinding, type StaticJudgement } from './static/run';
import { compileError } from './static/syntax';
import { applySuppressions, contentHash, type Suppression } from './suppression';
import { overridden, verdictOf } from './verdict';

/** What checking needs of the world. Without a sandbox the file cannot be judged beyond its text. */
export interface CheckDeps {
  readonly parser: PythonParser;
  readonly sandbox: SandboxProvider | null;
  readonly limits?: Partial<SessionLimits>;
}

/** What is checked, and what the user decided about it. */
export interface CheckInput {
  /** Name of the file, for reports and tracebacks. */
  readonly file: string;
  readonly text: string;
  /** The profile that the user or provenance gives; null or left out to detect it. */
  readonly profile?: Profile | null;
  readonly staticOnly?: boolean;
  readonly suppressions?: readonly Suppression[];
  /** The user's severities by check id. An error that is lowered still keeps the verdict from being a clean one. */
  readonly severityOverrides?: Readonly<Record<string, Severity>>;
}

/** What came of the probes. */
interface Probing {
  readonly findings: readonly Finding[];
  readonly notChecked: readonly NotChecked[];
  readonly facts: ProbeFacts | null;
  readonly cannotRun: boolean;
  /** True when the interpreter itself read the whole text: what the parser says of its syntax does not count then. */
  readonly compiled: boolean | null;
}

const probeIds = (profile: Profile | null): string[] => catalog.filter((check) => (check.stages.includes('probe') || check.probe !== undefined) && appliesTo(check, profile)).map(({ id }) => id);

function allUnmade(profile: Profile | null, reason: Message, cannotRun: boolean): Probing {
  return { findings: [], notChecked: probeIds(profile).map((id) => ({ id, reason })), facts: null, cannotRun, compiled: null };
}

/** Codes of loading that a static check names. */
const LOAD_CHECKS: Readonly<Record<string, string>> = { 'no-class': 'no-env-class', 'missing-method': 'missing-method', recursion: 'init-raises', raised: 'init-raises' };

interface ProbeJudged {
  readonly findings: readonly Finding[];
  readonly notChecked: readonly NotChecked[];
}

/** Judges facts by every check of their profile. A judgement that asked for no lines is not made again once they are known. */
function createJudge(): (facts: ProbeFacts) => ProbeJudged {
  const settled = new Map<string, ProbeJudgement>();
  return (facts) => judgeFacts(facts, settled);
}

/** Why some of the probes were not made; null when all were. */
function whyUnmade({ episodes, openings, load }: ProbeFacts): Message | null {
  // The checks of steps after the end, and of turn limits, say by themselves when those could not be made.
  const counted = episodes.filter(({ spec }) => spec.purpose !== 'after-end' && spec.maxTurns === undefined);
  const why = new Set([...counted, ...openings].map(({ failure }) => (failure?.kind === 'not-made' ? failure.why : null)));
  if (why.has('imports')) {
    return message('Not every probe could be made: importing the file takes {seconds} s each time. Move that work, and what the module remembers between plays, into the class; or give imports more time (sandbox.importSeconds, --import-seconds).', {
      seconds: ((load?.importMs ?? 0) / 1000).toFixed(1),
    });
  }
  return why.has('lost') ? message('Not every probe could be made: the file hung or died in one.') : null;
}

function judgeFacts(facts: ProbeFacts, settled: Map<string, ProbeJudgement>): ProbeJudged {
  const findings: Finding[] = [];
  const notChecked: NotChecked[] = [];
  const unmade = whyUnmade(facts);
  for (const check of catalog) {
    if (check.probe === undefined || !appliesTo(check, facts.profile)) continue;
    const { asked } = facts.lines;
    const judgement = settled.get(check.id) ?? check.probe(facts);
    if (facts.lines.asked === asked) settled.set(check.id, judgement);
    findings.push(...judgement.findings.map((draft) => toFinding(check, draft, 'probe', facts.profile)));
    notChecked.push(...judgement.notChecked.map((reason) => ({ id: check.id, reason })));
    if (unmade !== null && judgement.findings.length === 0 && judgement.notChecked.length === 0) notChecked.push({ id: check.id, reason: unmade });
  }
  return { findings, notChecked };
}

/** The finding for a file that does not load for a reason that no rule named; null when one did or nothing can be said. */
function unnamedLoadFailure(facts: ProbeFacts, known: readonly Finding[]): Finding | null {
  const error = facts.loadError;
  const check = error === null ? undefined : checkById(LOAD_CHECKS[error.code] ?? '');
  if (error === null || check === undefined || known.some(({ severity }) => severity === 'error')) return null;
  const draft: FindingDraft = {
    range: errorPlace(facts.file, error, '__init__'),
    message: message('The run cannot load the file: {error}.', { error: errorText(error) }),
    evidence: { actual: errorText(error) },
  };
  return toFinding(check, draft, 'probe', facts.profile);
}

const MISSING = 'missing-dependency';

/** A file that lacks a package here: whatever else went wrong in the probes may follow from that. */
function unjudged(facts: ProbeFacts): Probing {
  const unmade = allUnmade(facts.profile, message('A package is missing, so the file cannot be run here.'), true);
  return { ...unmade, notChecked: unmade.notChecked.filter(({ id }) => id !== MISSING && id !== 'syntax-error'), facts, compiled: true };
}

async function getSandbox(provider: SandboxProvider, signal: AbortSignal): Promise<Sandbox | Message> {
  try {
    return await provider.get(signal);
  } catch (error) {
    if (isCancelled(error) || !(error instanceof SandboxError)) throw error;
    return message('There is no sandbox: {why}', { why: `${formatMessage(error.what)} ${formatMessage(error.next)}` });
  }
}

/** What the text alone says of a file. */
interface Reading {
  readonly file: PythonFile;
  readonly byText: StaticJudgement;
  readonly ms: number;
}

async function probe(deps: CheckDeps, input: CheckInput, read: () => Reading, signal: AbortSignal): Promise<Probing> {
  if (deps.sandbox === null) return allUnmade(read().byText.profile, message('There is no sandbox to run the file in.'), true);
  const sandbox = await getSandbox(deps.sandbox, signal);
  if ('template' in sandbox) return allUnmade(read().byText.profile, sandbox, true);
  try {
    const limits = deps.limits === undefined ? {} : { limits: deps.limits };
    const file = (): PythonFile => read().file;
    const probed = await probeFile({ sandbox, text: input.text, file, name: input.file, profile: input.profile ?? null, ...limits }, createJudge(), signal);
    const { profile, findings: known } = read().byText;
    if (probed.kind === 'not-compiled') {
      const finding = toFinding(checkById('syntax-error')!, compileError(file(), probed.error, probed.python), 'probe', profile);
      return { ...allUnmade(profile, message('The file does not compile.'), false), findings: [finding], compiled: false };
    }
    const { facts, judged } = probed;
    const missing = judged.findings.filter(({ id }) => id === MISSING);
    if (missing.length > 0) return { ...unjudged(facts), findings: missing };
    const unnamed = facts.load === null ? unnamedLoadFailure(facts, [...known, ...judged.findings]) : null;
    const findings = unnamed === null ? judged.findings : [...judged.findings, unnamed];
    const nothingPlayed = facts.load === null || facts.episodes.every(({ reset }) => reset === null);
    return { findings, notChecked: judged.notChecked, facts, cannotRun: nothingPlayed || whyUnmade(facts) !== null, compiled: true };
  } catch (error) {
    if (isCancelled(error) || !(error instanceof SandboxError)) throw error;
    return allUnmade(read().byText.profile, message('The sandbox failed: {why}', { why: `${formatMessage(error.what)} ${formatMessage(error.next)}` }), true);
  }
}

function readFile(parser: PythonParser, { text, profile }: CheckInput): Reading {
  const started = performance.now();
  const file = readPython(parser, text);
  const byText = checkStatically(file, profile ?? null);
  return { file, byText, ms: performance.now() - started };
}

/** False for what plays and models say, which no check of a file makes: it stays silenced, found or not. */
function isMadeHere(id: string): boolean {
  const stages = checkById(id)?.stages ?? [];
  return stages.includes('static') || stages.includes('probe');
}

/** What the text may take for missing and the run's own loader found. */
const REFUTED_BY_LOADING = new Set(['no-env-class', 'missing-method', 'bad-constructor']);

/** Static findings without those that the interpreter refutes: it decides what compiles and what loads, and a play whether an episode ends. */
function borneOut(findings: readonly Finding[], { compiled, facts, findings: probed, notChecked }: Probing): Finding[] {
  const loaded = (facts?.load ?? null) !== null;
  const endless = 'format-branch-ignores-max-turns';
  const ends = loaded && ![...probed, ...notChecked].some(({ id }) => id === endless);
  return findings.filter(({ id }) => (id !== 'syntax-error' || compiled === null) && !(loaded && REFUTED_BY_LOADING.has(id)) && !(ends && id === endless));
}

/**
 * Checks one file: by its text, then, unless told otherwise, by running it in the sandbox. Whatever could not be made is
 * listed in `notChecked`. Rejects with an `AbortError` when the signal aborts; every other failure is part of the report.
 */
export async function checkFile(deps: CheckDeps, input: CheckInput, signal: AbortSignal): Promise<FileReport> {
  const { text } = input;
  const started = performance.now();
  let reading: Reading | null = null;
  const read = (): Reading => (reading ??= readFile(deps.parser, input));
  const hash = contentHash(text);
  const staticOnly = input.staticOnly === true;
  const probing = staticOnly
    ? allUnmade(read().byText.profile, message('Static checks only: the file was not run.'), false)
    : await probe(deps, input, read, signal);
  const { file, ms: staticMs } = read();
  let { byText } = read();
  const probeMs = staticOnly ? null : performance.now() - started - staticMs;
  const profile = probing.facts?.profile ?? byText.profile;
  if (profile !== byText.profile) byText = checkStatically(file, profile);
  const merged = overridden(mergeFindings(borneOut(byText.findings, probing), probing.findings), input.severityOverrides);
  const unmade = new Set(probing.notChecked.map(({ id }) => id));
  const { open, suppressed, stale } = applySuppressions(merged.findings, input.suppressions ?? [], {
    file: input.file, hash: await hash, made: (id) => isMadeHere(id) && !unmade.has(id), known: (id) => checkById(id) !== undefined,
  });
  return {
    file: input.file,
    verdict: verdictOf({ open, suppressed, cannotRun: probing.cannotRun, staticOnly: staticOnly || merged.lowered.length > 0 }),
    class: probing.facts?.load?.className ?? byText.className,
    profile,
    findings: [...open],
    suppressed: [...suppressed],
    ...(stale.length > 0 ? { staleSuppressions: [...stale] } : {}),
    ...(merged.lowered.length > 0 ? { lowered: merged.lowered } : {}),
    notChecked: [...probing.notChecked],
    timing: { staticMs, probeMs },
  };
}
