/** The player by itself, in every state and theme: pictures, accessibility, hostile texts, the keyboard. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { scenes, type Scene } from './webview/scenes';
import { judgeInAllThemes } from './webview/judged';
import { openScene } from './webview/stage';

const pictures = path.join(resultsFolder, 'player');

suite('player webview', () => {
  let browser: Browser;

  suiteSetup(async () => {
    fs.mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  suiteTeardown(() => browser.close());

  for (const scene of scenes) {
    test(`${scene.name}: drawn under the policy in three themes, nothing serious for axe`, async () => {
      await judgeInAllThemes(await openScene(browser, scene), pictures, scene.name);
    });
  }

  const sceneNamed = (name: string): Scene => scenes.find((scene) => scene.name === name) as Scene;

  test('hostile texts are text: no markup, no script, no control character, no direction mark reaches the page', async () => {
    const { page, problems } = await openScene(browser, sceneNamed('hostile'));
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

  test('what is said is set by the size of the editor\'s own font, and its lines grow with it', async () => {
    const { page } = await openScene(browser, sceneNamed('finished'));
    const measured = (size: string) => page.evaluate((editorSize) => {
      document.documentElement.style.setProperty('--vscode-editor-font-size', editorSize);
      return [...document.querySelectorAll<HTMLElement>('.step .said, .code')].map((box) => {
        const { fontSize, lineHeight } = getComputedStyle(box);
        return { size: parseFloat(fontSize), line: parseFloat(lineHeight) };
      });
    }, size);
    const [ordinary, large] = [await measured('14px'), await measured('28px')];
    assert.ok(ordinary.length > 0);
    assert.ok(ordinary.every(({ size, line }) => size === 12 && line >= 17 && line <= 18), JSON.stringify(ordinary[0]));
    assert.ok(large.every(({ size, line }) => size === 24 && line > size), JSON.stringify(large[0]));
    await page.screenshot({ path: path.join(pictures, 'large-font.png') });
    await page.context().close();
  });

  test('a text of 300 kB and one of 30,000 lines are cut, and open as a document', async () => {
    const stage = await openScene(browser, sceneNamed('hostile'));
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
    const stage = await openScene(browser, sceneNamed('finished'));
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
    assert.deepEqual((await stage.sent()).filter(({ method }) => method === 'watch').at(-1)?.params, { hint: 8, noHint: 8, compare: null });
    await page.context().close();
  });

  test('Shift and an arrow put two seeds of one arm side by side; Escape goes back to both arms', async () => {
    const stage = await openScene(browser, sceneNamed('finished'));
    const { page } = stage;
    const watched = async () => (await stage.sent()).filter(({ method }) => method === 'watch').at(-1)?.params;
    await page.locator('.cell.sel').first().focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForFunction(() => window.sentToHost.some(({ method, params }) => method === 'watch' && (params as { compare: unknown }).compare !== null));
    assert.deepEqual(await watched(), { hint: 7, noHint: 8, compare: { arm: 'hint', other: false } });
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForFunction(() => window.sentToHost.some(({ method, params }) => method === 'watch' && (params as { noHint: number }).noHint === 9));
    assert.deepEqual(await watched(), { hint: 7, noHint: 9, compare: { arm: 'hint', other: false } });
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => (window.sentToHost.filter(({ method }) => method === 'watch').at(-1)?.params as { compare: unknown }).compare === null);
    assert.deepEqual(await watched(), { hint: 9, noHint: 9, compare: null });
    await page.context().close();
  });

  test('the columns scroll together until the lock is opened, and then each by itself; the keyboard still reaches both', async () => {
    const { page } = await openScene(browser, sceneNamed('large'));
    const tops = () => page.evaluate(() => [...document.querySelectorAll('.cols')].map(({ scrollTop }) => scrollTop));
    const lock = page.getByRole('button', { name: 'Scroll both columns together' });
    assert.equal(await lock.getAttribute('aria-pressed'), 'true');
    await lock.click();
    await page.waitForFunction(() => document.querySelectorAll('.cols').length === 2);
    await page.evaluate(() => document.querySelectorAll('.cols')[1]?.scrollTo({ top: 1e6 }));
    await page.locator('.step[data-arm=noHint][data-step="50"]').waitFor();
    const [left, right = 0] = await tops();
    assert.equal(left, 0);
    assert.ok(right > 1000, `the right column is at ${right} px`);
    await page.locator('.step[data-arm=hint][data-step="1"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.activeElement?.matches('.step[data-arm=noHint][data-step="1"].sel'));
    await page.screenshot({ path: path.join(pictures, 'unlocked-dark.png') });
    await lock.click();
    await page.waitForFunction(() => document.querySelectorAll('.cols').length === 1);
    assert.equal(await page.locator('.step.sel').getAttribute('data-arm'), 'noHint');
    await page.context().close();
  });

  test('identical steps fold to one row that opens, and a step behind it is reached by keyboard', async () => {
    const { page } = await openScene(browser, sceneNamed('compared'));
    await page.locator('.step.sel[data-step="4"]').waitFor();
    assert.equal(await page.locator('.step[data-step="2"]').count(), 0);
    assert.match((await page.locator('.same').textContent()) ?? '', /Steps 2 to 3 are the same/);
    await page.locator('.step.sel').focus();
    await page.keyboard.press('ArrowUp');
    await page.locator('.step.sel[data-step="3"]').waitFor();
    assert.equal(await page.locator('.same').count(), 0);
    await page.context().close();
  });

  test('what a search finds is marked, step by step', async () => {
    const { page } = await openScene(browser, sceneNamed('finished'));
    await page.getByRole('button', { name: 'Search in transcripts' }).click();
    await page.locator('vscode-text-field.search input').fill('digits');
    await page.locator('vscode-text-field.search input').press('Enter');
    await page.waitForFunction(() => (CSS.highlights.get('found')?.size ?? 0) > 2);
    const texts = await page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => (range as Range).toString().toLowerCase()));
    assert.ok(texts.every((text) => text === 'digits'), texts.join());
    await page.getByRole('button', { name: 'Search in transcripts' }).click();
    await page.waitForFunction(() => !CSS.highlights.has('found'));
    await page.context().close();
  });

  test('a person plays by keyboard: a reply, then a tool by its form, with what is wrong said', async () => {
    const stage = await openScene(browser, sceneNamed('human-tools'));
    const { page } = stage;
    const moves = async () => (await stage.sent()).filter(({ method }) => method === 'humanMove').map(({ params }) => params);
    await page.locator('.seat').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName.toLowerCase()), 'vscode-text-area', 'the box has the focus when it is a person’s turn');
    await page.waitForFunction(() => {
      const [step, columns] = [document.querySelector('.step[data-step="2"]'), document.querySelector('.cols')].map((part) => part?.getBoundingClientRect());
      return step && columns && step.top >= columns.top && step.bottom <= columns.bottom;
    });
    await page.keyboard.type('<answer>40</answer>');
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'humanMove'));
    assert.deepEqual(await moves(), [{ kind: 'reply', text: '<answer>40</answer>' }]);
    await stage.note('state', { ...sceneNamed('human-tools').state, human: { ...sceneNamed('human-tools').state.human, step: 3 } });
    await page.waitForFunction(() => document.querySelector('.seat b')?.textContent?.includes('step 3'));
    const fields = page.locator('.seat .form input');
    await fields.nth(0).fill('A-1');
    await fields.nth(1).fill('many');
    await page.getByRole('button', { name: 'Call tool' }).click();
    assert.match((await page.locator('.seat [role=alert]').textContent()) ?? '', /amount takes a number/);
    await fields.nth(1).fill('17.5');
    await page.getByRole('button', { name: 'Call tool' }).click();
    await page.waitForFunction(() => window.sentToHost.filter(({ method }) => method === 'humanMove').length === 2);
    assert.deepEqual((await moves())[1], { kind: 'call', name: 'refund', arguments: { order_id: 'A-1', amount: 17.5 } });
    await page.context().close();
  });

  test('a changed episode of a comparison is shown beside the earlier one; missing plays and further pairs can be asked for', async () => {
    const stage = await openScene(browser, sceneNamed('compared'));
    await stage.page.locator('.chg').nth(1).click();
    await stage.page.waitForFunction(() => window.sentToHost.some(({ method, params }) => method === 'watch' && (params as { noHint: number }).noHint === 11));
    assert.deepEqual((await stage.sent()).filter(({ method }) => method === 'watch').at(-1)?.params, { hint: 11, noHint: 11, compare: { arm: 'noHint', other: true } });
    await stage.page.getByRole('button', { name: 'Back to that session' }).click();
    await stage.page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'endComparison'));
    await stage.page.context().close();
    const partial = await openScene(browser, sceneNamed('partial'));
    await partial.page.getByRole('button', { name: 'Play 40' }).click();
    await partial.page.getByRole('button', { name: 'Play 24 more pairs' }).click();
    await partial.page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'extend'));
    const asked = (await partial.sent()).filter(({ method }) => method === 'resume' || method === 'extend');
    assert.deepEqual(asked, [{ method: 'resume', params: null }, { method: 'extend', params: { pairs: 24 } }]);
    await partial.page.context().close();
  });

  test('what is not near the screen is not on the page: 2 \u00d7 50 steps', async () => {
    const { page } = await openScene(browser, sceneNamed('large'));
    const drawn = await page.locator('.step').count();
    assert.ok(drawn >= 4 && drawn < 40, `${drawn} steps are drawn`);
    await page.evaluate(() => document.querySelector('.cols')?.scrollTo({ top: 1e6 }));
    await page.locator('.step[data-step="50"]').first().waitFor();
    assert.ok((await page.locator('.step').count()) < 40);
    await page.context().close();
  });

  test('streaming: no task over 50 ms, and the text arrives whole', async () => {
    const stage = await openScene(browser, sceneNamed('running'));
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

  test('streaming: what the user does in the same frame shows, and text of one arm is there when the other begins a step', async () => {
    const stage = await openScene(browser, sceneNamed('running'));
    const { page } = stage;
    const noHint = page.locator('.step[data-arm=noHint][data-step="3"]');
    await stage.note('stream', [
      { kind: 'text', arm: 'noHint', slot: 15, step: 3, text: 'so the sum is ' },
      { kind: 'begin', arm: 'hint', slot: 15, step: 3, observation: { text: 'Next.', length: 5, lines: 1 } },
    ]);
    await page.locator('.step[data-arm=hint][data-step="3"]').waitFor();
    assert.ok(((await noHint.textContent()) ?? '').includes('so the sum is '));
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('.lock')?.click();
      const note = { type: 'note', method: 'stream', params: [{ kind: 'text', arm: 'noHint', slot: 15, step: 3, text: 'seventeen' }] };
      window.dispatchEvent(new MessageEvent('message', { data: note }));
    });
    await page.locator('.lock[aria-pressed=false]').waitFor({ timeout: 5000 });
    assert.ok(((await noHint.textContent()) ?? '').includes('so the sum is seventeen'));
    await page.context().close();
  });

  test('Run starts with seeds that are still in the field', async () => {
    const stage = await openScene(browser, sceneNamed('empty'));
    const { page } = stage;
    await page.locator('vscode-text-field.w62 input').fill('0-11');
    await page.locator('vscode-button.run').click();
    await page.waitForFunction(() => window.sentToHost.some(({ method }) => method === 'start'));
    const start = (await stage.sent()).find(({ method }) => method === 'start');
    assert.equal((start?.params as { seeds: string }).seeds, '0-11');
    await page.context().close();
  });
});
