import type { Finding, Profile, Stage } from '../../../shared/findings';
import type { Message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import { environmentAnchor, type EnvironmentAnchor } from '../../environment/looksLikeEnvironment';
import { guessProfile } from '../../environment/profile';
import { catalog } from '../catalog';
import { appliesTo, severityOf, type Check, type FindingDraft } from '../check';
import { isReadable } from './syntax';

/** Longest text of the file that a message quotes, in UTF-16 units. */
const QUOTED = 200;

/** Names and expressions of a file may be of any length; a message stays readable. */
function shortened({ template, args }: Message): Message {
  const cut = (value: string | number): string | number => (typeof value === 'string' && value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value);
  return { template, args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, cut(value)])) };
}

/** Completes a draft with what its check knows. */
export function toFinding(check: Check, draft: FindingDraft, stage: Stage, profile: Profile | null): Finding {
  const { range, message, severity, evidence, fix, related } = draft;
  return {
    ...range,
    id: check.id,
    severity: severity ?? severityOf(check, profile),
    message: shortened(message),
    // A place that only the text tells may take a probe to know that it bites.
    stage: check.stages.includes(stage) ? stage : (check.stages[0] ?? stage),
    evidence: evidence ?? null,
    fix: fix ?? null,
    related: related ? [...related] : [],
  };
}

/** What the syntax tree alone tells of a file. */
export interface StaticJudgement {
  /** The class that the run's loader picks, null when there is none. */
  readonly className: string | null;
  /** The profile that the findings were judged in: the one given, else a guess from the text. */
  readonly profile: Profile | null;
  /** In order of position. */
  readonly findings: readonly Finding[];
  /** The class that makes the file an environment, null when it wants to be none. */
  readonly anchor: EnvironmentAnchor | null;
}

/**
 * Makes every static check of the catalog that belongs to the profile. While the text cannot be read whole, only what
 * is sound then: what a broken tree lacks may well be in the file.
 * @param profile what the user or provenance says the file is; null to go by the text.
 */
export function checkStatically(file: PythonFile, profile: Profile | null, checks: readonly Check[] = catalog): StaticJudgement {
  const judgedAs = profile ?? guessProfile(file);
  const readable = isReadable(file);
  const findings: Finding[] = [];
  for (const check of checks) {
    if (check.static === undefined || !appliesTo(check, judgedAs) || !(readable || check.whenBroken)) continue;
    for (const draft of check.static(file)) findings.push(toFinding(check, draft, 'static', judgedAs));
  }
  findings.sort((a, b) => a.line - b.line || a.column - b.column);
  return { className: file.picked?.name ?? null, profile: judgedAs, findings, anchor: environmentAnchor(file) ?? null };
}
