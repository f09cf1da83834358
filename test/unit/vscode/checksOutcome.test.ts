import { describe, expect, it } from 'vitest';
import { catalog, checkById } from '../../../src/core/checks/catalog';
import type { FileReport, Finding, Severity } from '../../../src/shared/findings';
import { message } from '../../../src/shared/message';
import { ownFrames } from '../../../src/vscode/checks/traceback';
import { isMade, outcomeOf } from '../../../src/vscode/tests/checkOutcome';

const finding = (id: string, severity: Severity): Finding => ({
  id, severity, line: 1, column: 1, endLine: 1, endColumn: 2, message: message('x'), stage: 'probe', evidence: null, fix: null, related: [],
});
const report = (changes: Partial<FileReport>): FileReport => ({
  file: 'env.py', verdict: 'accept', class: 'AEnv', profile: 's', findings: [], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: 1 }, ...changes,
});
const of = (id: string, changes: Partial<FileReport>) => outcomeOf(checkById(id)!, report(changes));

describe('the outcome of a check', () => {
  it('fails for errors and warnings, never for an info', () => {
    expect(of('guessable', { findings: [finding('guessable', 'warning')] }).kind).toBe('failed');
    expect(of('guessable', { findings: [finding('guessable', 'info')] })).toMatchObject({ kind: 'passed', infos: [{ id: 'guessable' }] });
    expect(of('guessable', { findings: [finding('trivial-win', 'error')] }).kind).toBe('passed');
  });
  it('is never passed where the check was not made, was silenced, or does not apply', () => {
    expect(of('guessable', { notChecked: [{ id: 'guessable', reason: message('no sandbox') }] })).toMatchObject({ kind: 'skipped', reason: { template: 'no sandbox' } });
    expect(of('guessable', { suppressed: [finding('guessable', 'warning')] }).kind).toBe('skipped');
    expect(of('tool-not-implemented', {}).kind).toBe('skipped');
  });
  it('what was found counts although the check could not be made whole', () => {
    expect(of('guessable', { findings: [finding('guessable', 'warning')], notChecked: [{ id: 'guessable', reason: message('hung') }] }).kind).toBe('failed');
  });
  it('leaves out what plays and models find', () => {
    expect(catalog.filter((check) => !isMade(check)).map(({ id }) => id)).toEqual(['hint-leaks-answer', 'hint-too-long', 'screen-rejects', 'screen-undecided']);
  });
});

describe('a traceback', () => {
  it('gives the frames of the file itself, innermost first, without the line that is marked', () => {
    const evidence = { traceback: ['env.py:3 in reset', 'env.py:9 in helper', '/lib/random.py:4 in choice', 'env.py:12 in deep', 'no frame at all', 'env.py:0 in bad'] };
    expect(ownFrames({ evidence, line: 12 }, 'env.py').map(({ range, function: name }) => [range.line, name])).toEqual([[9, 'helper'], [3, 'reset']]);
  });
});
