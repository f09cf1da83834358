/** The player by itself, in every state and theme: pictures, accessibility, hostile texts, the keyboard. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { scenes } from './webview/scenes';
import { openScene } from './webview/stage';
import type { ThemeName } from './webview/themes';

const pictures = path.join(resultsFolder, 'player');

suite('player webview', () => {
  let browser: Browser;

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  for (const scene of scenes) {
    for (const theme of ['dark', 'light', 'hc'] satisfies ThemeName[]) {
      test(`${scene.name} in ${theme}: drawn under the policy, nothing serious for axe`, async () => {
        const { page, problems } = await openScene(browser, scene, theme);
        await page.screenshot({ path: path.join(pictures, `${scene.name}-${theme}.png`) });
        assert.deepEqual(problems, [], 'the page has no error and breaks no rule of its policy');
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(' | ')}`), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing overflows the page sideways');
        await page.context().close();
      });
    }
  }
});
