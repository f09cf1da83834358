import type { PushWarning } from '../../core/memory/warnings';
import type { FileReport } from '../../shared/findings';
import { message, type Message } from '../../shared/message';

/** What speaks against pushing a file, by its checks: all of it, also what the user silenced or gave a lower severity. */
export function findingWarnings({ verdict, findings, suppressed, lowered = [], notChecked, timing }: FileReport): PushWarning[] {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const silenced = [...new Set(suppressed.filter(({ severity, id }) => severity === 'error' && !lowered.includes(id)).map(({ id }) => id))];
  const told = (id: PushWarning['id'], is: boolean, text: Message, severity: PushWarning['severity'] = 'warning'): PushWarning[] => (is ? [{ id, severity, message: text }] : []);
  return [
    ...told('open-findings', count('error') > 0, message('Errors are open in the file: {count}.', { count: count('error') })),
    ...told('silenced-findings', silenced.length > 0, message('Errors are silenced in the file: {ids}. The run meets them all the same.', { ids: silenced.join(', ') })),
    ...told('silenced-findings', lowered.length > 0, message('Errors were given a lower severity: {ids}. The run meets them all the same.', { ids: lowered.join(', ') })),
    ...told('open-findings', count('error') === 0 && count('warning') > 0, message('Warnings are open in the file: {count}.', { count: count('warning') }), 'info'),
    ...told('open-findings', verdict === 'cannot-run' || timing.probeMs === null, message('The environment is not judged: {count} checks are not made.', { count: notChecked.length })),
  ];
}
