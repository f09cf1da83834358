import { beforeEach, describe, expect, it, vi } from 'vitest';
import { state } from '../../fakes/vscode';

vi.mock('vscode', async () => import('../../fakes/vscode'));

const { readSetting } = await import('../../../src/vscode/settings');
const { SandboxSource } = await import('../../../src/vscode/sandboxSource');
const { requireTrust } = await import('../../../src/vscode/trust');
const { nextStep } = await import('../../../src/vscode/presentError');

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(() => {
  state.isTrusted = true;
  state.user.clear();
  state.workspaceSettings.clear();
});

describe('in an untrusted workspace', () => {
  beforeEach(() => {
    state.isTrusted = false;
  });

  it.each([
    ['model.endpoint', 'http://elsewhere.example/v1', ''],
    ['sandbox.pythonPath', './evil/python', ''],
    ['sandbox.backend', 'seatbelt', 'auto'],
    ['run.folder', '/somewhere', ''],
  ] as const)('%s of the workspace is ignored, whatever the editor hands out', (key, value, expected) => {
    state.workspaceSettings.set(key, value);
    expect(readSetting(key)).toBe(expected);
  });

  it('the user’s own settings still count', () => {
    state.user.set('model.endpoint', 'http://localhost:8000/v1');
    state.workspaceSettings.set('model.endpoint', 'http://elsewhere.example/v1');
    expect(readSetting('model.endpoint')).toBe('http://localhost:8000/v1');
  });

  it('no sandbox is made, so nothing runs, and the error leads to trusting the workspace', async () => {
    const [sandbox, installWheels] = [vi.fn(), vi.fn()];
    const source = new SandboxSource({ sandbox, installWheels }, logger);
    await expect(source.get()).rejects.toMatchObject({ code: 'trust/untrusted-workspace' });
    await expect(source.health()).rejects.toMatchObject({ code: 'trust/untrusted-workspace' });
    await expect(source.installWheels(() => undefined, new AbortController().signal)).rejects.toMatchObject({ code: 'trust/untrusted-workspace' });
    expect(sandbox).not.toHaveBeenCalled();
    expect(installWheels).not.toHaveBeenCalled();
    expect(nextStep('trust/untrusted-workspace')).toBe('manageTrust');
  });

  it('what runs, calls a model or writes is refused', () => {
    expect(() => requireTrust()).toThrow(/not trusted/);
  });
});

describe('in a trusted workspace', () => {
  it('the workspace’s settings count', () => {
    state.workspaceSettings.set('sandbox.backend', 'pyodide');
    expect(readSetting('sandbox.backend')).toBe('pyodide');
    expect(() => requireTrust()).not.toThrow();
  });

  it('a value that does not parse gives the default', () => {
    state.workspaceSettings.set('play.plays', 'many');
    expect(readSetting('play.plays')).toBe(4);
  });
});
