import type { Finding, Severity, Verdict } from '../../shared/findings';

/** What a verdict rests on. */
export interface Judged {
  /** Findings that are not silenced. */
  readonly open: readonly Finding[];
  readonly suppressed: readonly Finding[];
  /** Why nothing could be run, when that is so: no interpreter, a missing package, no sandbox. */
  readonly cannotRun: boolean;
  /** True when the probes were left out on purpose: then the best verdict is one with warnings. */
  readonly staticOnly: boolean;
}

/** The verdict of a file, the first that applies (check catalog, "Verdict of a file"). Silenced errors never make it a clean one. */
export function verdictOf({ open, suppressed, cannotRun, staticOnly }: Judged): Verdict {
  if (open.some(({ severity }) => severity === 'error')) return 'reject';
  if (cannotRun) return 'cannot-run';
  const lowered = staticOnly || open.some(({ severity }) => severity === 'warning') || suppressed.some(({ severity }) => severity === 'error');
  return lowered ? 'accept-with-warnings' : 'accept';
}

/** Findings with the user's severities; `lowered` are the checks of which an error became less. */
export function overridden(findings: readonly Finding[], overrides: Readonly<Record<string, Severity>> | undefined): { findings: Finding[]; lowered: string[] } {
  const lowered = new Set<string>();
  const changed = findings.map((finding): Finding => {
    const severity = overrides && Object.hasOwn(overrides, finding.id) ? overrides[finding.id] : undefined;
    if (severity === undefined) return finding;
    if (finding.severity === 'error' && severity !== 'error') lowered.add(finding.id);
    return { ...finding, severity };
  });
  return { findings: changed, lowered: [...lowered] };
}
