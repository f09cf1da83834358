import * as vscode from 'vscode';
import { EnvwrightError, isCancelled } from '../core/errors';
import { commandId, type CommandName } from '../shared/contributions';
import type { SettingKey } from '../shared/settings';
import type { Interaction } from './interaction';
import { localize } from './localize';
import type { EditorLog } from './log';

/** The command that takes the next step, by the first part of an error's code or the whole of it. */
const NEXT_STEPS: Readonly<Record<string, CommandName>> = {
  'model/unauthorized': 'setApiKey',
  'model/no-key': 'setApiKey',
  'model/not-offered': 'chooseModel',
  'model/budget': 'openSettings',
  model: 'testConnection',
  sandbox: 'doctor',
  python: 'doctor',
  run: 'linkRun',
  'memory/torn': 'openMemoryFile',
  'settings/no-endpoint': 'chooseModel',
  settings: 'openSettings',
  'settings/no-model': 'chooseModel',
  trust: 'manageTrust',
  'editor/no-environment': 'openSampleWorkspace',
  'editor/empty-file': 'design',
  'checks/no-environments': 'openSampleWorkspace',
  'play/no-sessions': 'play',
  'push/none': 'push',
  'memory/not-a-memory': 'linkRun',
  'design/no-corpus': 'openSettings',
  'design/template-placeholder': 'showPrompt',
  'design/template-missing': 'showPrompt',
  'review/no-files': 'startReview',
  'review/no-environments': 'startReview',
  'review/no-name': 'openSettings',
  'review/no-workspace': 'openSampleWorkspace',
  'review/no-curriculum': 'newCurriculum',
  review: 'troubleshoot',
};

/** The setting that the next step is about, where one is. */
const SETTINGS: Readonly<Record<string, SettingKey>> = {
  'model/budget': 'model.budget', 'settings/bad-profile': 'model.profiles', 'design/no-corpus': 'run.corpus', 'review/no-name': 'review.name',
};

/** The command offered for an error code; the log where nothing better is known. */
export function nextStep(code: string): CommandName {
  return NEXT_STEPS[code] ?? NEXT_STEPS[code.split('/')[0] ?? ''] ?? 'showLog';
}

const titles: Partial<Record<CommandName, () => string>> = {
  setApiKey: () => vscode.l10n.t('Set API Key…'),
  chooseModel: () => vscode.l10n.t('Choose Model…'),
  testConnection: () => vscode.l10n.t('Test Connection'),
  doctor: () => vscode.l10n.t('Run Doctor'),
  linkRun: () => vscode.l10n.t('Link Run Folder…'),
  openMemoryFile: () => vscode.l10n.t('Open Memory File'),
  openSettings: () => vscode.l10n.t('Open Settings'),
  manageTrust: () => vscode.l10n.t('Manage Workspace Trust'),
  startReview: () => vscode.l10n.t('Review Files…'),
  openSampleWorkspace: () => vscode.l10n.t('Open Sample Workspace'),
  newCurriculum: () => vscode.l10n.t('New Curriculum…'),
  design: () => vscode.l10n.t('Design Environment…'),
  play: () => vscode.l10n.t('Play'),
  push: () => vscode.l10n.t('Push…'),
  showPrompt: () => vscode.l10n.t('Show Design Prompt'),
  troubleshoot: () => vscode.l10n.t('Troubleshooting'),
};

/** Tells people what went wrong: what, what to do, and a button that does it. Only one notice an error; a cancelled action says nothing. */
export class ErrorPresenter {
  constructor(
    private readonly interaction: Interaction,
    private readonly log: EditorLog,
  ) {}

  /** Shows the error without waiting for the answer. */
  present(error: unknown): void {
    if (isCancelled(error) || error instanceof vscode.CancellationError) return;
    this.log.error(error instanceof EnvwrightError ? `${error.code}: ${error.message}` : 'Unexpected error.', error instanceof EnvwrightError ? error.cause : error);
    void this.offer(error).catch((failure: unknown) => this.log.error('A next step failed.', failure));
  }

  private async offer(error: unknown): Promise<void> {
    const known = error instanceof EnvwrightError;
    const command = known ? nextStep(error.code) : 'showLog';
    const action = titles[command]?.() ?? vscode.l10n.t('Show Log');
    const message = known ? `${localize(error.what)} ${localize(error.next)}` : vscode.l10n.t('Envwright could not do this. The log has the details.');
    const chosen = await this.interaction.notice({ severity: 'error', message, actions: [action] });
    if (chosen !== action) return;
    const setting = known && command === 'openSettings' ? SETTINGS[error.code] : undefined;
    await vscode.commands.executeCommand(commandId(command), ...(setting === undefined ? [] : [setting]));
  }
}
