import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { envwright, eventually, shown, shownIds } from './api';

suite('fixing all of a kind', () => {
  test('one action mends every finding of a check, and leaves the others', async () => {
    const api = await envwright();
    const content = [
      'class TwiceEnv:', '    def __init__(self, max_turns=3):', '        self.max_turns = max_turns', '',
      '    def reset(self, seed=None):', '        return "Say yes.", {}', '',
      '    def step(self, action):', '        if action == "yes":', '            return "done", 1.0, 1, False, {}', '        return "no", 0.0, 0, False, {}', '',
      '    def solution(self):', '        return "yes"', '',
    ].join('\n');
    const document = await vscode.workspace.openTextDocument({ language: 'python', content });
    await vscode.window.showTextDocument(document);
    await api.whenChecked(document.uri, { probed: false });
    const found = await eventually('both are found', () => {
      const two = shown(document.uri).filter(({ id }) => id === 'terminated-not-bool');
      return two.length === 2 && two;
    });
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, found[0]!.diagnostic.range);
    const all = actions.find(({ title }) => title === 'Fix all 2 “terminated-not-bool” findings');
    assert.ok(all?.edit, actions.map(({ title }) => title).join(' | '));
    assert.ok(await vscode.workspace.applyEdit(all.edit));
    await eventually('both are gone', () => !shownIds(document.uri).includes('terminated-not-bool'));
    assert.match(document.getText(), /return "done", 1\.0, True, False/);
    assert.match(document.getText(), /return "no", 0\.0, False, False/);
  });
});
