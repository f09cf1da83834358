import * as vscode from 'vscode';
import { DisposableStore } from './core/lifecycle';
import { KeyRing } from './core/models/keys';
import { Redactor } from './core/redaction';
import type { EnvwrightApi } from './vscode/api';
import { CheckPages } from './vscode/checks/checkPages';
import { CoreCheckEngine } from './vscode/checks/coreCheckEngine';
import { registerCheckCommands } from './vscode/checks/commands';
import { UserDecisions } from './vscode/checks/decisions';
import { Checks } from './vscode/checks/feature';
import { Replays } from './vscode/checks/replays';
import { CommandRegistry } from './vscode/commands/register';
import { registerSetupCommands } from './vscode/commands/setup';
import { ReadOnlyDocuments } from './vscode/documents';
import { EditorInteraction, ReplaceableInteraction } from './vscode/interaction';
import { EditorLog } from './vscode/log';
import { ModelSource } from './vscode/models/modelSource';
import { EditorSecrets } from './vscode/models/secretStore';
import type { NodePorts } from './vscode/nodePorts';
import { Drafts } from './vscode/design/drafts';
import { Corpora } from './vscode/design/corpora';
import { registerDesign } from './vscode/design/feature';
import { GroundingSource } from './vscode/design/groundingSource';
import { writeHintFor } from './vscode/design/hintCommand';
import { HintFiles } from './vscode/design/hintFiles';
import { OpinionMarks } from './vscode/design/opinionMarks';
import { Play } from './vscode/play/feature';
import { Hints } from './vscode/play/hints';
import { PlayResults } from './vscode/play/playResults';
import { ErrorPresenter } from './vscode/presentError';
import { ReviewFeature } from './vscode/review/feature';
import { LinkedRun } from './vscode/run/linkedRun';
import { RunFeature } from './vscode/run/feature';
import { SandboxSource } from './vscode/sandboxSource';
import { Status } from './vscode/status';
import { CheckTests } from './vscode/tests/feature';
import { EnvironmentsTree } from './vscode/trees/environmentsTree';

