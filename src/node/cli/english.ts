import type { CheckDocument, CliFinding } from '../../shared/cliDocuments';
import type { FileReport, Finding } from '../../shared/findings';
import { formatMessage } from '../../shared/message';

function finding({ message, fix, related, ...rest }: Finding): CliFinding {
  return {
    ...rest,
    message: formatMessage(message),
    fix: fix && { title: formatMessage(fix.title), edits: fix.edits },
    related: related.map((place) => ({ ...place, message: formatMessage(place.message) })),
  };
}

/** A report with its texts in English. */
export function englishReport({ staleSuppressions, ...report }: FileReport): CheckDocument['files'][number] {
  return {
    ...report,
    ...(staleSuppressions && { staleSuppressions: staleSuppressions.map(({ id, reason }) => ({ id, reason: formatMessage(reason) })) }),
    findings: report.findings.map(finding),
    suppressed: report.suppressed.map(finding),
    notChecked: report.notChecked.map(({ id, reason }) => ({ id, reason: formatMessage(reason) })),
  };
}
