import fc from 'fast-check';
import { describe, it } from 'vitest';
import { verdictOf } from '../../../../src/core/checks/verdict';
import type { Finding, Severity } from '../../../../src/shared/findings';

const finding = (severity: Severity): Finding => ({
  line: 1, column: 1, endLine: 1, endColumn: 2, id: 'x', severity, message: { template: '', args: {} }, stage: 'probe', evidence: null, fix: null, related: [],
});
const severities = fc.array(fc.constantFrom<Severity>('error', 'warning', 'info')).map((list) => list.map(finding));
const judged = fc.record({ open: severities, suppressed: severities, cannotRun: fc.boolean(), staticOnly: fc.boolean() });

describe('the verdict', () => {
  it('is reject exactly when an error is open', () => {
    fc.assert(fc.property(judged, (input) => (verdictOf(input) === 'reject') === input.open.some(({ severity }) => severity === 'error')));
  });

  it('is never a pass when nothing could be run', () => {
    fc.assert(fc.property(judged, (input) => !input.cannotRun || ['reject', 'cannot-run'].includes(verdictOf(input))));
  });

  it('is not clean with a silenced error, an open warning, or without probes', () => {
    fc.assert(fc.property(judged, (input) => {
      const lowered = input.staticOnly || input.suppressed.some(({ severity }) => severity === 'error') || input.open.some(({ severity }) => severity === 'warning');
      return !lowered || verdictOf(input) !== 'accept';
    }));
  });

  it('does not change with info', () => {
    fc.assert(fc.property(judged, (input) => verdictOf(input) === verdictOf({ ...input, open: [...input.open, finding('info')], suppressed: [...input.suppressed, finding('info')] })));
  });
});
