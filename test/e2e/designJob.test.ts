import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';
import { PROMPT_VIEW_TYPE } from '../../src/shared/contributions';
import { projectRoot } from '../editor/paths';
import { Workbench } from './workbench';

/** Designing as a user does it, in the workbench, with the packaged extension and the offline samples: one of them needs a repair. */
suite('designing in the workbench', () => {
  let folder: string;
  let workbench: Workbench;

  suiteSetup(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-design-'));
    fs.cpSync(path.join(projectRoot, 'media', 'sample-workspace'), folder, { recursive: true });
    const vsix = process.env.ENVWRIGHT_TEST_VSIX;
    assert(vsix, 'the runner packages the extension first');
    workbench = await Workbench.open(folder, { vsix });
  });

  suiteTeardown(async () => {
    await workbench.picture('design-last');
    await workbench.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const drafts = () => workbench.viewRows('Drafts');

  test('a rejected draft is repaired while it streams, and both drafts stand side by side', async () => {
    await workbench.command('Envwright: Design Environment');
    await workbench.pick('Optimization');
    await workbench.pick('Single turn');
    await workbench.pick('easy');
    await workbench.pick('No document');
    await workbench.page.locator('.monaco-editor[data-uri^="untitled:"] .view-line', { hasText: 'class' }).first().waitFor();
    await workbench.picture('design-streaming');
    await workbench.command('Envwright: Focus on Drafts View');
    const draft = drafts().filter({ hasText: 'Optimization, easy' }).first();
    await draft.waitFor({ timeout: 120_000 });
    await draft.locator('.monaco-tl-twistie').click();
    await drafts().filter({ hasText: 'First draft' }).first().waitFor();
    await draft.hover();
    await draft.getByRole('button', { name: 'Compare with First Draft' }).click();
    await workbench.page.locator('.monaco-diff-editor').first().waitFor();
    await workbench.page.locator('.monaco-diff-editor .squiggly-error').first().waitFor();
    await workbench.picture('design-repair');
  });

  test('a batch stands in the view by verdict', async () => {
    await workbench.command('Envwright: Design Batch');
    await workbench.pick('Single turn');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Mathematical Reasoning' }).first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.pick('easy');
    await workbench.answer('4');
    // The sample workspace names a corpus, so it is asked for.
    await workbench.pick('No document');
    await drafts().filter({ hasText: 'Batch of 4' }).first().waitFor();
    await drafts().filter({ hasText: 'being made' }).first().waitFor();
    await workbench.picture('design-batch-running');
    await drafts().filter({ hasText: 'accept' }).first().waitFor({ timeout: 120_000 });
    await drafts().filter({ hasText: 'being made' }).first().waitFor({ state: 'hidden', timeout: 120_000 });
    await workbench.picture('design-batch');
  });

  test('hints compared are read beside the list in which one is kept', async () => {
    await workbench.openEnvironment('clock_angle_env.py');
    await workbench.command('Envwright: Compare Hints');
    await workbench.webview.getByRole('heading', { name: 'Hints compared' }).waitFor({ timeout: 120_000 });
    // The number of the first row stands left of what the list covers.
    await workbench.webview.getByRole('cell', { name: '1', exact: true }).first().click();
    await workbench.picture('design-hints');
    await workbench.pick('regret');
    await workbench.inputHolds(/angle/);
    await workbench.page.keyboard.press('Enter');
    // Not all: drafts that were never saved would be asked about.
    await workbench.command('View: Close Saved Editors in Group');
    await workbench.page.locator('.editor-group-container .tab', { hasText: 'Hints.md' }).waitFor({ state: 'detached' });
  });

  test('the prompt is looked at, changed, and sent from its panel', async () => {
    await workbench.command('Envwright: Show Design Prompt');
    const panel = workbench.webview;
    await panel.getByRole('heading', { name: 'Design prompt' }).waitFor();
    await panel.locator('.part').first().waitFor();
    await workbench.picture('design-prompt');
    await panel.getByRole('button', { name: 'Easy' }).click();
    await panel.locator('.go').click();
    await panel.getByRole('button', { name: 'Stop' }).waitFor();
    await workbench.page.locator('.monaco-editor[data-uri^="untitled:"] .view-line', { hasText: 'class' }).first().waitFor();
    // How far it is stands in the panel, and nowhere else.
    await panel.locator('.foot, footer', { hasText: /line \d|waiting|checking/ }).first().waitFor();
    assert.equal(await workbench.page.locator('.notification-toast', { hasText: 'designing' }).count(), 0);
    await workbench.picture('design-prompt-streaming');
    await panel.locator('.go').waitFor({ timeout: 120_000 });
  });

  test('the panel comes back after a reload of the window, with what was chosen in it', async () => {
    const { page, webview: panel } = workbench;
    const theme = await panel.getByRole('textbox', { name: 'Theme seed' }).inputValue();
    await workbench.reload(PROMPT_VIEW_TYPE, 'themeSeed');
    await panel.locator('.part').first().waitFor({ timeout: 60_000 });
    assert.equal(await panel.getByRole('button', { name: 'Easy' }).getAttribute('aria-pressed'), 'true');
    assert.equal(await panel.getByRole('textbox', { name: 'Theme seed' }).inputValue(), theme);
    await page.locator('.tab', { hasText: 'Design Prompt' }).waitFor();
  });
});
