import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../editor/paths';
import { Workbench } from './workbench';

/** The main job as a user does it, in the workbench, with the packaged extension; once in each kind of theme. */
for (const [name, theme] of [['dark', 'Default Dark Modern'], ['light', 'Default Light Modern']] as const) {
  suite(`the main job, ${name}`, () => {
    let folder: string;
    let workbench: Workbench;

    suiteSetup(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-main-'));
      fs.cpSync(path.join(projectRoot, 'media', 'sample-workspace'), folder, { recursive: true });
      const vsix = process.env.ENVWRIGHT_TEST_VSIX;
      assert(vsix, 'the runner packages the extension first');
      workbench = await Workbench.open(folder, { vsix, theme });
    });

    suiteTeardown(async () => {
      await workbench.picture(`main-${name}-last`);
      await workbench.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    test('findings of a faulty file sit in Problems, on their lines', async () => {
      await workbench.openFile('environments/faulty_mood_ring_env.py');
      await workbench.page.locator('.monaco-editor .squiggly-error').first().waitFor();
      const problems = await workbench.problems();
      const finding = problems.filter({ hasText: 'reset-ignores-seed' });
      await finding.first().waitFor();
      assert.match(await finding.first().innerText(), /\[Ln 1[68], Col \d+\]/);
      await workbench.picture(`main-${name}-problems`);
    });

    test('a linked run shows its memory', async () => {
      await workbench.command('View: Hide Panel');
      await workbench.command('Envwright: Link Run Folder');
      await workbench.pick('run');
      await workbench.page.getByText('in its launch flags').first().waitFor();
      await workbench.command('Envwright: Focus on Memory View');
      await workbench.viewRows('Memory').first().waitFor();
      await workbench.picture(`main-${name}-memory`);
    });

    test('a design streams into an editor and is checked', async () => {
      await workbench.command('Envwright: Design Environment');
      await workbench.pick('Mathematical Reasoning');
      await workbench.pick('Single turn');
      await workbench.pick('easy');
      await workbench.pick('No document');
      await workbench.page.locator('.monaco-editor[data-uri^="untitled:"] .view-line', { hasText: 'class' }).first().waitFor();
      await workbench.picture(`main-${name}-design-streaming`);
    });

    test('the hint is written from the code, shown and editable', async () => {
      await workbench.openEnvironment('clock_angle_env.py');
      await workbench.command('Envwright: Write Hint');
      await workbench.inputHolds(/angle/);
      await workbench.picture(`main-${name}-hint`);
      await workbench.page.keyboard.press('Enter');
    });

    test('the player plays both arms, streaming, and says what the hint is worth', async () => {
      await workbench.openEnvironment('clock_angle_env.py');
      await workbench.command('Envwright: Play Environment');
      const player = workbench.webview;
      await player.getByRole('button', { name: /Run \d+ plays/ }).first().waitFor();
      await player.locator('vscode-text-field[aria-label="Seeds"] input').fill('0-31');
      await player.getByRole('button', { name: /Run \d+ plays/ }).first().click();
      await player.getByText(/\d+ of 64 plays/).first().waitFor();
      await workbench.picture(`main-${name}-player-running`);
      await player.getByText('64 of 64 plays', { exact: true }).first().waitFor();
      await player.getByText(/Teaches this policy now|Cannot tell|Teaches little now/).waitFor();
      await player.getByText('not a model', { exact: false }).first().waitFor();
      await workbench.picture(`main-${name}-player`);
    });

    test('accept and push writes the record, and the memory shows it', async () => {
      await workbench.openEnvironment('clock_angle_env.py');
      await workbench.command('Envwright: Accept and Push to Run');
      await workbench.pick('Mathematical Reasoning');
      const push = workbench.webview;
      await push.getByText('Before you push').waitFor();
      await workbench.picture(`main-${name}-push`);
      await push.getByRole('button', { name: 'Push anyway…' }).click();
      await workbench.answer('a first try');
      await workbench.viewRows('Memory').filter({ hasText: 'clock_angle_env' }).waitFor();
      const memory = JSON.parse(fs.readFileSync(path.join(folder, 'run', 'spade_games_cache', 'env_memory.json'), 'utf8')) as { game_file: string; skill: string }[];
      assert.equal(memory.length, 23);
      assert.equal(memory.at(-1)?.skill, 'Mathematical Reasoning');
      assert.match(memory.at(-1)?.game_file ?? '', /clock_angle_env\.py$/);
      await workbench.picture(`main-${name}-pushed`);
    });
  });
}
