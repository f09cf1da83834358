import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { envwright, eventually, open, sample, shown, shownIds } from './api';

suite('checking', () => {
  test('a sound sample is recognised: lenses stand above its class', async () => {
    const api = await envwright();
    const uri = sample('environments/clock_angle_env.py');
    const document = await open(uri);
    await api.whenChecked(uri, { probed: false });
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const titles = lenses.map(({ command }) => command?.title);
    for (const title of ['Check', 'Play', 'Hint', 'Push']) assert.ok(titles.includes(title), `${title} in ${titles.join(', ')}`);
    const line = document.lineAt(lenses[0]?.range.start.line ?? 0).text;
    assert.match(line, /^class \w+Env\b/);
  });

  test('a finding shows while typing, its fix applies, and the finding is gone', async () => {
    const api = await envwright();
    const text = [
      'class TinyEnv:', '    def __init__(self, max_turns=3):', '        self.max_turns = max_turns', '',
      '    def reset(self, seed=None):', '        return "Say yes.", {}', '',
      '    def step(self, action):', '        return "done", 1.0, True, {}', '',
      '    def solution(self):', '        return "yes"', '',
    ].join('\n');
    const document = await vscode.workspace.openTextDocument({ language: 'python', content: text });
    await vscode.window.showTextDocument(document);
    await api.whenChecked(document.uri, { probed: false });
    await eventually('the four-value step is reported', () => shownIds(document.uri).includes('bad-return-shape'));
    const diagnostic = shown(document.uri).find(({ id }) => id === 'bad-return-shape')?.diagnostic;
    assert.ok(diagnostic);
    assert.strictEqual(diagnostic.range.start.line, 8);
    assert.ok(typeof diagnostic.code === 'object');
    await vscode.workspace.fs.stat(diagnostic.code.target);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, diagnostic.range);
    const fix = actions.find(({ edit, isPreferred }) => edit && isPreferred);
    assert.ok(fix?.edit, `a fix among ${actions.map(({ title }) => title).join(', ')}`);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await eventually('the finding is gone', () => !shownIds(document.uri).includes('bad-return-shape'));
  });

  test('an ordinary Python file and an empty one get no findings', async () => {
    for (const content of ['', 'import os\n\nclass Kettle:\n    def boil(self):\n        return os.name\n']) {
      const document = await vscode.workspace.openTextDocument({ language: 'python', content });
      await vscode.window.showTextDocument(document);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepStrictEqual(shownIds(document.uri), []);
    }
  });
});
