import * as assert from 'node:assert';
import * as vscode from 'vscode';
import type { CheckTests } from '../../../src/vscode/tests/feature';
import type { PlayReport } from '../../../src/shared/play';
import { envwright, eventually, open, sample } from './api';

const FILE = 'environments/faulty_pipe_share_env.py';

interface Seen {
  readonly state: string;
  readonly messages: readonly vscode.TestMessage[];
}

/** Notes what a run says, beside showing it. */
function listen(tests: CheckTests): { seen: Map<string, Seen>; output: string[]; dispose(): void } {
  const seen = new Map<string, Seen>();
  const output: string[] = [];
  const { controller } = tests;
  const create = controller.createTestRun.bind(controller);
  controller.createTestRun = (...args) => {
    const run = create(...args);
    const note = (state: string) => (item: vscode.TestItem, messages: vscode.TestMessage | readonly vscode.TestMessage[] | number = []) => {
      seen.set(item.id, { state, messages: typeof messages === 'number' ? [] : [messages].flat() });
    };
    const [passed, failed, skipped, errored] = [note('passed'), note('failed'), note('skipped'), note('errored')];
    return {
      ...run, token: run.token, name: run.name, isPersisted: run.isPersisted, onDidDispose: run.onDidDispose,
      enqueued: (item) => run.enqueued(item), started: (item) => run.started(item), end: () => run.end(), addCoverage: (coverage) => run.addCoverage(coverage),
      passed: (item, ms) => (passed(item, ms), run.passed(item, ms)),
      failed: (item, messages, ms) => (failed(item, messages), run.failed(item, messages, ms)),
      skipped: (item) => (skipped(item), run.skipped(item)),
      errored: (item, messages, ms) => (errored(item, messages), run.errored(item, messages, ms)),
      appendOutput: (text, location, item) => (output.push(text), run.appendOutput(text, location, item)),
    };
  };
  return { seen, output, dispose: () => (controller.createTestRun = create) };
}

async function testsOf(): Promise<CheckTests> {
  const { tests } = await envwright();
  assert.ok(tests);
  return tests;
}

async function fileItem(tests: CheckTests, uri: vscode.Uri): Promise<vscode.TestItem> {
  await tests.controller.resolveHandler?.(undefined);
  const item = tests.controller.items.get(uri.toString());
  assert.ok(item, [...tests.controller.items].map(([id]) => id).join(', '));
  return item;
}

