import * as assert from 'node:assert';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { PickRequest } from '../../../src/vscode/interaction';
import type { EnvwrightApi } from '../../../src/vscode/api';
import type { TreeNode } from '../../../src/vscode/trees/nodeTree';
import { envwright, eventually, freshRun, sample } from './api';

type Runs = NonNullable<EnvwrightApi['runs']>;
const LINE = 'python train_slime.py --spade-use-env-memory --spade-game-regeneration-interval 4 --wandb-key 0123456789abcdef --rollout-batch-size 24';

const labels = <T>({ choices }: PickRequest<T>): string[] => choices.flatMap((choice) => ('value' in choice ? [choice.label] : []));

/** Answers lists by the beginning of a label, in order. */
function choosing(api: EnvwrightApi, wanted: readonly string[], more: Parameters<NonNullable<EnvwrightApi['answer']>>[0] = {}): { dispose(): void; readonly left: string[] } {
  const left = [...wanted];
  assert.ok(api.answer);
  const answering = api.answer({
    notice: () => Promise.resolve(undefined),
    pick: (request) => {
      const label = left.shift();
      const found = request.choices.find((choice) => 'value' in choice && choice.label.startsWith(label ?? '-'));
      if (!found || !('value' in found)) assert.fail(`No “${label}” in ${request.title}: ${labels(request).join(', ')}`);
      return Promise.resolve(found.value);
    },
    ...more,
  });
  return { left, dispose: () => answering.dispose() };
}

async function row(runs: Runs, id: string): Promise<TreeNode> {
  const found = (await runs.games.rows()).find((node) => node.id === id);
  assert.ok(found, `the view has a row ${id}`);
  return found;
}

const childrenOf = async (node: TreeNode): Promise<readonly TreeNode[]> => (await node.children?.()) ?? [];

