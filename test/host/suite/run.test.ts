import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { envwright, eventually, freshRun, sample } from './api';

suite('a linked run', () => {
  test('a folder that is no run is refused with the next step, and nothing is linked', async () => {
    const api = await envwright();
    const before: unknown = vscode.workspace.getConfiguration('envwright').get('run.folder');
    const notices: string[] = [];
    const asked: string[] = [];
    const answering = api.answer?.({
      notice: ({ message }) => (notices.push(message), Promise.resolve(undefined)), confirm: ({ message }) => (asked.push(message), Promise.resolve(false)),
    });
    assert.strictEqual(await vscode.commands.executeCommand('envwright.linkRun', sample('corpus')), undefined);
    assert.match(asked.join(), /a run that has not started/);
    await eventually('the refusal is shown', () => notices.some((notice) => notice.includes('is no run')));
    assert.strictEqual(vscode.workspace.getConfiguration('envwright').get('run.folder'), before);
    answering?.dispose();
  });

  test('the sample run is linked, and its memory is read', async () => {
    const api = await envwright();
    const run = await freshRun();
    const dir = await vscode.commands.executeCommand<string>('envwright.linkRun', run);
    assert.strictEqual(dir, run.fsPath);
    const rows = await api.memoryRows();
    assert.strictEqual(rows.length, 22);
    assert.ok(rows.some(({ standing }) => standing.poolRank === 1));
  });
});
