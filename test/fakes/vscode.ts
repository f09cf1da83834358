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
  asRelativePath: (path: string) => path,
  getConfiguration: () => ({
    get: (key: string) => state.workspaceSettings.get(key) ?? state.user.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void (value === undefined ? state.user.delete(key) : state.user.set(key, value))),
    inspect: (key: string) => ({ globalValue: state.user.get(key), workspaceValue: state.workspaceSettings.get(key) }),
  }),
  onDidChangeConfiguration: () => nothing,
};

/** The language models that the editor offers; a test sets them. */
export const offered: { models: unknown[] } = { models: [] };
export const lm = { selectChatModels: () => Promise.resolve(offered.models) };
export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
export class LanguageModelToolCallPart {
  constructor(readonly callId: string, readonly name: string, readonly input: object) {}
}
export class LanguageModelToolResultPart {
  constructor(readonly callId: string, readonly content: unknown[]) {}
}
export class LanguageModelError extends Error {
  constructor(message: string, readonly code: string) {
    super(message);
  }
}
export const LanguageModelChatMessage = {
  User: (content: unknown) => ({ role: 'user', content }),
  Assistant: (content: unknown) => ({ role: 'assistant', content }),
};
export class CancellationTokenSource {
  private readonly listeners: (() => void)[] = [];
  readonly token = { isCancellationRequested: false, onCancellationRequested: (listener: () => void) => (this.listeners.push(listener), nothing) };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    for (const listener of this.listeners) listener();
  }
  dispose(): void {}
}

export const ConfigurationTarget = { Global: 1, Workspace: 2 };
export const ProgressLocation = { Notification: 15 };
/** Runs the work of a progress notice; nobody cancels it. */
export const window = {
  setStatusBarMessage: (_text: string, _ms?: number) => nothing,
  withProgress: (_: unknown, work: (progress: object, token: object) => unknown) => work({ report: () => undefined }, { onCancellationRequested: () => nothing }),
};

export const env = { language: 'en' };
/** Texts in English, with what stands in their place. */
export const l10n = { t: (template: string, ...values: unknown[]) => template.replace(/\{(\d+)\}/g, (whole, at: string) => (Number(at) in values ? String(values[Number(at)]) : whole)) };
export class ThemeColor {
  constructor(readonly id: string) {}
}
export class ThemeIcon {
  constructor(readonly id: string, readonly color?: ThemeColor) {}
}
export const extensions = { getExtension: () => undefined };
export class CancellationError extends Error {}
