/** The coverage of a set by itself, in every state and theme: pictures, accessibility. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { coverageScenes } from './webview/coverageScenes';
import { openBundle } from './webview/stage';
import type { ThemeName } from './webview/themes';

const pictures = path.join(resultsFolder, 'coverage');

suite('coverage webview', () => {
  let browser: Browser;

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  for (const { name, setting } of coverageScenes) {
    for (const theme of ['dark', 'light', 'hc'] satisfies ThemeName[]) {
      test(`${name} in ${theme}: drawn under the policy, nothing serious for axe`, async () => {
        const { page, problems } = await openBundle(browser, setting, theme);
        await page.locator('header h1').waitFor();
        await page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) });
        assert.deepEqual(problems, [], 'the page has no error and breaks no rule of its policy');
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(' | ')}`), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing overflows the page sideways');
        await page.context().close();
      });
    }
  }

  test('says in words what the plots show, also what is missing', async () => {
    const { page } = await openBundle(browser, coverageScenes[0]!.setting, 'dark');
    assert.match((await page.locator('figure.grid').getAttribute('aria-label')) ?? '', /Mathematical Reasoning easy \d+, medium \d+/);
    const missing = await page.locator('.holes li').allTextContents();
    assert.ok(missing.includes('Causal Inference: none at all'), missing.join('; '));
    await page.context().close();
  });
});
