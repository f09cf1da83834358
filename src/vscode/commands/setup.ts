import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { Checks } from '../checks/feature';
import type { Interaction } from '../interaction';
import type { EditorLog } from '../log';
import type { EnvironmentsTree } from '../trees/environmentsTree';
import { requireTrust } from '../trust';
import { forgetApiKey, setApiKey } from './apiKey';
import { runDoctor, testConnection, type DoctorParts } from './doctor';
import type { CommandDocuments, CommandTarget } from './environmentDocument';
import type { CommandRegistry } from './register';
import { troubleshoot } from './troubleshooting';
import { installWheels } from './installWheels';
import { openSampleWorkspace } from './sampleWorkspace';
import { checkAll } from './checkAll';
import { checkFile } from './checkFile';

/** What the commands around the main path need. */
export interface SetupParts extends DoctorParts {
  readonly commands: CommandRegistry;
  readonly targets: CommandDocuments;
  readonly interaction: Interaction;
  readonly log: EditorLog;
  readonly checks: Checks;
  readonly environments: EnvironmentsTree;
  readonly extension: vscode.Uri;
}

/** Check, keys, connection, doctor, samples, log and settings. */
export function registerSetupCommands(parts: SetupParts): Disposable {
  const { commands, targets, interaction, models, log, checks, environments, extension } = parts;
  const owned = new DisposableStore();
  const on = (...registration: Parameters<CommandRegistry['register']>) => owned.add(commands.register(...registration));
  on('checkFile', async (target) => checkFile(await targets.of(target as CommandTarget), checks.checker, interaction));
  on('checkAll', () => checkAll(environments, checks, interaction));
  on('setApiKey', () => trusted(() => setApiKey(models, interaction)));
  on('forgetApiKey', () => forgetApiKey(models, interaction));
  on('testConnection', () => trusted(() => testConnection(parts)));
  on('doctor', () => runDoctor(parts));
  on('troubleshoot', () => troubleshoot(parts));
  on('refreshEnvironments', () => environments.findAgain());
  on('installWheels', () => trusted(() => installWheels(parts.sandbox, interaction)));
  on('openSampleWorkspace', () => openSampleWorkspace(extension, interaction));
  on('showLog', () => log.show());
  on('openSettings', (setting) => vscode.commands.executeCommand('workbench.action.openSettings', typeof setting === 'string' ? `envwright.${setting}` : '@ext:envwright.envwright'));
  on('manageTrust', () => vscode.commands.executeCommand('workbench.trust.manage'));
  return owned;
}

function trusted<T>(work: () => T): T {
  requireTrust();
  return work();
}
