import * as assert from 'node:assert';
import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import type { EnvwrightApi } from '../../../src/vscode/api';
import { envwright, eventually, freshRun, open, sample } from './api';

/** Answers the design's lists by label, in order. */
function choosing(api: EnvwrightApi, labels: readonly string[]): { dispose(): void } {
  const left = [...labels];
  assert.ok(api.answer);
  return api.answer({
    pick: (request) => {
      const wanted = left.shift();
      for (const choice of request.choices) if ('value' in choice && choice.label === wanted) return Promise.resolve(choice.value);
      assert.fail(`No “${wanted}” in ${request.title}: ${request.choices.map((choice) => ('label' in choice ? choice.label : '')).join(', ')}`);
    },
  });
}

suite('the path of an environment', () => {
  test('a design streams into an untitled editor and is kept as a draft', async () => {
    const api = await envwright();
    const answering = choosing(api, ['Mathematical Reasoning', 'Single turn', 'medium', 'No document']);
    const kept = await vscode.commands.executeCommand<{ uri: string } | undefined>('envwright.design');
    answering.dispose();
    assert.ok(kept, 'a draft');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(kept.uri));
    assert.strictEqual(document.isUntitled, true);
    assert.match(document.getText(), /class \w+Env\b/);
    assert.match(document.getText(), /def step\(/);
  });

  test('the prompt is shown with the examples that the linked memory would give', async () => {
    await envwright();
    await vscode.commands.executeCommand('envwright.linkRun', await freshRun());
    const text = await vscode.commands.executeCommand<string>('envwright.showPrompt');
    assert.match(text, /· memory · example 1/);
    await eventually('the panel of the prompt', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('envwright.promptView');
    });
  });

  test('a hint is written and shown for editing', async () => {
    const api = await envwright();
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    assert.ok(api.answer);
    let shown = '';
    const answering = api.answer({ input: ({ value = '' }) => ((shown = value), Promise.resolve(`${value} Read twice.`)) });
    const hint = await vscode.commands.executeCommand<string>('envwright.writeHint', uri);
    answering.dispose();
    assert.ok(shown.length > 20, shown);
    assert.strictEqual(hint, `${shown} Read twice.`);
  });

  test('the simulated learner plays both arms on the same seeds, says so, and the push reaches the file', async () => {
    const api = await envwright();
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    const run = await freshRun();
    await vscode.commands.executeCommand('envwright.linkRun', run);
    await vscode.commands.executeCommand('envwright.play', uri);
    const report = await api.play(uri);
    assert.strictEqual(report.simulated, true);
    assert.deepStrictEqual(report.arms.noHint.episodes.map(({ seed }) => seed), report.arms.hint?.episodes.map(({ seed }) => seed));
    assert.ok(report.paired);

    const before = await api.memoryRows();
    const details: string[] = [];
    const answering = api.answer?.({
      pick: ({ choices }) => Promise.resolve(choices.flatMap((choice) => ('value' in choice && choice.label === 'Mathematical Reasoning' ? [choice.value] : []))[0]),
      review: async (push) => {
        const { push: button, sentence, checks } = push.state();
        details.push(button, sentence.strong.template, ...checks.flatMap(({ texts }) => texts.map(({ template }) => template)));
        await push.push();
      },
      input: () => Promise.resolve('to see the whole path'),
    });
    const outcome = await vscode.commands.executeCommand<{ state: string } | undefined>('envwright.push', uri);
    answering?.dispose();
    assert.strictEqual(outcome?.state, 'written');
    assert.match(details.join('\n'), /plays in which no model took part/);
    assert.ok(details.includes('anyway'), details.join('\n'));

    const written: unknown = JSON.parse(await fs.readFile(vscode.Uri.joinPath(run, 'spade_games_cache', 'env_memory.json').fsPath, 'utf8'));
    assert.ok(Array.isArray(written));
    const last = written.at(-1) as Record<string, unknown>;
    assert.strictEqual(written.length, before.length + 1);
    assert.deepStrictEqual(Object.keys(last), ['game_file', 'skill', 'code_snippet', 'actor_win_rate', 'regret', 'rollout_id', 'metadata']);
    assert.strictEqual(last.game_file, uri.fsPath);
    assert.strictEqual(last.actor_win_rate, report.arms.noHint.winRate);
    await eventually('the view holds the record', async () => (await api.memoryRows()).at(-1)?.entry.gameFile === uri.fsPath);
  });

  test('a torn memory is refused with its line, and stays as it is', async () => {
    const api = await envwright();
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    const run = await freshRun();
    await vscode.commands.executeCommand('envwright.linkRun', run);
    await api.play(uri);
    const path = vscode.Uri.joinPath(run, 'spade_games_cache', 'env_memory.json').fsPath;
    const whole = await fs.readFile(path, 'utf8');
    const torn = whole.slice(0, whole.length - 200);
    await fs.writeFile(path, torn);
    const notices: string[] = [];
    const answering = api.answer?.({
      notice: ({ message }) => (notices.push(message), Promise.resolve(undefined)),
      pick: ({ choices }) => Promise.resolve(choices.flatMap((choice) => ('value' in choice && choice.label === 'Mathematical Reasoning' ? [choice.value] : []))[0]),
      review: () => assert.fail('nothing is shown of a memory that cannot be read'),
      input: () => Promise.resolve('a reason'),
    });
    assert.strictEqual(await vscode.commands.executeCommand('envwright.push', uri), undefined);
    await eventually('the refusal is shown', () => notices.some((notice) => /torn/.test(notice)));
    answering?.dispose();
    assert.strictEqual(await fs.readFile(path, 'utf8'), torn);
    await fs.writeFile(path, whole);
  });
});