suite('the test view', () => {
  let listening: ReturnType<typeof listen> | undefined;

  teardown(async () => {
    listening?.dispose();
    await vscode.workspace.fs.delete(sample('.envwright/replays'), { recursive: true }).then(undefined, () => undefined);
  });

  test('a file has its families and checks; a run gives failures with expected and actual, and skips with the reason', async () => {
    const tests = await testsOf();
    const uri = sample(FILE);
    const file = await fileItem(tests, uri);
    const families = [...file.children].map(([, family]) => family.label);
    assert.ok(families.includes('Solvability'), families.join(', '));
    listening = listen(tests);
    await tests.start(new vscode.TestRunRequest([file]), new vscode.CancellationTokenSource().token);
    const of = (id: string) => listening?.seen.get(`${uri.toString()}#check:${id}`);
    const failure = of('solution-does-not-win');
    assert.strictEqual(failure?.state, 'failed');
    const [first] = failure.messages;
    assert.match(first?.expectedOutput ?? '', /reward above 0/);
    assert.match(first?.actualOutput ?? '', /reward 0/);
    assert.strictEqual(first?.location?.uri.toString(), uri.toString());
    assert.strictEqual(first?.contextValue, 'envwright.replayable');
    assert.strictEqual(of('reset-ignores-seed')?.state, 'passed');
    assert.strictEqual(of('tool-schema-mismatch')?.state, 'skipped');
    assert.ok(listening.output.some((line) => line.startsWith('tool-schema-mismatch: Does not apply')), listening.output.join(''));
    assert.strictEqual(of('screen-rejects'), undefined, 'opinions of a model are no tests');
  });

  test('files stand in the order of their names, and a draft that was never saved leaves with its editor', async () => {
    const tests = await testsOf();
    const file = await fileItem(tests, sample(FILE));
    assert.strictEqual(file.sortText, file.label);
    const draft = await vscode.workspace.openTextDocument({ language: 'python', content: (await vscode.workspace.openTextDocument(sample(FILE))).getText() });
    await vscode.window.showTextDocument(draft);
    await eventually('the draft is in the view', () => tests.controller.items.get(draft.uri.toString()));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await eventually('the draft is gone', () => tests.controller.items.get(draft.uri.toString()) === undefined);
  });

  test('one check is run alone, and its counterexample plays in the player', async () => {
    const tests = await testsOf();
    const uri = sample(FILE);
    const file = await fileItem(tests, uri);
    const items = [...file.children].flatMap(([, family]) => [...family.children].map(([, item]) => item));
    const check = items.find(({ id }) => id.endsWith('#check:solution-does-not-win'));
    assert.ok(check);
    listening = listen(tests);
    await tests.start(new vscode.TestRunRequest([check]), new vscode.CancellationTokenSource().token);
    assert.deepStrictEqual([...listening.seen.keys()], [check.id]);
    const report = await vscode.commands.executeCommand<PlayReport>('envwright.replayCounterexample', check);
    assert.strictEqual(report.policy, 'script');
    assert.deepStrictEqual(report.arms.noHint.episodes.map(({ seed }) => seed), [0]);
    assert.match(report.arms.noHint.episodes[0]?.steps[0]?.reply ?? '', /^\\boxed\{\\frac\{1326\}\{77\}\}$/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('a continuous run follows what is saved', async () => {
    const api = await envwright();
    const tests = await testsOf();
    const uri = sample('environments/followed_env.py');
    await vscode.workspace.fs.copy(sample(FILE), uri, { overwrite: true });
    const document = await open(uri);
    await api.whenChecked(uri, { probed: true });
    const file = await eventually('the file is in the view', () => tests.controller.items.get(uri.toString()));
    assert.match(document.lineAt(file.range?.start.line ?? 0).text, /^class \w+Env\b/);
    listening = listen(tests);
    const stop = new vscode.CancellationTokenSource();
    const request = new vscode.TestRunRequest([file], undefined, undefined, true);
    await tests.start(request, stop.token);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(document.lineCount, 0), '\n# saved\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await eventually('the failure is reported', () => listening?.seen.get(`${uri.toString()}#check:solution-does-not-win`)?.state === 'failed');
    stop.cancel();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.workspace.fs.delete(uri);
  });

  test('a counterexample is kept, goes the same again, and changed when the file is mended', async () => {
    const api = await envwright();
    const tests = await testsOf();
    const uri = sample('environments/mended_env.py');
    await vscode.workspace.fs.copy(sample(FILE), uri, { overwrite: true });
    const document = await open(uri);
    const report = await api.whenChecked(uri, { probed: true });
    const finding = report.findings.find(({ id }) => id === 'solution-does-not-win');
    assert.ok(finding);
    const name = await vscode.commands.executeCommand<string>('envwright.keepReplay', { uri: uri.toString(), id: finding.id, line: finding.line, column: finding.column });
    const kept = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(sample(`.envwright/replays/${name}`)))) as Record<string, unknown>;
    assert.strictEqual(kept.schema, 1);
    assert.deepStrictEqual(kept.actions, finding.evidence?.actions);
    const item = await eventually('it shows in the view', () => tests.controller.items.get(uri.toString())?.children.get(`${uri.toString()}#replays`)?.children.get(`${uri.toString()}#replay:${name}`));

    listening = listen(tests);
    await tests.start(new vscode.TestRunRequest([item]), new vscode.CancellationTokenSource().token);
    assert.strictEqual(listening.seen.get(item.id)?.state, 'failed');
    assert.strictEqual(item.description, 'same as recorded');
    assert.match(item.label, / · 1 action$/);
    const shownAt = listening.seen.get(item.id)?.messages[0]?.location?.range?.start.line;
    assert.match(document.lineAt(shownAt ?? 0).text, /^class \w+Env\b/, 'where the class is');

    const text = document.getText();
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text.replace(/def step\(self, action\):/, 'def step(self, action):\n        return "done", 0.5, True, False, {}\n'));
    await vscode.workspace.applyEdit(edit);
    assert.notStrictEqual(document.getText(), text);
    await document.save();
    await eventually('the save replays it', () => listening?.seen.get(item.id)?.state === 'passed');
    assert.strictEqual(item.description, 'changed at step 1');
    await vscode.commands.executeCommand('envwright.removeReplay', item);
    await eventually('it is gone', () => tests.controller.items.get(uri.toString())?.children.get(`${uri.toString()}#replays`) === undefined);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.workspace.fs.delete(uri);
  });

  test('a file that is made on disk comes into the view, and one that is renamed takes what was kept of it along', async () => {
    const api = await envwright();
    const tests = await testsOf();
    await tests.controller.refreshHandler?.(new vscode.CancellationTokenSource().token);
    const [uri, renamed] = [sample('environments/made_env.py'), sample('environments/renamed_env.py')];
    const game = sample('environments/spade_games/made_env.py');
    await vscode.workspace.fs.copy(sample(FILE), game, { overwrite: true });
    await vscode.workspace.fs.copy(sample(FILE), uri, { overwrite: true });
    await eventually('it is in the view', () => tests.controller.items.get(uri.toString()));
    assert.strictEqual(tests.controller.items.get(game.toString()), undefined, 'a game of a run is not');
    await open(uri);
    const finding = (await api.whenChecked(uri, { probed: true })).findings.find(({ id }) => id === 'solution-does-not-win');
    assert.ok(finding);
    await vscode.commands.executeCommand('envwright.keepReplay', { uri: uri.toString(), id: finding.id, line: finding.line, column: finding.column });
    await eventually('it is kept', () => tests.controller.items.get(uri.toString())?.children.get(`${uri.toString()}#replays`));
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, renamed);
    assert.ok(await vscode.workspace.applyEdit(edit));
    const replays = await eventually('it has gone along', () => tests.controller.items.get(renamed.toString())?.children.get(`${renamed.toString()}#replays`));
    assert.strictEqual(replays.children.size, 1);
    await eventually('the old name is gone', () => tests.controller.items.get(uri.toString()) === undefined);
    await vscode.commands.executeCommand('envwright.removeReplay', [...replays.children][0]?.[1]);
    await eventually('it is removed by its new name', () => tests.controller.items.get(renamed.toString())?.children.get(`${renamed.toString()}#replays`) === undefined);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.workspace.fs.delete(renamed);
    await vscode.workspace.fs.delete(sample('environments/spade_games'), { recursive: true });
  });
});
