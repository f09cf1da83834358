import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FileReport, Finding, Severity } from '../../../src/shared/findings';
import { formatMessage } from '../../../src/shared/message';
import { state } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { oddSeverities } = await import('../../../src/vscode/checks/severities');
const { findingWarnings } = await import('../../../src/vscode/run/findingWarnings');

const finding = (id: string, severity: Severity): Finding => ({
  line: 1, column: 1, endLine: 1, endColumn: 2, id, severity, message: { template: '', args: {} }, stage: 'probe', evidence: null, fix: null, related: [],
});
const report = (over: Partial<FileReport>): FileReport => ({
  file: 'env.py', verdict: 'accept', class: 'AEnv', profile: 's', findings: [], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: 1 }, ...over,
});
const said = (over: Partial<FileReport>): string[] => findingWarnings(report(over)).map(({ severity, message: text }) => `${severity}: ${formatMessage(text)}`);

describe('severities in the settings', () => {
  afterEach(() => state.user.clear());
  const given = async (value: unknown): Promise<string> => {
    state.user.set('check.severities', value);
    const problem = await oddSeverities();
    return problem === null ? '' : formatMessage(problem.what);
  };

  it('that count are not spoken of', async () => {
    expect(await given({})).toBe('');
    expect(await given({ guessable: 'info', 'never-ends': 'warning' })).toBe('');
  });

  it('of no check are named, with the one that may be meant', async () => {
    expect(await given({ Guessable: 'info' })).toContain('guessable is one');
    for (const id of ['*', 'never-*', 'constructor']) expect(await given({ [id]: 'info' })).toContain(`given for ${id}, which is no check`);
  });

  it('that are none are named, and none counts', async () => {
    expect(await given({ guessable: 'off', 'never-ends': 'info' })).toContain('None of the severities given counts');
  });
});

describe('a push tells everything that speaks against the file', () => {
  it('nothing where nothing does', () => {
    expect(said({})).toEqual([]);
  });

  it('errors that are open, silenced, or were given a lower severity', () => {
    expect(said({ verdict: 'reject', findings: [finding('never-ends', 'error')] })).toEqual(['warning: Errors are open in the file: 1.']);
    expect(said({ verdict: 'accept-with-warnings', suppressed: [finding('never-ends', 'error'), finding('guessable', 'warning')] })).toEqual([expect.stringContaining('warning: Errors are silenced in the file: never-ends.')]);
    expect(said({ verdict: 'accept-with-warnings', findings: [finding('never-ends', 'info')], lowered: ['never-ends'] })).toEqual([expect.stringContaining('warning: Errors were given a lower severity: never-ends.')]);
  });

  it('that it is not judged, also beside warnings', () => {
    const notChecked = [{ id: 'never-ends', reason: { template: '', args: {} } }];
    expect(said({ verdict: 'cannot-run', findings: [finding('guessable', 'warning')], notChecked })).toEqual(['info: Warnings are open in the file: 1.', 'warning: The environment is not judged: 1 checks are not made.']);
    expect(said({ verdict: 'accept-with-warnings', notChecked, timing: { staticMs: 1, probeMs: null } })).toEqual(['warning: The environment is not judged: 1 checks are not made.']);
  });

  it('what was set aside is no open finding: it has a warning of its own name', () => {
    const ids = (over: Partial<FileReport>) => findingWarnings(report(over)).map(({ id }) => id);
    expect(ids({ suppressed: [finding('never-ends', 'error')] })).toEqual(['silenced-findings']);
    expect(ids({ findings: [finding('never-ends', 'info')], lowered: ['never-ends'] })).toEqual(['silenced-findings']);
    expect(ids({ verdict: 'reject', findings: [finding('never-ends', 'error')] })).toEqual(['open-findings']);
  });
});
