import * as vscode from 'vscode';
import { NAMESPACE } from '../shared/contributions';
import { settings, type SettingDeclaration, type SettingKey, type SettingValue } from '../shared/settings';

/** What is configured: in an untrusted workspace a restricted setting is read from the user's own settings alone. */
function configured(key: SettingKey): unknown {
  const declaration: SettingDeclaration = settings[key];
  const configuration = vscode.workspace.getConfiguration(NAMESPACE);
  const value: unknown = declaration.restricted && !vscode.workspace.isTrusted ? configuration.inspect(key)?.globalValue : configuration.get(key);
  return value === undefined ? declaration.default : value;
}

/**
 * The value of a setting, parsed; its default where the configured value does not parse. In an untrusted workspace a
 * restricted setting is read from the user's own settings alone, whatever the editor hands out.
 */
export function readSetting<K extends SettingKey>(key: K): SettingValue<K> {
  const declaration: SettingDeclaration = settings[key];
  const parsed = declaration.schema.safeParse(configured(key));
  return (parsed.success ? parsed.data : declaration.default) as SettingValue<K>;
}

/** Why the configured value of a setting is not used, undefined when it is. For settings whose default must not stand in for a mistake. */
export function settingProblem(key: SettingKey): string | undefined {
  const declaration: SettingDeclaration = settings[key];
  const issue = declaration.schema.safeParse(configured(key)).error?.issues[0];
  return issue && [issue.path.join('.'), issue.message].filter((part) => part !== '').join(': ');
}

/** Calls the listener when one of these settings changed. */
export function onSettingChange(keys: readonly SettingKey[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (keys.some((key) => event.affectsConfiguration(`${NAMESPACE}.${key}`))) listener();
  });
}

/** Where a setting is kept: with the folder when one is open, else with the user. */
export async function writeSetting<K extends SettingKey>(key: K, value: SettingValue<K> | undefined): Promise<void> {
  const target = vscode.workspace.workspaceFolders?.length ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration(NAMESPACE).update(key, value, target);
}
