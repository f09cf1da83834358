/** The memory view by itself, in every state and theme: pictures, accessibility, hostile texts, the keyboard. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { manyRows, memoryFull, memoryScenes, nextSave, oneMore } from './webview/memoryScenes';
import { judgeInAllThemes } from './webview/judged';
import { openBundle, type Stage } from './webview/stage';

const pictures = path.join(resultsFolder, 'memory');

suite('memory webview', () => {
  let browser: Browser;

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  const open = async (name: string): Promise<Stage> => {
    const scene = memoryScenes.find((other) => other.name === name) ?? memoryFull;
    const stage = await openBundle(browser, scene.setting);
    await stage.page.waitForTimeout(200);
    return stage;
  };

  for (const { name } of memoryScenes) {
    test(`${name}: drawn under the policy in three themes, nothing serious for axe`, async () => {
      await judgeInAllThemes(await open(name), pictures, name);
    });
  }

  test('hostile names and codes are text: no markup, no script, no control character reaches the page', async () => {
    const { page, problems } = await open('hostile');
    const found = await page.evaluate(() => ({ made: document.querySelectorAll('main img, main script, main style').length, text: document.querySelector('main')?.textContent ?? '' }));
    assert.equal(found.made, 0);
    assert.match(found.text, /<img src=x onerror="alert\(1\)">/);
    assert.doesNotMatch(found.text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  test('plot, list and detail share one choice, moved by the keyboard', async () => {
    const stage = await open('full');
    const { page } = stage;
    const chosen = () => page.locator('.det h2').textContent();
    assert.equal(await chosen(), 'liars_vault');
    const regions: string[] = [];
    for (let n = 0; n < 5; n++) {
      await page.keyboard.press('F6');
      regions.push(await page.evaluate(() => document.activeElement?.closest('[data-region]')?.className ?? ''));
    }
    assert.deepEqual(regions, ['hd', 'ctl', 'plot', 'list', 'det']);
    await page.keyboard.press('Shift+F6');
    const moved = (from: string | null) => page.waitForFunction((name) => document.querySelector('.det h2')?.textContent !== name, from);
    await page.keyboard.press('Home');
    await moved('liars_vault');
    const best = await chosen();
    await page.keyboard.press('ArrowDown');
    await moved(best);
    await page.waitForFunction(() => document.querySelector('.grid')?.getAttribute('aria-activedescendant') === document.querySelector('.lrow.sel')?.id);
    await page.keyboard.press('Enter');
    await page.keyboard.press('p');
    await page.keyboard.press('Delete');
    assert.deepEqual((await stage.sent()).filter(({ method }) => method === 'onRecord').map(({ params }) => (params as { action: string }).action), ['open', 'play', 'remove']);
    await page.keyboard.press('Shift+F6');
    const before = await chosen();
    await page.keyboard.press('ArrowRight');
    await moved(before);
    assert.equal(await page.locator('.lrow.sel .f').textContent(), await chosen());
    await page.context().close();
  });

  test('a click in the plot chooses the point', async () => {
    const { page } = await open('first');
    const box = await page.locator('.u-over').boundingBox();
    assert.ok(box);
    const before = await page.locator('.det h2').textContent();
    for (let x = 0.2; x < 0.85 && (await page.locator('.det h2').textContent()) === before; x += 0.0625) await page.mouse.click(box.x + box.width * x, box.y + box.height * 0.55);
    await page.waitForFunction((name) => document.querySelector('.det h2')?.textContent !== name, before);
    await page.context().close();
  });

  test('a new save keeps choice and scroll, marks what is new, and keeps what is gone on screen as gone', async () => {
    const stage = await open('full');
    const { page } = stage;
    await page.locator('.grid').evaluate((grid) => (grid.scrollTop = 100));
    await stage.note('state', oneMore);
    await page.locator('.chip').first().waitFor();
    await page.waitForFunction(() => document.querySelector('.hd .small')?.textContent?.startsWith('170'));
    assert.equal(await page.locator('.grid').evaluate((grid) => grid.scrollTop), 100);
    assert.equal(await page.locator('.det h2').textContent(), 'liars_vault');
    assert.match((await page.locator('[aria-live=polite]').textContent()) ?? '', /1 new record/);
    await stage.note('state', nextSave);
    await page.waitForFunction(() => /taken out of the memory/.test(document.querySelector('.facts')?.textContent ?? ''));
    assert.equal(await page.locator('.det h2').textContent(), 'liars_vault');
    await page.context().close();
  });

  test('of two thousand records only those near the screen are on the page', async () => {
    const stage = await open('full');
    await stage.note('state', manyRows);
    await stage.page.waitForFunction(() => document.querySelector('.grid')?.getAttribute('aria-rowcount') !== null && Number(document.querySelector('.grid')?.getAttribute('aria-rowcount')) > 300);
    assert.ok((await stage.page.locator('.body > .lrow').count()) < 60);
    await stage.page.context().close();
  });

  test('a finding shows its records of every skill; the filter asks the host', async () => {
    const stage = await open('full');
    const { page } = stage;
    await page.getByRole('button', { name: '2 duplicates' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.body > .lrow').length === 2);
    await page.getByRole('button', { name: '2 duplicates' }).click();
    await page.locator('.query input').fill('vault');
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'find'));
    assert.deepEqual((await stage.sent()).filter(({ method }) => method === 'find').at(-1)?.params, { query: 'vault' });
    await page.context().close();
  });
});
