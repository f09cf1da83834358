import * as assert from 'node:assert';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { configured, envwright, eventually, open, sample } from './api';

const KEY = 'wrong-key-0123456789';

/** A server that refuses every key; remembers what it was sent. */
async function refusingServer(): Promise<{ endpoint: string; keys: string[]; close(): void }> {
  const keys: string[] = [];
  const server = http.createServer((request, response) => {
    keys.push(request.headers.authorization ?? 'none');
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'invalid api key' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys, close: () => server.close() };
}

suite('bad input', () => {
  let undo: () => Promise<void> = () => Promise.resolve();
  let notices: string[] = [];
  let answering: { dispose(): void } | undefined;

  setup(async () => {
    const api = await envwright();
    notices = [];
    answering = api.answer?.({ notice: ({ message, actions }) => (notices.push([message, ...actions].join(' | ')), Promise.resolve(undefined)) });
  });

  teardown(async () => {
    answering?.dispose();
    await undo();
    undo = () => Promise.resolve();
  });

  const told = (pattern: RegExp) => eventually(`a notice like ${pattern}`, () => notices.find((notice) => pattern.test(notice)));

  test('no endpoint: says so, and offers the settings or the connection test', async () => {
    undo = await configured({ 'model.provider': 'openai-compatible', 'model.endpoint': '', 'model.name': 'some-model' });
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    assert.strictEqual(await vscode.commands.executeCommand('envwright.writeHint', uri), undefined);
    await told(/No endpoint is set/);
  });

  test('a wrong key: says so, offers to set it again, and never logs it; another origin asks for a key of its own', async () => {
    const api = await envwright();
    const first = await refusingServer();
    const second = await refusingServer();
    const logged: string[] = [];
    const asked: string[] = [];
    const listening = api.onDidLog(({ text }) => logged.push(text));
    const typing = api.answer?.({ input: ({ title, password }) => (asked.push(title), Promise.resolve(password ? `${KEY}-${asked.length}` : undefined)) });
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);

    undo = await configured({ 'model.provider': 'openai-compatible', 'model.endpoint': first.endpoint, 'model.name': 'some-model' });
    await vscode.commands.executeCommand('envwright.writeHint', uri);
    await told(/refused the key.*Set API Key/);
    await vscode.commands.executeCommand('envwright.writeHint', uri);
    assert.deepStrictEqual([...new Set(first.keys)], [`Bearer ${KEY}-1`]);
    assert.strictEqual(asked.length, 1, 'a known origin is not asked for again');

    await configured({ 'model.endpoint': second.endpoint });
    await vscode.commands.executeCommand('envwright.writeHint', uri);
    assert.strictEqual(asked.length, 2, 'a new origin asks');
    assert.deepStrictEqual([...new Set(second.keys)], [`Bearer ${KEY}-2`]);
    assert.ok(logged.length > 0);
    assert.ok(!logged.join('\n').includes(KEY), 'the key is in the log');

    const sure = api.answer?.({ confirm: () => Promise.resolve(true) });
    await vscode.commands.executeCommand('envwright.forgetApiKey');
    await configured({ 'model.endpoint': first.endpoint });
    await vscode.commands.executeCommand('envwright.forgetApiKey');
    for (const item of [listening, typing, sure]) item?.dispose();
    first.close();
    second.close();
  });

  test('no Python: the verdict is cannot-run, every probe is listed as not made, and nothing plays', async () => {
    const api = await envwright();
    undo = await configured({ 'sandbox.backend': 'native', 'sandbox.pythonPath': '/nowhere/python3' });
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    const report = await vscode.commands.executeCommand<{ verdict: string; notChecked: readonly { id: string }[] }>('envwright.checkFile', uri);
    assert.strictEqual(report.verdict, 'cannot-run');
    assert.ok(report.notChecked.some(({ id }) => id === 'solution-does-not-win'));
    await told(/Cannot run: not judged/);
    await assert.rejects(api.play(uri), /\/nowhere\/python3|interpreter|sandbox/i);
  });

  test('an empty file: checked, it is no environment; a hint is refused', async () => {
    const uri = sample('empty.py');
    await vscode.workspace.fs.writeFile(uri, new Uint8Array());
    await open(uri);
    const report = await vscode.commands.executeCommand<{ verdict: string; findings: readonly { id: string }[] }>('envwright.checkFile', uri);
    assert.strictEqual(report.verdict, 'reject');
    assert.deepStrictEqual(report.findings.map(({ id }) => id), ['no-env-class']);
    await vscode.commands.executeCommand('envwright.writeHint', uri);
    await told(/The file is empty/);
  });

  test('no file in front: asks for an environment of the workspace, and opens the one that is chosen', async () => {
    const api = await envwright();
    assert.ok(api.answer);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const dismissing = api.answer({ pick: () => Promise.resolve(undefined) });
    assert.strictEqual(await vscode.commands.executeCommand('envwright.checkFile'), undefined);
    dismissing.dispose();
    const choosing = api.answer({
      pick: ({ choices }) => {
        for (const choice of choices) if ('value' in choice && choice.label === 'clock_angle_env.py') return Promise.resolve(choice.value);
        assert.fail('the environment is not offered');
      },
    });
    const report = await vscode.commands.executeCommand<{ class: string | null }>('envwright.checkFile');
    choosing.dispose();
    assert.strictEqual(report.class, 'ClockAngleEnv');
    assert.ok(vscode.window.activeTextEditor?.document.uri.path.endsWith('clock_angle_env.py'));
  });

  test('a push without a linked run: says so, and offers to link one', async () => {
    await vscode.commands.executeCommand('envwright.unlinkRun');
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    await vscode.commands.executeCommand('envwright.push', uri);
    await told(/No training run is linked.*Link Run Folder/);
  });
});
