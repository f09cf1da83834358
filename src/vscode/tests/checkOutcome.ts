import { appliesTo, type Check } from '../../core/checks/check';
import type { FileReport, Finding } from '../../shared/findings';
import { message, type Message } from '../../shared/message';

/** What a report says of one check. An info is no failure: it never lowers a verdict. */
export type CheckOutcome =
  | { readonly kind: 'passed'; readonly infos: readonly Finding[] }
  | { readonly kind: 'failed'; readonly findings: readonly Finding[] }
  | { readonly kind: 'skipped'; readonly reason: Message };

/** True for the checks that a run of the battery makes: not those of plays and models. */
export function isMade({ stages }: Pick<Check, 'stages'>): boolean {
  return stages.includes('static') || stages.includes('probe');
}

/** Reads the outcome of a check. What was found counts also where the check could not be made whole. */
export function outcomeOf(check: Check, report: FileReport): CheckOutcome {
  const mine = report.findings.filter(({ id }) => id === check.id);
  const failing = mine.filter(({ severity }) => severity !== 'info');
  if (failing.length > 0) return { kind: 'failed', findings: mine };
  const unmade = report.notChecked.find(({ id }) => id === check.id);
  if (unmade && mine.length === 0) return { kind: 'skipped', reason: unmade.reason };
  if (report.suppressed.some(({ id }) => id === check.id)) return { kind: 'skipped', reason: message('Silenced by the user.') };
  if (!appliesTo(check, report.profile)) return { kind: 'skipped', reason: message('Does not apply to this profile.') };
  return { kind: 'passed', infos: mine };
}
