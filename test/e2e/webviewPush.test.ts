/** The push panel by itself, in every state and theme: pictures, accessibility, hostile texts, the keyboard. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { pushedState, pushScenes } from './webview/pushScenes';
import { judgeInAllThemes } from './webview/judged';
import { openBundle, type Stage } from './webview/stage';

const pictures = path.join(resultsFolder, 'push');

suite('push webview', () => {
  let browser: Browser;

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  const open = async (name: string): Promise<Stage> => {
    const scene = pushScenes.find((other) => other.name === name);
    assert.ok(scene);
    const stage = await openBundle(browser, scene.setting);
    await stage.page.waitForTimeout(150);
    return stage;
  };
  const methods = async (stage: Stage): Promise<string[]> => (await stage.sent()).map(({ method }) => method).filter((method) => method !== 'ready');

  for (const { name } of pushScenes) {
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
    assert.match(found.text, /cut by the run at 2,000 of 3,0\d\d characters/);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  test('Enter pushes only where Push has the focus; Escape gives it up', async () => {
    const stage = await open('preview');
    const { page } = stage;
    await page.keyboard.press('Enter');
    assert.deepEqual(await methods(stage), []);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'close'));
    await page.locator('.go').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'push'));
    assert.deepEqual(await methods(stage), ['close', 'push']);
    await page.context().close();
  });

  test('an error leaves no primary Push; after the push it can be undone', async () => {
    const stage = await open('dead-zone');
    const { page } = stage;
    assert.equal(await page.locator('vscode-button.go').getAttribute('appearance'), 'secondary');
    assert.match((await page.locator('vscode-button.go').textContent()) ?? '', /Push anyway/);
    assert.match((await page.locator('.foot .says').textContent()) ?? '', /asks for a reason/);
    await stage.note('state', pushedState);
    await page.getByRole('button', { name: 'Undo Push' }).click();
    await page.getByRole('button', { name: 'Push again' }).first().click();
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'again'));
    assert.deepEqual((await stage.sent()).filter(({ method }) => method !== 'ready').map(({ method, params }) => [method, params]), [['undo', { id: null }], ['again', { id: 'e2' }]]);
    assert.equal(await page.locator('.line [aria-current=step] .word').textContent(), 'in memory');
    await page.context().close();
  });
});
