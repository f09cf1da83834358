import { afterEach, describe, expect, it, vi } from 'vitest';
import { message } from '../../../src/shared/message';
import type { FileReport } from '../../../src/shared/findings';
import { state } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { whyNot } = await import('../../../src/vscode/commands/checkFile');
const report = (over: Partial<FileReport>) => ({ verdict: 'accept' as const, findings: [], notChecked: [], timing: { staticMs: 1, probeMs: 2 }, ...over });

describe('a check that could not be made says why', () => {
  afterEach(() => {
    state.isTrusted = true;
  });

  it('nothing, when the file was run', () => {
    expect(whyNot(report({}))).toEqual([]);
  });

  it('the trust that is missing, before all else', () => {
    state.isTrusted = false;
    expect(whyNot(report({ timing: { staticMs: 1, probeMs: null } })).join('')).toContain('not trusted');
  });

  it('what the file could not be run for', () => {
    const notChecked = [{ id: 'solution-does-not-win', reason: message('No interpreter was found.') }];
    expect(whyNot(report({ verdict: 'cannot-run', notChecked, timing: { staticMs: 1, probeMs: null } }))).toEqual(['No interpreter was found.']);
  });
});
