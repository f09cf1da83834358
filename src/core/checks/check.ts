import type { Evidence, Fix, Profile, Range, Severity, Stage } from '../../shared/findings';
import type { Message } from '../../shared/message';
import type { PythonFile } from '../environment/pythonFile';
import type { ProbeFacts } from './probe/facts';

/** What a rule says before the check's id, severity and stage are added. */
export interface FindingDraft {
  readonly range: Range;
  /** What is wrong, why it matters to the run, what to do. */
  readonly message: Message;
  /** Where this finding is more or less than its check. */
  readonly severity?: Severity;
  readonly evidence?: Evidence;
  readonly fix?: Fix;
  readonly related?: readonly (Range & { readonly message: Message })[];
}

/** Judges a file by its syntax tree. Pure; never throws on any text. */
export type StaticRule = (file: PythonFile) => Iterable<FindingDraft>;

/** What a probe rule concludes; `notChecked` says why it could not be made. */
export interface ProbeJudgement {
  readonly findings: readonly FindingDraft[];
  readonly notChecked: readonly Message[];
}

/** Judges what the probes saw. Pure. */
export type ProbeRule = (facts: ProbeFacts) => ProbeJudgement;

/** One row of the check catalog. */
export interface Check {
  readonly id: string;
  readonly severity: Severity;
  /** Profiles in which the severity is another one. */
  readonly severityIn?: Readonly<Partial<Record<Profile, Severity>>>;
  readonly stages: readonly Stage[];
  /** Where the check applies; empty means everywhere. */
  readonly profiles: readonly Profile[];
  /** What the check is about, in a few words. */
  readonly title: Message;
  /** True when its findings can carry a fix. */
  readonly fixes: boolean;
  /** True when the static rule is sound on a text that the parser cannot read whole. */
  readonly whenBroken?: boolean;
  readonly static?: StaticRule;
  readonly probe?: ProbeRule;
}

/** The severity of a check in a profile; an unknown profile takes the check's own. */
export function severityOf(check: Check, profile: Profile | null): Severity {
  return (profile !== null && check.severityIn?.[profile]) || check.severity;
}

/** True when a check belongs to a profile. While the profile is unknown every check applies. */
export function appliesTo(check: Check, profile: Profile | null): boolean {
  return profile === null || check.profiles.length === 0 || check.profiles.includes(profile);
}

/** Checks that belong together: a file under `families/`, a node of the test view. */
export interface Family {
  readonly id: string;
  readonly title: Message;
  readonly checks: readonly Check[];
}
