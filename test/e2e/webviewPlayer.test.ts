/** The player by itself, in every state and theme: pictures, accessibility, hostile texts, the keyboard. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { scenes, type Scene } from './webview/scenes';
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

  const sceneNamed = (name: string): Scene => scenes.find((scene) => scene.name === name) as Scene;

  test('hostile texts are text: no markup, no script, no control character, no direction mark reaches the page', async () => {
    const { page, problems } = await openScene(browser, sceneNamed('hostile'), 'dark');
    const found = await page.evaluate(() => ({
      title: document.title,
      made: document.querySelectorAll('main img, main script, main style, main i.tool, .said b').length,
      text: document.querySelector('main')?.textContent ?? '',
      height: Math.max(...[...document.querySelectorAll<HTMLElement>('.step')].map(({ offsetHeight }) => offsetHeight)),
    }));
    assert.equal(found.title, 'Player');
    assert.equal(found.made, 0);
    assert.match(found.text, /<img src=x onerror=/);
    assert.doesNotMatch(found.text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
    assert.match(found.text, /\u241b\[31mred/);
    assert.match(found.text, /\u27e8202E\u27e9txt\.exe/);
    assert.ok(found.height < 1200, `a step is ${found.height} px high`);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  test('a text of 300 kB and one of 30,000 lines are cut, and open as a document', async () => {
    const stage = await openScene(browser, sceneNamed('hostile'), 'dark');
    const { page } = stage;
    const third = page.locator('.step[data-arm=hint][data-step="3"]');
    await third.scrollIntoViewIfNeeded();
    assert.match((await third.textContent()) ?? '', /29,99\d more lines/);
    await third.getByRole('button', { name: 'Open as document' }).first().click();
    const sent = (await stage.sent()).filter(({ method }) => method === 'openText');
    assert.deepEqual(sent.map(({ params }) => params), [{ arm: 'hint', slot: 7, step: 3, part: 'observation' }]);
    const second = page.locator('.step[data-arm=hint][data-step="2"]');
    await second.getByRole('button', { name: /more/ }).first().click();
    assert.match((await second.textContent()) ?? '', /cut at 20,000 of 300,000 characters/);
    await page.context().close();
  });

  test('the whole panel by keyboard: regions, cells, steps, episodes', async () => {
    const stage = await openScene(browser, sceneNamed('finished'), 'dark');
    const { page } = stage;
    const region = () => page.evaluate(() => document.activeElement?.closest('[data-region]')?.className ?? '');
    const seen: string[] = [];
    for (let n = 0; n < 6; n++) {
      await page.keyboard.press('F6');
      seen.push((await region()).split(' ')[0] ?? '');
    }
    assert.deepEqual(seen, ['hd', 'ctl', 'values', 'eps', 'tr', 'insp']);
    await page.keyboard.press('Shift+F6');
    assert.equal(await region().then((name) => name.split(' ')[0]), 'tr');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.step.sel')?.getAttribute('data-arm') === 'noHint');
    assert.equal(await page.locator('.step.sel').getAttribute('data-step'), '4');
    assert.equal(await page.locator('.insp .trh b').textContent(), 'Step 4');
    await page.keyboard.press('Alt+ArrowUp');
    await page.waitForFunction(() => document.querySelector('.insp .trh b')?.textContent === 'Step 3');
    await page.keyboard.press('Shift+F6');
    assert.match((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '', /^Seed 7, with hint: won, return/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.match((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '', /^Seed 8, no hint/);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.tr .trh b')?.textContent === 'Seed 8');
    assert.deepEqual((await stage.sent()).filter(({ method }) => method === 'watch').at(-1)?.params, { hint: 8, noHint: 8 });
    await page.context().close();
  });

  test('what is not near the screen is not on the page: 2 \u00d7 50 steps', async () => {
    const { page } = await openScene(browser, sceneNamed('large'), 'dark');
    const drawn = await page.locator('.step').count();
    assert.ok(drawn >= 4 && drawn < 40, `${drawn} steps are drawn`);
    await page.evaluate(() => document.querySelector('.cols')?.scrollTo({ top: 1e6 }));
    await page.locator('.step[data-step="50"]').first().waitFor();
    assert.ok((await page.locator('.step').count()) < 40);
    await page.context().close();
  });

  test('streaming: no task over 50 ms, and the text arrives whole', async () => {
    const stage = await openScene(browser, sceneNamed('running'), 'dark');
    const { page } = stage;
    await page.evaluate(() => {
      const long: number[] = [];
      new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
      Object.assign(window, { long });
    });
    // Other programs take turns on the machine: of five rounds of 40 notes each, one without a long task shows what the page needs.
    const rounds: number[] = [];
    for (let round = 0; round < 5; round++) {
      await page.evaluate(() => ((window as unknown as { long: number[] }).long.length = 0));
      for (let n = 40 * round; n < 40 * (round + 1); n++) await stage.note('stream', [{ kind: 'text', arm: 'noHint', slot: 15, step: 3, text: `word${n} ` }]);
      await page.waitForTimeout(100);
      rounds.push(Math.max(0, ...(await page.evaluate(() => (window as unknown as { long: number[] }).long))));
    }
    const text = (await page.locator('.step[data-arm=noHint][data-step="3"]').textContent()) ?? '';
    assert.ok(text.includes(Array.from({ length: 200 }, (_, n) => `word${n} `).join('')));
    assert.ok(Math.min(...rounds) <= 50, `longest tasks of the rounds: ${rounds.join(', ')} ms`);
    await page.context().close();
  });

  test('Run starts with seeds that are still in the field', async () => {
    const stage = await openScene(browser, sceneNamed('empty'), 'dark');
    const { page } = stage;
    await page.locator('vscode-text-field.w62 input').fill('0-11');
    await page.locator('vscode-button.run').click();
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'start'));
    const start = (await stage.sent()).find(({ method }) => method === 'start');
    assert.equal((start?.params as { seeds: string }).seeds, '0-11');
    await page.context().close();
  });
});
