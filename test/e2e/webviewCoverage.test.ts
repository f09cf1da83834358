/** The coverage of a set by itself, in every state and theme: pictures, accessibility. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { coverageScenes } from './webview/coverageScenes';
import { judgeInAllThemes } from './webview/judged';
import { openBundle } from './webview/stage';

const pictures = path.join(resultsFolder, 'coverage');

suite('coverage webview', () => {
  let browser: Browser;

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  for (const { name, setting } of coverageScenes) {
    test(`${name}: drawn under the policy in three themes, nothing serious for axe`, async () => {
      const stage = await openBundle(browser, setting);
      await stage.page.locator('header h1').waitFor();
      await judgeInAllThemes(stage, pictures, name);
    });
  }

  test('says in words what the plots show, also what is missing', async () => {
    const { page } = await openBundle(browser, coverageScenes[0]!.setting);
    assert.match((await page.locator('figure.grid').getAttribute('aria-label')) ?? '', /Mathematical Reasoning easy \d+, medium \d+/);
    const missing = await page.locator('.holes li').allTextContents();
    assert.ok(missing.includes('Causal Inference: none at all'), missing.join('; '));
    await page.context().close();
  });
});
