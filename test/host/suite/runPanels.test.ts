import * as assert from 'node:assert';
import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { MEMORY_VIEW_TYPE, PUSH_VIEW_TYPE } from '../../../src/shared/contributions';
import type { EnvwrightApi } from '../../../src/vscode/api';
import { envwright, eventually, freshRun, open, sample } from './api';

type Runs = NonNullable<EnvwrightApi['runs']>;

/** Tabs of one kind of panel; the editor puts a prefix of its own before the kind. */
function tabs(viewType: string): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType));
}

async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await eventually('no panel is open', () => tabs(MEMORY_VIEW_TYPE).length + tabs(PUSH_VIEW_TYPE).length === 0);
}

/** Begins a push of the sample's environment in its panel, with figures by hand; everything but the panel is answered. */
async function beginPush(api: EnvwrightApi, runs: Runs): Promise<{ readonly outcome: PromiseLike<unknown>; readonly end: () => void }> {
  // Plays of the sample's own text, by whatever test came before, would give the figures.
  const uri = sample('by-hand/clock_angle_env.py');
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
  await fs.writeFile(uri.fsPath, `# Nobody has played this text.\n${await fs.readFile(sample('environments/clock_angle_env.py').fsPath, 'utf8')}`);
  await open(uri);
  const inputs = ['0.5', '0.3', 'from notes of last week'];
  assert.ok(api.answer);
  const answering = api.answer({
    pick: ({ choices }) => {
      const values = choices.flatMap((choice) => ('value' in choice ? [choice] : []));
      return Promise.resolve((values.find(({ value }) => value === 'hand' || value === 'Mathematical Reasoning') ?? values[0])?.value);
    },
    input: () => Promise.resolve(inputs.shift() ?? 'to see it arrive'),
  });
  const outcome = vscode.commands.executeCommand('envwright.push', uri);
  await eventually('the panel of the push is open', () => runs.pushPanels.shown.size === 1, 60_000);
  await [...runs.pushPanels.shown][0]?.loaded;
  return { outcome, end: () => answering.dispose() };
}

suite('panels of a linked run', () => {
  let api: EnvwrightApi;
  let runs: Runs;
  let run: vscode.Uri;

  setup(async () => {
    api = await envwright();
    assert.ok(api.runs);
    runs = api.runs;
    await closeAll();
    run = await freshRun();
    await vscode.commands.executeCommand('envwright.linkRun', run);
  });

  teardown(closeAll);

  test('the memory view opens once, and its page asks for the records', async () => {
    await vscode.commands.executeCommand('envwright.openMemory');
    await eventually('its tab is there', () => tabs(MEMORY_VIEW_TYPE).length === 1);
    await runs.memoryPanels.shown?.loaded;
    await vscode.commands.executeCommand('envwright.openMemory');
    assert.strictEqual(tabs(MEMORY_VIEW_TYPE).length, 1);
  });

  test('the memory view comes back after a reload of the window', async () => {
    const panel = vscode.window.createWebviewPanel(MEMORY_VIEW_TYPE, 'Memory', vscode.ViewColumn.One);
    await runs.memoryPanels.deserializeWebviewPanel(panel);
    assert.strictEqual(runs.memoryPanels.shown?.panel, panel);
    await runs.memoryPanels.shown.loaded;
  });

  test('a push is looked at in its panel, made there, and undone', async () => {
    const { outcome, end } = await beginPush(api, runs);
    const [shown] = runs.pushPanels.shown;
    assert.ok(shown);
    const { phase, record, checks } = shown.review.state();
    assert.strictEqual(phase, 'preview');
    assert.deepStrictEqual(record.map(({ key }) => key), ['game_file', 'skill', 'code_snippet', 'actor_win_rate', 'regret', 'rollout_id', 'metadata']);
    assert.ok(checks.some(({ name }) => name.template === 'Figures by hand.'));
    assert.ok(checks.some(({ action }) => action?.id === 'launchFlags'), 'whether the run reads its memory is not known');
    await shown.review.push();
    assert.strictEqual(((await outcome) as { state: string }).state, 'written');
    const path = vscode.Uri.joinPath(run, 'spade_games_cache', 'env_memory.json').fsPath;
    const records = async () => JSON.parse(await fs.readFile(path, 'utf8')) as { metadata: { envwright?: { from: string; reason: string } } }[];
    const written = (await records()).at(-1)?.metadata.envwright;
    assert.strictEqual(written?.from, 'hand');
    assert.strictEqual(written.reason, 'from notes of last week');
    await shown.review.undo(null);
    assert.strictEqual((await records()).at(-1)?.metadata.envwright, undefined);
    await eventually('the panel says so', () => shown.review.state().line.some(({ status }) => status === 'failed'));
    end();
  });

  test('a push comes back after a reload, also when the page had kept what it was before the push', async () => {
    const { outcome, end } = await beginPush(api, runs);
    const [first] = runs.pushPanels.shown;
    const before = first!.review.state().kept;
    await first!.review.push();
    await outcome;
    const after = first!.review.state().kept;
    const another = { ...(before as Record<string, unknown>), id: 'not-made' };
    for (const [kept, phase] of [[after, 'pushed'], [before, 'pushed'], [another, 'preview']] as const) {
      await closeAll();
      await runs.pushPanels.deserializeWebviewPanel(vscode.window.createWebviewPanel(PUSH_VIEW_TYPE, 'Push', vscode.ViewColumn.One), JSON.parse(JSON.stringify(kept)));
      const [shown] = runs.pushPanels.shown;
      assert.ok(shown);
      await shown.loaded;
      assert.strictEqual(shown.review.state().phase, phase);
      assert.strictEqual(shown.review.state().undo !== null, phase === 'pushed');
    }
    end();
  });

  test('the editor marks where the run would cut a pushed file, and only there', async () => {
    const uri = sample('environments/invoice_desk_env.py');
    const document = await open(uri);
    await api.whenChecked(uri, { probed: false });
    const [mark, ...others] = await eventually('the mark is there', () => (runs.cutMarks.marksOf(document).length > 0 ? runs.cutMarks.marksOf(document) : undefined));
    assert.strictEqual(others.length, 0);
    assert.strictEqual([...document.getText(new vscode.Range(new vscode.Position(0, 0), mark!.range.start))].length, 2000);
    assert.match(mark?.renderOptions?.after?.contentText ?? '', /2,000 of \d,\d{3} characters/);
    const settings = vscode.workspace.getConfiguration('envwright');
    await settings.update('run.markCut', false, vscode.ConfigurationTarget.Workspace);
    assert.deepStrictEqual(runs.cutMarks.marksOf(document), []);
    await settings.update('run.markCut', undefined, vscode.ConfigurationTarget.Workspace);
  });

  test('what was kept of a push by another version, or of a file that is gone, is closed and said nothing of', async () => {
    const panel = vscode.window.createWebviewPanel(PUSH_VIEW_TYPE, 'Push', vscode.ViewColumn.One);
    await eventually('its tab is there', () => tabs(PUSH_VIEW_TYPE).length === 1);
    await runs.pushPanels.deserializeWebviewPanel(panel, { v: 0 });
    await eventually('it is closed', () => tabs(PUSH_VIEW_TYPE).length === 0);
  });
});
