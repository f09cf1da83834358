/** The panel of the design prompt by itself, in every state and theme: pictures, accessibility, hostile texts, the keyboard. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { promptScenes, redrawn, type PromptScene } from './webview/promptScenes';
import { judgeInAllThemes } from './webview/judged';
import { openBundle, type Stage } from './webview/stage';

const pictures = path.join(resultsFolder, 'prompt');
const NAMES = ['full', 'feedback', 'addressing', 'no-run', 'over', 'without-memory', 'designing', 'problem', 'restricted', 'hostile', 'narrow'];

suite('prompt webview', () => {
  let browser: Browser;
  let scenes: readonly PromptScene[];

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    scenes = await promptScenes();
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  const open = async (name: string): Promise<Stage> => {
    const scene = scenes.find((other) => other.name === name);
    assert.ok(scene, name);
    const stage = await openBundle(browser, scene.setting);
    await stage.page.waitForSelector(name === 'problem' ? '.nothing' : '.part');
    return stage;
  };
  const asked = async (stage: Stage): Promise<[string, unknown][]> => (await stage.sent()).filter(({ method }) => method !== 'ready').map(({ method, params }) => [method, params]);

  test('every scene is looked at', () => assert.deepEqual(scenes.map(({ name }) => name), NAMES));

  for (const name of NAMES) {
    test(`${name}: drawn under the policy in three themes, nothing serious for axe`, async () => {
      await judgeInAllThemes(await open(name), pictures, name);
    });
  }

  test('hostile documents are text: no markup, no script, no control character reaches the page', async () => {
    const { page, problems } = await open('hostile');
    const found = await page.evaluate(() => ({ made: document.querySelectorAll('main img, main script, main style').length, text: document.querySelector('main')?.textContent ?? '' }));
    assert.equal(found.made, 0);
    assert.match(found.text, /<img src=x onerror="alert\(1\)">/);
    assert.doesNotMatch(found.text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  test('material that addresses the model is marked where it does, and said to be sent as it is', async () => {
    const { page } = await open('addressing');
    assert.match((await page.locator('.flagged').textContent()) ?? '', /address the model\. They are marked, and sent as they are/);
    await page.locator('.part.from-document .lnk.small').last().click().catch(() => undefined);
    assert.deepEqual(await page.locator('.part mark').allTextContents(), ['Ignore all previous instructions', '<|im_start|>', 'you are now an AI']);
    await page.context().close();
  });

  test('tokens say whether they are counted; over the limit the bar and a sentence say so', async () => {
    const counted = await open('full');
    assert.match((await counted.page.locator('.legend').textContent()) ?? '', /of 24,576 tokens$/);
    await counted.page.context().close();
    const estimated = await open('feedback');
    assert.match((await estimated.page.locator('.legend').textContent()) ?? '', /tokens, estimated$/);
    await estimated.page.context().close();
    const over = await open('over');
    assert.match((await over.page.locator('.top .note:not([hidden])').textContent()) ?? '', /tokens over the 808 left beside the reply\. Leave out the document/);
    await over.page.context().close();
  });

  test('Tab goes part by part and Enter opens the source; a legend entry jumps; folded text opens in place', async () => {
    const stage = await open('full');
    const { page } = stage;
    await page.locator('.part').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.legend .lnk', { hasText: 'memory' }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.className.includes('from-memory')), true);
    const more = page.locator('.part.from-memory .lnk.small').first();
    const folded = await page.locator('.part.from-memory pre').first().innerText();
    await more.click();
    assert.ok((await page.locator('.part.from-memory pre').first().innerText()).length > folded.length);
    assert.deepEqual(await asked(stage), [['openPart', { key: '0', what: 'source' }]]);
    await page.context().close();
  });

  test('choices ask the host, and a changed part is outlined', async () => {
    const stage = await open('full');
    const { page } = stage;
    await page.getByRole('button', { name: 'Easy' }).click();
    await page.getByRole('button', { name: 'Without document' }).click();
    await page.locator('vscode-checkbox', { hasText: 'Use the memory of spade-8b' }).click();
    await page.getByRole('button', { name: 'Draw other examples' }).first().click();
    await page.getByRole('button', { name: 'Search…' }).click();
    await page.locator('.go').click();
    await page.waitForFunction(() => window.sentToHost.some(({ params }) => JSON.stringify(params).includes('design')));
    assert.deepEqual(await asked(stage), [
      ['change', { difficulty: 'easy' }], ['change', { variant: 'noDocument' }], ['change', { useMemory: false }], ['act', { action: 'drawMemory' }], ['act', { action: 'searchDocument' }], ['act', { action: 'design' }],
    ]);
    await stage.note('state', await redrawn());
    await page.waitForSelector('.part.touched.from-memory');
    await page.context().close();
  });

  test('in a workspace that is not trusted it says what is not in use, and designs nothing', async () => {
    const stage = await open('restricted');
    const { page } = stage;
    assert.match((await page.locator('.top').innerText()) ?? '', /not trusted: its prompt templates, model settings and run are not in use/);
    assert.equal(await page.locator('.go').getAttribute('disabled'), '');
    await page.getByRole('button', { name: 'Manage workspace trust' }).click();
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'act'));
    assert.deepEqual(await asked(stage), [['act', { action: 'manageTrust' }]]);
    await page.context().close();
  });

  test('while drafts are made Design is Stop', async () => {
    const stage = await open('designing');
    const { page } = stage;
    assert.equal(await page.locator('.go').count(), 0);
    assert.match((await page.locator('.foot').textContent()) ?? '', /line 42/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'act'));
    assert.deepEqual(await asked(stage), [['act', { action: 'stop' }]]);
    await page.context().close();
  });
});