suite('the view of a linked run', () => {
  let api: EnvwrightApi;
  let runs: Runs;
  let run: vscode.Uri;

  setup(async () => {
    api = await envwright();
    assert.ok(api.runs);
    runs = api.runs;
    run = await freshRun();
    const answering = choosing(api, []);
    await vscode.commands.executeCommand('envwright.linkRun', run);
    answering.dispose();
  });

  teardown(() => runs.games.show({ filter: '', order: 'number' }));

  test('shows games in play with what the run knows of them, steps with hints, rejects with reasons', async () => {
    const games = await childrenOf(await row(runs, 'games'));
    assert.strictEqual(games.length, 5);
    assert.ok(games.some(({ description }) => /win \d\.\d\d · regret −?\d\.\d\d · n –/.test(description ?? '')), games.map(({ description }) => description).join('\n'));
    const steps = await childrenOf(await row(runs, 'steps'));
    assert.strictEqual(steps[0]?.label, 'Rollout 12');
    const hinted = (await Promise.all(steps.map(childrenOf))).flat().find(({ children }) => children);
    assert.ok(hinted);
    const [hint] = await childrenOf(hinted);
    assert.strictEqual(hint?.label, 'Hint');
    assert.ok((hint.description ?? '').length > 10, 'the text of the hint stands beside it');
    const [reject] = await childrenOf(await row(runs, 'rejects'));
    assert.match(reject?.description ?? '', /^validate · \S/);
  });

  test('is filtered by words, and says how much is hidden', async () => {
    const answering = choosing(api, [], { input: () => Promise.resolve('causal') });
    await vscode.commands.executeCommand('envwright.filterRun');
    answering.dispose();
    const games = await childrenOf(await row(runs, 'games'));
    assert.deepStrictEqual(games.map(({ label }) => label), ['game_00012_000', 'game_00012_001']);
    await vscode.commands.executeCommand('envwright.clearRunFilter');
    assert.strictEqual((await childrenOf(await row(runs, 'games'))).length, 5);
  });

  test('is sorted by regret over all steps', async () => {
    const answering = choosing(api, ['By Regret']);
    await vscode.commands.executeCommand('envwright.sortRun');
    answering.dispose();
    const regrets = (await childrenOf(await row(runs, 'all'))).flatMap(({ description }) => /regret (−?\d\.\d\d)/.exec(description ?? '')?.[1] ?? []).map((text) => Number(text.replace('−', '-')));
    assert.ok(regrets.length > 5);
    assert.deepStrictEqual(regrets, [...regrets].sort((a, b) => b - a));
  });

  test('follows a regeneration: new games, and those that are gone', async () => {
    await runs.games.rows();
    const [games, step] = [vscode.Uri.joinPath(run, 'spade_games'), vscode.Uri.joinPath(run, 'spade_games_cache', 'step_00016')];
    const text = new TextEncoder().encode('class AEnv: pass\n');
    for (const name of await fs.readdir(games.fsPath)) await fs.rm(vscode.Uri.joinPath(games, name).fsPath);
    await fs.mkdir(step.fsPath);
    for (const folder of [games, step]) await fs.writeFile(vscode.Uri.joinPath(folder, 'game_00016_000_optimization.py').fsPath, text);
    await fs.writeFile(vscode.Uri.joinPath(step, 'game_00016_000_optimization_hint.txt').fsPath, 'count what is left');
    await eventually('the view shows the new game alone', async () => {
      const playing = await childrenOf(await row(runs, 'games'));
      return playing.length === 1 && playing[0]?.label === 'game_00016_000' && playing[0].children !== undefined;
      // What the editor's watcher does not tell of is found once a minute.
    }, 75_000);
  }).timeout(90_000);

  test('checks the games of a row, and shows their verdicts', async () => {
    const steps = await childrenOf(await row(runs, 'steps'));
    const said: string[] = [];
    const answering = choosing(api, [], { notice: ({ message }) => (said.push(message), Promise.resolve(undefined)) });
    const counts = await vscode.commands.executeCommand<Record<string, number>>('envwright.checkGames', steps[0]);
    answering.dispose();
    assert.strictEqual(Object.values(counts).reduce((a, b) => a + b, 0), (await childrenOf(steps[0]!)).length);
    assert.match(said.join(), /^Games checked: \d/);
    await eventually('a row has a verdict', async () => (await childrenOf((await childrenOf(await row(runs, 'steps')))[0]!)).some(({ description }) => /Accept|Reject|Cannot run/.test(description ?? '')));
  });

  test('compares two games side by side', async () => {
    const [first, second] = await childrenOf(await row(runs, 'games'));
    await vscode.commands.executeCommand('envwright.compareGames', first, [first, second]);
    const input = await eventually('a comparison is open', () => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    assert.deepStrictEqual([input.original.fsPath, input.modified.fsPath], [first?.uri?.fsPath, second?.uri?.fsPath]);
  });
});

suite('linking a run', () => {
  let api: EnvwrightApi;

  setup(async () => {
    api = await envwright();
  });

  test('offers the runs of the workspace', async () => {
    const run = await freshRun();
    const offered: string[] = [];
    const answering = choosing(api, [], {
      pick: (request) => {
        offered.push(...request.choices.flatMap((choice) => ('value' in choice ? [`${choice.label} · ${choice.detail ?? ''}`] : [])));
        const found = request.choices.find((choice) => 'value' in choice && choice.value instanceof vscode.Uri && choice.value.fsPath === run.fsPath);
        return Promise.resolve(found && 'value' in found ? found.value : undefined);
      },
    });
    const dir = await vscode.commands.executeCommand('envwright.linkRun');
    answering.dispose();
    assert.strictEqual(dir, run.fsPath, offered.join('\n'));
    assert.match(offered[0] ?? '', /written|copy|pace/);
    assert.match(offered.at(-1) ?? '', /^Choose a Folder/);
  });

  test('a folder without a run is linked as one that has not started, after a question', async () => {
    const folder = sample('runs/to-come');
    await vscode.workspace.fs.createDirectory(folder);
    const answering = choosing(api, [], { confirm: () => Promise.resolve(true) });
    assert.strictEqual(await vscode.commands.executeCommand('envwright.linkRun', folder), folder.fsPath);
    answering.dispose();
    assert.deepStrictEqual(await fs.readdir(folder.fsPath), ['spade_games_cache']);
    assert.strictEqual((await row(api.runs!, 'liveness')).label, 'Not started');
  });

  suite('launch flags', () => {
    let run: vscode.Uri;

    setup(async () => {
      run = await freshRun();
      const answering = choosing(api, []);
      await vscode.commands.executeCommand('envwright.linkRun', run);
      answering.dispose();
    });

    /** Everything that Envwright keeps in the workspace. */
    async function kept(): Promise<string> {
      const folder = sample('.envwright').fsPath;
      const names = await fs.readdir(folder, { recursive: true, withFileTypes: true });
      return (await Promise.all(names.filter((entry) => entry.isFile()).map((entry) => fs.readFile(`${entry.parentPath}/${entry.name}`, 'utf8')))).join('\n');
    }

    async function expectRead(): Promise<void> {
      const { label, description } = await row(api.runs!, 'settings');
      assert.strictEqual(`${label}: ${description}`, 'Memory: read by the run · Slime · regenerates every 4');
      assert.doesNotMatch(await kept(), /0123456789abcdef|wandb/);
    }

    test('are not known at first, and the view says so', async () => {
      assert.match((await row(api.runs!, 'settings')).description ?? '', /not known/);
    });

    test('are read from a launcher script, without its keys', async () => {
      await vscode.workspace.fs.writeFile(sample('launch_run.sh'), new TextEncoder().encode(`#!/bin/bash\n${LINE}\n`));
      const answering = choosing(api, ['From a Launcher Script', 'launch_run.sh']);
      const launch = await vscode.commands.executeCommand<{ source: string }>('envwright.readLaunchFlags');
      answering.dispose();
      assert.strictEqual(launch.source, 'script');
      await expectRead();
    });

    test('are read from a process, without its keys', async () => {
      const child = spawn('sh', ['-c', 'sleep 60', ...LINE.split(' ')]);
      try {
        const answering = choosing(api, ['From a Process', `Process ${child.pid}`]);
        const launch = await vscode.commands.executeCommand<{ source: string }>('envwright.readLaunchFlags');
        answering.dispose();
        assert.strictEqual(launch.source, 'process');
        await expectRead();
      } finally {
        child.kill();
      }
    });

    test('are read from Ray’s jobs with one request that changes nothing, without keys', async () => {
      const asked: string[] = [];
      const server = http.createServer(({ method, url }, response) => {
        asked.push(`${method} ${url}`);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify([{ entrypoint: LINE, status: 'RUNNING', submission_id: 'raysubmit_1', start_time: 1 }]));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        const answering = choosing(api, ['From Ray', 'raysubmit_1'], { input: () => Promise.resolve(address) });
        const launch = await vscode.commands.executeCommand<{ source: string }>('envwright.readLaunchFlags');
        answering.dispose();
        assert.strictEqual(launch.source, 'ray');
        assert.deepStrictEqual(asked, ['GET /api/jobs/']);
        await expectRead();
      } finally {
        server.close();
      }
    });

    test('of a run that reads no memory are said in the view', async () => {
      await vscode.workspace.fs.writeFile(sample('launch_off.sh'), new TextEncoder().encode('python train_slime.py --spade-mode fixed_env --rollout-batch-size 24\n'));
      const said: string[] = [];
      const answering = choosing(api, ['From a Launcher Script', 'launch_off.sh'], { notice: ({ message }) => (said.push(message), Promise.resolve(undefined)) });
      await vscode.commands.executeCommand('envwright.readLaunchFlags');
      answering.dispose();
      assert.match(said.join(), /does not read its memory/);
      const settings = await row(api.runs!, 'settings');
      assert.match(settings.description ?? '', /^not read by the run/);
      assert.ok((await childrenOf(settings)).some(({ label }) => /fixed set of environments/.test(label)));
    });
  });

  test('the command that adds the link module is typed into a terminal, not run', async () => {
    let details: string[] = [];
    const answering = choosing(api, [], {
      pick: (request) => {
        details = request.choices.flatMap((choice) => ('value' in choice ? [choice.detail ?? ''] : []));
        const [first] = request.choices;
        return Promise.resolve(first && 'value' in first ? first.value : undefined);
      },
    });
    await vscode.commands.executeCommand('envwright.addLinkModule');
    answering.dispose();
    const folder = /python -m pip install --no-deps '?([^']+envwright_link)'?$/.exec(details[0] ?? '')?.[1];
    assert.ok(folder, details.join('\n'));
    assert.ok((await fs.readdir(folder)).includes('pyproject.toml'));
    assert.ok(details.some((detail) => detail === '--rollout-function-path envwright_link.rollout.generate'));
    await eventually('a terminal is there', () => vscode.window.terminals.some(({ name }) => name === 'Envwright: link module'));
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });
});
