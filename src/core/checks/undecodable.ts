import type { FileReport } from '../../shared/findings';
import { message } from '../../shared/message';
import { catalog, checkById } from './catalog';
import { toFinding } from './static/run';

/**
 * The report of a file whose bytes are no UTF-8: Python refuses it before it reads a line.
 * @param line the first line that cannot be read, from 1.
 */
export function undecodableReport(file: string, line: number): FileReport {
  const draft = {
    range: { line, column: 1, endLine: line, endColumn: 1 },
    message: message('This line is no UTF-8 text, so Python refuses the file and the run cannot load it. Save the file as UTF-8.'),
  };
  return {
    file,
    verdict: 'reject',
    class: null,
    profile: null,
    findings: [toFinding(checkById('syntax-error')!, draft, 'static', null)],
    suppressed: [],
    notChecked: catalog.filter(({ id, stages }) => id !== 'syntax-error' && stages.some((stage) => stage === 'static' || stage === 'probe'))
      .map(({ id }) => ({ id, reason: message('The file is no UTF-8 text.') })),
    timing: { staticMs: 0, probeMs: null },
  };
}
