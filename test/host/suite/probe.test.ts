import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { envwright, eventually, open, sample, shown, shownIds } from './api';

suite('probing', () => {
  test('an opened sample is run, and what only a run can tell is shown on its line', async () => {
    const api = await envwright();
    const uri = sample('environments/faulty_mood_ring_env.py');
    await open(uri);
    const report = await api.whenChecked(uri, { probed: true });
    assert.strictEqual(report.verdict, 'reject', JSON.stringify(report.findings.map(({ id }) => id)));
    const probed = report.findings.filter(({ stage }) => stage === 'probe');
    assert.ok(probed.length > 0, JSON.stringify(report.findings));
    for (const { id } of probed) assert.ok(shownIds(uri).includes(id), id);
  });

  test('what a run found stays on its line while other lines are edited, marked as of before the edit', async () => {
    const api = await envwright();
    const uri = sample('environments/faulty_mood_ring_env.py');
    const document = await open(uri);
    const report = await api.whenChecked(uri, { probed: true });
    const found = report.findings.find(({ stage }) => stage === 'probe');
    assert.ok(found);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# one more line\n');
    await vscode.workspace.applyEdit(edit);
    const moved = await eventually('the finding moves', () =>
      shown(uri).find(({ id, diagnostic }) => id === found.id && diagnostic.range.start.line === found.line));
    assert.match(moved.diagnostic.message, /before it was edited/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.strictEqual(document.isDirty, false);
  });
});
