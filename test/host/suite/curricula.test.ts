import * as assert from 'node:assert';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Curriculum } from '../../../src/core/review/curriculum';
import type { EnvwrightApi } from '../../../src/vscode/api';
import type { TreeNode } from '../../../src/vscode/trees/nodeTree';
import { envwright, eventually, freshRun, open, sample } from './api';

const run = <T>(command: string, ...args: unknown[]) => vscode.commands.executeCommand<T>(`envwright.${command}`, ...args);

suite('curricula', () => {
  let api: EnvwrightApi;
  const answering: { dispose(): void }[] = [];
  const name = 'first steps';
  let picks: string[] = [];
  let folder: vscode.Uri;
  let file: vscode.Uri | undefined;

  const get = async (of = name): Promise<Curriculum> => {
    const found = (await api.review!.sets.load()).all.find((one) => one.name === of);
    assert.ok(found, `a curriculum ${of}`);
    return found;
  };

  suiteSetup(async () => {
    api = await envwright();
    assert.ok(api.answer && api.review);
    folder = sample('exported');
    await vscode.workspace.fs.createDirectory(folder);
    answering.push(api.answer({
      input: () => Promise.resolve(name),
      pick: ({ title, choices }) => {
        const wanted = picks.shift();
        for (const choice of choices) if ('value' in choice && choice.label === wanted) return Promise.resolve(choice.value);
        assert.fail(`No “${wanted}” in ${title}: ${choices.map((choice) => ('label' in choice ? choice.label : '')).join(', ')}`);
      },
      notice: () => Promise.resolve(undefined),
      confirm: () => Promise.resolve(true),
      chooseFolder: () => Promise.resolve(folder),
      chooseFile: () => Promise.resolve(file),
    }));
  });
  suiteTeardown(() => answering.forEach((one) => one.dispose()));

  test('are made, filled from files, and ordered', async () => {
    assert.strictEqual(await run('newCurriculum'), name);
    for (const game of ['00012/game_00012_000_causal_inference', '00004/game_00004_004_spatial_reasoning', '00008/game_00008_003_optimization']) {
      picks = [name];
      await run('addToCurriculum', sample(`run/spade_games_cache/step_${game}.py`));
    }
    const { entries } = await get();
    assert.deepStrictEqual(entries.map(({ skill }) => skill), ['Causal Inference', 'Spatial Reasoning', 'Optimization']);
    assert.ok(entries.every(({ hint, outcome }) => hint !== null && outcome !== null), 'hint and figures come from the run around');
    await run('moveUpInCurriculum', { set: name, entry: entries[2], at: 2, id: '', label: '' });
    assert.deepStrictEqual((await get()).entries.map(({ skill }) => skill), ['Causal Inference', 'Optimization', 'Spatial Reasoning']);
    await run('moveDownInCurriculum', { set: name, entry: entries[0], at: 0, id: '', label: '' });
    assert.deepStrictEqual((await get()).entries.map(({ skill }) => skill), ['Optimization', 'Causal Inference', 'Spatial Reasoning']);
  });

  test('take what is dragged: an entry to another place, files of the explorer and of the queue, entries of another set', async () => {
    const tree = api.review!.curricula;
    const rowOf = async (set: string): Promise<TreeNode> => (await tree.rows()).find(({ label }) => label === set) ?? assert.fail(`no row ${set}`);
    const skills = async (set: string) => (await get(set)).entries.map(({ skill }) => skill);
    const game = (step: string) => sample(`run/spade_games_cache/step_${step}.py`);
    await api.review!.sets.stores().then(({ curricula }) => curricula.create({ version: 1, name: 'dragged', entries: [] }));
    const listed = new vscode.DataTransfer();
    listed.set('text/uri-list', new vscode.DataTransferItem([game('00012/game_00012_002_pattern_recognition'), game('00008/game_00008_001_spatial_reasoning')].join('\r\n')));
    await tree.drop(await rowOf('dragged'), listed);
    assert.deepStrictEqual(await skills('dragged'), ['Pattern Recognition', 'Spatial Reasoning']);
    const [first, second] = await tree.rows(await rowOf('dragged'));
    const moved = new vscode.DataTransfer();
    tree.drag([second!], moved);
    await tree.drop(first, moved);
    assert.deepStrictEqual(await skills('dragged'), ['Spatial Reasoning', 'Pattern Recognition']);
    const copied = new vscode.DataTransfer();
    tree.drag((await tree.rows(await rowOf(name))).slice(0, 1), copied);
    await tree.drop(await rowOf('dragged'), copied);
    assert.deepStrictEqual(await skills('dragged'), ['Spatial Reasoning', 'Pattern Recognition', 'Optimization']);
    assert.strictEqual((await get()).entries.length, 3, 'the other set keeps its entry');
    const queued = new vscode.DataTransfer();
    queued.set('application/vnd.code.tree.envwright.review', new vscode.DataTransferItem([{ item: { file: game('00000/game_00000_004_logical_deduction').fsPath } }]));
    await tree.drop((await tree.rows(await rowOf('dragged')))[0], queued);
    assert.deepStrictEqual(await skills('dragged'), ['Logical Deduction', 'Spatial Reasoning', 'Pattern Recognition', 'Optimization']);
    await tree.drop(undefined, queued);
    assert.deepStrictEqual((await get('dragged')).entries.map(({ hint }) => hint !== null), [true, true, true, true]);
    const mixed = new vscode.DataTransfer();
    mixed.set('text/uri-list', new vscode.DataTransferItem([sample('README.md'), game('00004/game_00004_003_spatial_reasoning')].join('\r\n')));
    await assert.rejects(tree.drop(await rowOf('dragged'), mixed), { code: 'review/not-environment' });
    assert.deepStrictEqual((await skills('dragged')).slice(4), ['Spatial Reasoning'], 'what is no environment is named, and the rest is added');
  });

  test('are played as a whole, and keep the outcomes with the number of plays; what a model did stays', async () => {
    const { curricula } = await api.review!.sets.stores();
    const [first] = (await get()).entries;
    await curricula.change(name, (known) => known.map((entry) => (entry.contentHash === first!.contentHash ? { ...entry, outcome: null } : entry)));
    const curriculum = await get();
    assert.strictEqual(await run('playCurriculum', { curriculum, id: '', label: '' }), 3);
    const [played, ...measured] = (await get()).entries;
    assert.ok(played?.outcome?.simulated && played.outcome.plays !== null);
    assert.deepStrictEqual(measured, curriculum.entries.slice(1));
    assert.ok(measured.every(({ outcome }) => outcome && !outcome.simulated));
  });

  for (const [form, place] of [['Static Game Pool', 'envwright-pool.json'], ['Memory File', 'env_memory.json'], ['JSON Lines', 'environments.jsonl']] as const) {
    test(`exported as ${form} and imported again are the same set; a damaged file is named and the rest used`, async () => {
      const before = await get();
      picks = [form];
      const target = await run<string>('exportCurriculum', { curriculum: before, id: '', label: '' });
      assert.ok(target);
      file = vscode.Uri.file(path.join(target, place));
      const back = await run<string>('importCurriculum');
      assert.deepStrictEqual((await get(back)).entries, before.entries);
      const games = (await fs.readdir(target, { recursive: true })).filter((one) => one.endsWith('.py'));
      const damaged = path.join(target, games[0] ?? place);
      await fs.writeFile(damaged, (await fs.readFile(damaged, 'utf8')).replace('def step', 'def  step'));
      assert.strictEqual((await get((await run<string>('importCurriculum')) ?? '')).entries.length, 2);
      await fs.rm(target, { recursive: true });
    });
  }

  test('are pushed into the linked run, entry by entry', async () => {
    await run('linkRun', await freshRun());
    const before = (await api.memoryRows()).length;
    picks = ['Push into the Linked Run'];
    assert.match((await run<string>('exportCurriculum', { curriculum: await get(), id: '', label: '' })) ?? '', /^3 written/);
    await eventually('the memory holds them', async () => (await api.memoryRows()).length === before + 3);
  });

  test('show their coverage, and the audit of a folder shows its report', async () => {
    await run('showCoverage', { curriculum: await get(), id: '', label: '' });
    await eventually('the panel is open', () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Coverage'));
    assert.ok(((await run<number>('auditFolder', sample('environments'))) ?? 0) >= 8);
    await eventually('the report is open', () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Audit of'));
  });

  test('a class in a near contract is wrapped as code beside it', async () => {
    const uri = sample('near_contract.py');
    await fs.writeFile(uri.fsPath, 'class Counter:\n    def reset(self, seed=None):\n        self.at = 0\n        return "Count."\n\n    def step(self, action):\n        self.at += 1\n        return "More.", 1.0, self.at > 2, {}\n');
    await open(uri);
    assert.strictEqual(await run('wrapNearContract', uri), 'CounterEnv');
    const made = vscode.window.activeTextEditor?.document;
    assert.ok(made?.isUntitled);
    assert.match(made.getText(), /class CounterEnv:[^]*self\._inner = Counter/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, new vscode.Range(0, 6, 0, 6));
    assert.ok(actions.some(({ title }) => title === 'Wrap Counter for the run'));
  });

  test('the troubleshooting page is made from what the doctor finds now', async () => {
    const page = (await run<string>('troubleshoot')) ?? '';
    assert.match(page, /^# Troubleshooting/);
    assert.match(page, /workspace trust/);
  });
});
