/** As much of the editor's interface as unit tests of its adapters need; a test sets what it wants to see. */
export const state = {
  isTrusted: true,
  user: new Map<string, unknown>(),
  workspaceSettings: new Map<string, unknown>(),
};

const nothing = { dispose: () => undefined };

export const workspace = {
  get isTrusted() {
    return state.isTrusted;
  },
  workspaceFolders: undefined,
  getConfiguration: () => ({
    get: (key: string) => state.workspaceSettings.get(key) ?? state.user.get(key),
    inspect: (key: string) => ({ globalValue: state.user.get(key), workspaceValue: state.workspaceSettings.get(key) }),
  }),
  onDidChangeConfiguration: () => nothing,
};

export const l10n = { t: (template: string) => template };
export const extensions = { getExtension: () => undefined };
export class CancellationError extends Error {}
