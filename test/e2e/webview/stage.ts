/** Puts a panel's page on a browser tab as VS Code would: its shell, its policy, its theme; the host is played by the scene. */
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { pageHtml } from '../../../src/vscode/panels/html';
import { projectRoot } from '../../editor/paths';
import type { Scene } from './scenes';
import { inspection } from './states';
import type { Answers, Setting } from './setting';
import { themes, type ThemeName } from './themes';

const ORIGIN = 'http://webview.test';
const bundles = process.env.ENVWRIGHT_WEBVIEWS ?? path.join(projectRoot, 'dist', 'webview');

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** What the page did: messages to the host, errors and refusals of its policy. */
export interface Stage {
  readonly page: Page;
  readonly problems: string[];
  /** Sends a note to the page as its host would. */
  readonly note: (method: string, params: unknown) => Promise<void>;
  /** Requests and notes that the page sent, by name. */
  sent(): Promise<{ method: string; params: unknown }[]>;
}

declare global {
  interface Window {
    sentToHost: { method: string; params: unknown }[];
  }
}

/** Runs in the page before its own script: a host that answers from what it was given. */
function fakeHost(json: string): void {
  const answers = JSON.parse(json) as Answers;
  window.sentToHost = [];
  let saved = answers.saved;
  const post = (data: unknown): void => {
    setTimeout(() => window.dispatchEvent(new MessageEvent('message', { data })), 0);
  };
  const api = {
    postMessage(message: { type: string; id: number; method: string; params: unknown }) {
      window.sentToHost.push({ method: message.method, params: message.params });
      if (message.type === 'request') post({ type: 'result', id: message.id, result: answers.results[message.method] ?? null });
      const note = answers.notes?.[message.method];
      if (note) post({ type: 'note', ...note });
    },
    getState: () => saved,
    setState: (state: unknown) => {
      saved = state;
    },
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
}

/** Runs in the page: sets the theme as VS Code does, in place of the one before. */
function setTheme({ bodyClass, variables }: { bodyClass: string; variables: Record<string, string> }): void {
  const { style } = document.documentElement;
  for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
  document.body.className = bodyClass;
  document.body.setAttribute('data-vscode-theme-kind', bodyClass);
}

/** Changes the theme of an open page and waits until it is drawn anew. */
export async function switchTheme(page: Page, theme: ThemeName): Promise<void> {
  const { bodyClass, variables } = themes[theme];
  await page.evaluate(setTheme, { bodyClass, variables });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Opens a bundle in the dark theme and waits until the page has drawn it. */
export async function openBundle(browser: Browser, { bundle, title, width, height, answers }: Setting): Promise<Stage> {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 1 });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (entry) => entry.type() === 'error' && problems.push(entry.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') {
      const html = pageHtml({ title, language: 'en', script: `${ORIGIN}/${bundle}.entry.js`, style: `${ORIGIN}/${bundle}.entry.css`, source: ORIGIN, nonce: 'n0nce' });
      return route.fulfill({ contentType: 'text/html', body: html });
    }
    const file = path.join(bundles, path.basename(name));
    if (!fs.existsSync(file)) return route.fulfill({ status: 404 });
    return route.fulfill({ contentType: types[path.extname(file)] ?? 'text/plain', body: fs.readFileSync(file) });
  });
  await page.addInitScript(fakeHost, JSON.stringify(answers));
  await page.goto(`${ORIGIN}/`, { waitUntil: 'commit' });
  await page.waitForSelector('body');
  await switchTheme(page, 'dark');
  await page.waitForSelector('main');
  const note = (method: string, params: unknown): Promise<void> =>
    page.evaluate((json) => void window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(json) as unknown })), JSON.stringify({ type: 'note', method, params }));
  return { page, problems, note, sent: () => page.evaluate(() => window.sentToHost) };
}

/** Opens a scene of the player and waits until the page has drawn it. */
export async function openScene(browser: Browser, scene: Scene): Promise<Stage> {
  const slots = scene.pair?.slots ?? { hint: null, noHint: null };
  const ui = { order: 'seed', slots, compare: scene.pair?.compare ?? null, fold: true, step: scene.step ?? null, filter: null, bin: null, arm: scene.step?.arm ?? 'hint', editHint: scene.editHint ?? false, query: null };
  const answers: Answers = {
    results: { ready: { strings: {}, state: scene.state }, inspect: inspection, writeHint: { text: 'A new hint.' } },
    ...(scene.pair && { notes: { watch: { method: 'pair', params: scene.pair } }, saved: { uri: scene.state.uri, session: scene.state.sessionId, ui } }),
  };
  const stage = await openBundle(browser, { bundle: 'player', title: 'Player', width: scene.width, height: scene.height, answers });
  const { page, note } = stage;
  if (scene.pair) await page.waitForSelector('.step');
  await page.waitForTimeout(300);
  if (scene.stream) {
    await note('stream', scene.stream);
    await page.waitForTimeout(50);
  }
  return stage;
}
