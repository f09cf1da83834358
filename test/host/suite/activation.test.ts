import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { commands } from '../../../src/shared/contributions';
import { envwright } from './api';

suite('activation', () => {
  test('takes less than 300 ms of the extension host', async () => {
    const { activationMs } = await envwright();
    console.log(`activation: ${activationMs.toFixed(1)} ms`);
    assert.ok(activationMs < 300, `${activationMs} ms`);
  });

  test('registers every declared command', async () => {
    await envwright();
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.keys(commands).filter((name) => !registered.has(`envwright.${name}`));
    assert.deepStrictEqual(missing, []);
  });
});
