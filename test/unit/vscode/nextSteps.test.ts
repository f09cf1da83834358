import { describe, expect, it, vi } from 'vitest';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { nextStep } = await import('../../../src/vscode/presentError');

describe('the button of a failure', () => {
  it.each([
    ['editor/no-environment', 'openSampleWorkspace'],
    ['model/not-offered', 'chooseModel'],
    ['model/timeout', 'testConnection'],
    ['model/budget', 'openSettings'],
    ['settings/no-endpoint', 'chooseModel'],
    ['settings/bad-profile', 'openSettings'],
    ['play/no-sessions', 'play'],
    ['push/none', 'push'],
    ['review/not-environment', 'troubleshoot'],
  ])('takes the step that %s names', (code, command) => {
    expect(nextStep(code)).toBe(command);
  });

  it('is the log where nothing better is known', () => {
    expect(nextStep('other/unknown')).toBe('showLog');
  });
});