/** Joins core, Node and the editor. Nothing heavy is loaded here: each part is imported when it is first used. */
export function activate(context: vscode.ExtensionContext): EnvwrightApi {
  const started = performance.now();
  const owned = new DisposableStore();
  context.subscriptions.push(owned);

  const redactor = new Redactor();
  const log = owned.add(new EditorLog(redactor));
  const interaction = new ReplaceableInteraction(new EditorInteraction((push) => runs.pushPanels.show(push)));
  const errors = new ErrorPresenter(interaction, log);
  const commands = new CommandRegistry(errors);
  const documents = owned.add(new ReadOnlyDocuments());
  const ports = nodePorts(context);
  const { clock } = ports;
  const { extensionUri: extension } = context;

  const sandbox = owned.add(new SandboxSource(ports, log));
  const models = new ModelSource(ports, new KeyRing(new EditorSecrets(context.secrets, redactor)), interaction, context.globalState);
  const engine = owned.add(new CoreCheckEngine(ports, sandbox));
  const pages = new CheckPages(extension);
  const decisions = owned.add(new UserDecisions(ports, (error) => errors.present(error)));
  const checks = owned.add(new Checks(engine, decisions, log, pages, context.workspaceState, String((context.extension.packageJSON as { version: unknown }).version)));
  const replays = owned.add(new Replays(ports, sandbox, log));
  const tests = owned.add(new CheckTests(checks, replays, log));
  const run = owned.add(new LinkedRun(ports, context.globalStorageUri, (error) => log.error('Following the run met a defect.', error)));
  const hints = owned.add(new Hints());
  const results = owned.add(new PlayResults());
  const drafts = owned.add(new Drafts({ files: () => ports.files(), folder: vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'drafts').fsPath, log }));
  const marks = owned.add(new OpinionMarks(checks.store, pages, decisions));
  const hintFiles = owned.add(new HintFiles(hints, run, context.workspaceState, log));
  const hintParts = { ports, clock, engine, models, hints, interaction, files: hintFiles, drafts, sandbox, marks };
  const writeHint = (document: vscode.TextDocument) => writeHintFor(document, hintParts);
  const play = owned.add(new Play(commands, { sandbox, models, store: checks.store, results, hints, errors, log, clock, writeHint, extension, documents, interaction, ports, run }));
  const { targets } = play;
  const environments = owned.add(new EnvironmentsTree(checks, play.sessions));
  owned.add(new Status(sandbox, checks.store));
  owned.add(registerSetupCommands({ commands, targets, interaction, models, sandbox, ports, documents, log, checks, environments, extension }));
  owned.add(registerCheckCommands({ commands, targets, checks, decisions, replays, tests, play, pages, interaction, marks }));
  const runs = owned.add(new RunFeature({ run, ports, commands, targets, checks, results, drafts, marks, documents, interaction, log, extension }));
  const { prompts, tree } = owned.add(registerDesign(commands, targets, { ...hintParts, checks, run, documents, grounding: new GroundingSource(owned.add(new Corpora(ports, documents))), extension, log, errors }));
  const review = owned.add(new ReviewFeature({ ports, sandbox, commands, targets, interaction, documents, run, drafts, checks, play, results, memento: context.workspaceState, extension, hints, errors, log }));
  checks.checker.start();

  const activationMs = performance.now() - started;
  log.info(`Activated in ${activationMs.toFixed(1)} ms.`);
  return {
    activationMs,
    whenChecked: (uri, { probed }) => checks.whenChecked(uri, probed),
    play: (uri, settings) => play.players.of(uri).playToEnd(settings),
    memoryRows: () => runs.memory.rows(),
    onDidLog: log.onLine,
    ...(context.extensionMode === vscode.ExtensionMode.Test && { runs, tests, review, player: (uri) => play.players.of(uri), restorePlayer: (panel, state) => play.restore(panel, state), restorePrompt: (panel, state) => prompts.deserializeWebviewPanel(panel, state), drafts: tree, marked: (uri) => play.lines.marked(uri), answer: (substitute) => interaction.replace(substitute) }),
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

function nodePorts(context: vscode.ExtensionContext): NodePorts {
  const assetsDir = context.asAbsolutePath('dist');
  const media = context.asAbsolutePath('media');
  const clock: NodePorts['clock'] = { now: () => Date.now(), sleep: async (ms, signal) => (await import('node:timers/promises')).setTimeout(ms, undefined, signal && { signal }) };
  const files = once(async () => new (await import('./node/files/nodeFileStore')).NodeFileStore());
  return {
    clock,
    files,
    launchSources: once(async () => (await import('./node/run/nodeLaunchSources')).nodeLaunchSources(await files(), clock)),
    parser: once(async () => (await import('./node/checks/parser')).createPythonParser(assetsDir)),
    staticChecks: once(async () =>
      (await import('./node/checks/staticChecker')).StaticChecker.start({ assetsDir, workerScript: context.asAbsolutePath('dist/workers/static.worker.js') })),
    fullChecks: once(async () => new (await import('./node/checks/checkThread')).CheckThread({ assetsDir, workerScript: context.asAbsolutePath('dist/workers/check.worker.js') })),
    novelty: once(async () => new (await import('./node/review/noveltyThread')).NoveltyThread({ assetsDir, workerScript: context.asAbsolutePath('dist/workers/novelty.worker.js') })),
    templates: async () => {
      const { promptFiles } = await import('./node/design/promptFiles');
      const root = vscode.workspace.isTrusted ? vscode.workspace.workspaceFolders?.[0] : undefined;
      return promptFiles(media, root && vscode.Uri.joinPath(root.uri, '.envwright', 'prompts').fsPath);
    },
    sandbox: async ({ pythonPath: setting, editorPython: editorChoice, folders, ...setup }) => {
      const { createSandboxProvider } = await import('./node/sandbox/provider');
      const { findInterpreter } = await import('./node/python/interpreter');
      const interpreter = (signal?: AbortSignal) => findInterpreter({ setting, editorChoice, folders, trusted: vscode.workspace.isTrusted }, signal);
      return createSandboxProvider({ ...setup, assetsDir, interpreter });
    },
    installWheels: async ({ pythonPath: setting, editorPython: editorChoice, folders }, report, signal) => {
      const [{ installEmbeddedWheels }, { findInterpreter }, { defaultCacheDir }] = await Promise.all([
        import('./node/sandbox/pyodide/wheels'), import('./node/python/interpreter'), import('./node/sandbox/cacheDir'),
      ]);
      const found = await findInterpreter({ setting, editorChoice, folders, trusted: vscode.workspace.isTrusted }, signal).catch(() => null);
      await installEmbeddedWheels({ cacheDir: defaultCacheDir(), python: found?.path ?? null, onProgress: report }, signal);
    },
    endpointModel: async (setup) => (await import('./node/models/openaiClient')).createModelClient(setup),
    offlineModel: once(async () => {
      const { offlineSamples } = await import('./core/design/offlineSamples');
      const { readSamples } = await import('./node/design/sampleFiles');
      return offlineSamples(once(() => readSamples(media)), clock);
    }),
    corpus: async (path) => new (await import('./node/design/corpusThread')).CorpusThread(path, context.asAbsolutePath('dist/workers/corpus.worker.js')),
    countTokens: async (setup, text, signal) => (await import('./node/models/tokenize')).countTokens(setup, text, signal),
    contextOf: async (setup, signal) => (await import('./node/models/connection')).contextOf(setup, signal),
    listModels: async (setup, signal) => (await import('./node/models/connection')).listModels(setup, signal),
    testConnection: async (...asked) => (await import('./node/models/connection')).testConnection(...asked),
  };
}
