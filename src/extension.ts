import * as vscode from 'vscode';
import { DisposableStore } from './core/lifecycle';
import { KeyRing } from './core/models/keys';
import { Redactor } from './core/redaction';
import type { EnvwrightApi } from './vscode/api';
import { CoreCheckEngine } from './vscode/checks/coreCheckEngine';
import { Checks } from './vscode/checks/feature';
import { CommandRegistry } from './vscode/commands/register';
import { registerSetupCommands } from './vscode/commands/setup';
import { ReadOnlyDocuments } from './vscode/documents';
import { EditorInteraction, ReplaceableInteraction } from './vscode/interaction';
import { EditorLog } from './vscode/log';
import { ModelSource } from './vscode/models/modelSource';
import { EditorSecrets } from './vscode/models/secretStore';
import type { NodePorts } from './vscode/nodePorts';
import { ErrorPresenter } from './vscode/presentError';
import { SandboxSource } from './vscode/sandboxSource';
import { Status } from './vscode/status';

/** Joins core, Node and the editor. Nothing heavy is loaded here: each part is imported when it is first used. */
export function activate(context: vscode.ExtensionContext): EnvwrightApi {
  const started = performance.now();
  const owned = new DisposableStore();
  context.subscriptions.push(owned);

  const redactor = new Redactor();
  const log = owned.add(new EditorLog(redactor));
  const interaction = new ReplaceableInteraction(new EditorInteraction());
  const errors = new ErrorPresenter(interaction, log);
  const commands = new CommandRegistry(errors);
  const documents = owned.add(new ReadOnlyDocuments());
  const ports = nodePorts(context.asAbsolutePath('dist'));

  const sandbox = owned.add(new SandboxSource(ports));
  const models = new ModelSource(ports, new KeyRing(new EditorSecrets(context.secrets, redactor)), interaction, context.globalState);
  const checks = owned.add(new Checks(new CoreCheckEngine(ports, sandbox), log));
  owned.add(new Status(sandbox, checks.store));
  owned.add(registerSetupCommands({ commands, interaction, models, sandbox, ports, documents, log, checks, extension: context.extensionUri }));
  checks.checker.start();

  const activationMs = performance.now() - started;
  log.info(`Activated in ${activationMs.toFixed(1)} ms.`);
  return {
    activationMs,
    whenChecked: (uri, { probed }) => checks.whenChecked(uri, probed),
    onDidLog: log.onLine,
    ...(context.extensionMode === vscode.ExtensionMode.Test && { answer: (substitute) => interaction.replace(substitute) }),
  };
}

/** Makes something on first use, once; a failure is forgotten, so that the next use tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    const pending = (made ??= make());
    pending.catch(() => (made = undefined));
    return pending;
  };
}

function nodePorts(assets: string): NodePorts {
  return {
    clock: { now: () => Date.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    files: () => Promise.reject(new Error('joined when it lands')),
    parser: once(async () => (await import('./node/checks/parser')).createPythonParser(assets)),
    sandbox: () => Promise.reject(new Error('joined when it lands')),
    endpointModel: async (setup) => (await import('./node/models/openaiClient')).createModelClient(setup),
    offlineModel: () => Promise.reject(new Error('joined when it lands')),
    testConnection: async (setup, signal) => (await import('./node/models/connection')).testConnection(setup, signal),
  };
}
