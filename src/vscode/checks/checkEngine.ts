import type { Suppression } from '../../core/checks/suppression';
import type { EnvironmentAnchor } from '../../core/environment/looksLikeEnvironment';
import type { FileReport, Profile, Severity } from '../../shared/findings';

/** What is checked. `file` is a name for tracebacks and reports; the text is what is judged, saved or not. */
export interface CheckSubject {
  readonly text: string;
  readonly file: string;
  /** What tells files apart, so that a keystroke is parsed alone; the address of a document. */
  readonly key: string;
  /** What provenance or the user says the file is; left out to go by the text. */
  readonly profile?: Profile;
  /** What the user silenced; drafts of the designer get none. */
  readonly suppressions?: readonly Suppression[];
  /** The user's severities by check id. */
  readonly severityOverrides?: Readonly<Record<string, Severity>>;
}

/** What the text alone tells. */
export interface TextReport {
  /** Every probe is listed as not made. */
  readonly report: FileReport;
  /** The class that makes the text an environment, null when it is none. */
  readonly anchor: EnvironmentAnchor | null;
}

/** The checks as the editor uses them. */
export interface CheckEngine {
  /** Static checks alone. @throws AbortError */
  byText(subject: CheckSubject, signal?: AbortSignal): Promise<TextReport>;
  /** All checks; runs the file in the sandbox. @throws AbortError */
  full(subject: CheckSubject, signal: AbortSignal): Promise<FileReport>;
  /** Gives up what is kept of a file that was closed. */
  forget(key: string): void;
}
