import type { EnvironmentAnchor } from '../../core/environment/looksLikeEnvironment';
import type { FileReport, Profile } from '../../shared/findings';

/** What is checked. `file` is a name for tracebacks and reports; the text is what is judged, saved or not. */
export interface CheckSubject {
  readonly text: string;
  readonly file: string;
  /** What provenance or the user says the file is; left out to go by the text. */
  readonly profile?: Profile;
}

/** The checks as the editor uses them. */
export interface CheckEngine {
  /** The class that makes the text an environment, undefined when it is none; cheap for texts that cannot be one. */
  recognise(subject: CheckSubject): Promise<EnvironmentAnchor | undefined>;
  /** Static checks alone: every probe is listed as not made. */
  staticReport(subject: CheckSubject): Promise<FileReport>;
  /** All checks; runs the file in the sandbox. */
  fullReport(subject: CheckSubject, signal: AbortSignal): Promise<FileReport>;
}
