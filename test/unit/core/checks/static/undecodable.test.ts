import { expect, it } from 'vitest';
import { undecodableReport } from '../../../../../src/core/checks/undecodable';
import { FileReport } from '../../../../../src/shared/findings';

it('bytes that are no UTF-8 are a syntax error on their line, and nothing else is claimed', () => {
  const report = undecodableReport('game.py', 7);
  expect(FileReport.parse(report)).toEqual(report);
  expect([report.verdict, report.findings.map(({ id, line }) => [id, line])]).toEqual(['reject', [['syntax-error', 7]]]);
  expect(report.notChecked.map(({ id }) => id)).toEqual(expect.arrayContaining(['no-env-class', 'reset-raises', 'missing-dependency']));
});
