/** A linked run in the workbench: its view, its memory, a push that is looked at, made, followed and found again after a reload. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PUSH_VIEW_TYPE } from '../../src/shared/contributions';
import { projectRoot } from '../editor/paths';
import { Workbench } from './workbench';

const ROLLOUTS = path.join(projectRoot, 'test', 'fakes', 'rollouts.py');

for (const [name, theme] of [['dark', 'Default Dark Modern'], ['light', 'Default Light Modern']] as const) {
  suite(`a linked run, ${name}`, () => {
    let folder: string;
    let workbench: Workbench;

    /** Some rollouts of the run, with the link module. */
    const rollouts = (first: number, last: number): void => {
      execFileSync('python3', ['-B', ROLLOUTS, path.join(folder, 'run', 'spade_games_cache'), '200', String(first), String(last)]);
    };

    suiteSetup(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-run-'));
      fs.cpSync(path.join(projectRoot, 'media', 'sample-workspace'), folder, { recursive: true });
      const vsix = process.env.ENVWRIGHT_TEST_VSIX;
      assert(vsix, 'the runner packages the extension first');
      workbench = await Workbench.open(folder, { vsix, theme });
    });

    suiteTeardown(async () => {
      await workbench.picture(`run-${name}-last`);
      await workbench.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    test('the runs of the workspace are offered, and the view shows what lies in one', async () => {
      // The palette knows the commands once the extension is there.
      await workbench.openEnvironment('clock_angle_env.py');
      await workbench.command('Envwright: Link Run Folder');
      await workbench.pick('run');
      await workbench.page.getByText('in its launch flags').first().waitFor();
      await workbench.command('Envwright: Focus on Run View');
      const rows = workbench.viewRows('Run');
      await rows.filter({ hasText: 'Games in play' }).waitFor();
      await rows.filter({ hasText: 'game_00012_000' }).filter({ hasText: /regret/ }).first().waitFor();
      await rows.filter({ hasText: 'not known whether it is read' }).waitFor();
      await workbench.picture(`run-${name}-tree`);
    });

    test('its games are filtered and sorted', async () => {
      await workbench.command('Envwright: Filter Games');
      await workbench.answer('causal');
      const rows = workbench.viewRows('Run');
      await rows.filter({ hasText: 'pattern recognition' }).first().waitFor({ state: 'detached' });
      await workbench.picture(`run-${name}-filtered`);
      await workbench.command('Envwright: Show All Games');
      await rows.filter({ hasText: 'pattern recognition' }).first().waitFor();
      await workbench.command('Envwright: Sort Games');
      await workbench.pick('By Regret');
      await rows.filter({ hasText: 'All games, by regret' }).waitFor();
    });

    test('its memory opens as a view with plot and list', async () => {
      await workbench.command('Envwright: Open Memory View');
      await workbench.webview.getByText('22 of 200 records').waitFor();
      await workbench.webview.locator('.u-over').first().waitFor();
      await workbench.picture(`run-${name}-memory`);
    });

    test('a push is looked at before it is made', async () => {
      await workbench.openEnvironment('clock_angle_env.py');
      await workbench.command('Envwright: Accept and Push to Run');
      await workbench.pick('Enter the Figures by Hand');
      for (const [title, text] of [['Win rate', '0.5'], ['Regret', '0.3'], ['Reason', 'from notes of last week']] as const) {
        await workbench.page.locator('.quick-input-titlebar', { hasText: title }).waitFor();
        await workbench.answer(text);
      }
      await workbench.pick('Mathematical Reasoning');
      const panel = workbench.webview;
      await panel.getByText('Before you push').waitFor();
      await panel.getByText('Figures by hand.').waitFor();
      await panel.getByText('Memory perhaps not read.').waitFor();
      await workbench.picture(`run-${name}-push-preview`);
    });

    test('it goes through the inbox of a live run, and is followed until a save of the run holds it', async () => {
      rollouts(16, 17);
      const panel = workbench.webview;
      await panel.getByText('Goes through the inbox of the link module').waitFor({ timeout: 60_000 });
      await panel.getByRole('button', { name: /^Push/ }).first().click();
      await panel.getByText('It lies in the inbox of the link module.').waitFor();
      await workbench.picture(`run-${name}-push-inbox`);
      rollouts(18, 20);
      await panel.getByText('In the memory of the run.').waitFor({ timeout: 60_000 });
      await panel.getByText('a save of the run holds it').first().waitFor();
      await panel.getByRole('button', { name: 'Undo Push' }).waitFor();
      await workbench.picture(`run-${name}-push-in-memory`);
    });

    test('both panels come back after a reload of the window', async () => {
      await workbench.reload(PUSH_VIEW_TYPE, 'skillSource');
      await workbench.webview.getByText('In the memory of the run.').waitFor({ timeout: 60_000 });
      await workbench.picture(`run-${name}-reloaded`);
      await workbench.page.locator('.tab', { hasText: 'Memory' }).first().click();
      await workbench.webview.getByText(/\d+ of 200 records/).waitFor({ timeout: 60_000 });
    });
  });
}
