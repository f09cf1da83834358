import fs from 'node:fs';
import path from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../editor/chromium';
import { resultsFolder } from '../editor/paths';
import { startServer, type EditorServer, type ServerOptions } from '../editor/server';

/** A real workbench in a real browser, driven by what a user can see and press. */
export class Workbench {
  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
    private readonly server: EditorServer,
  ) {}

  /** Opens `folder` with the packaged extension installed. `theme` is a VS Code theme's setting id. */
  static async open(folder: string, { theme = 'Default Dark Modern', ...options }: ServerOptions & { theme?: string } = {}): Promise<Workbench> {
    const server = await startServer({ ...options, settings: { 'workbench.colorTheme': theme, ...options.settings } });
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(30_000);
    await page.goto(server.url(folder, [['skipWelcome', 'true']]));
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
    return new Workbench(page, browser, server);
  }

  /** Runs a command by its title in the palette. */
  async command(title: string): Promise<void> {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title.replace(/^.*: /, '') }).first();
    // A palette that opens while the window is still being made can lose what was typed into it, and one that opens while editors close is closed with them.
    for (let attempt = 1; ; attempt += 1) {
      await this.page.keyboard.press('F1');
      const input = this.quickInput;
      try {
        await input.waitFor({ state: 'visible' });
        await input.fill(`>${title}`, { timeout: 10_000 });
        await row.waitFor({ timeout: 10_000 });
        break;
      } catch (error) {
        if (attempt === 3) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
    await this.page.keyboard.press('Enter');
  }

  /** Opens a file of the workspace by its path in it; a bare name could meet the title of a panel. */
  async openFile(file: string): Promise<void> {
    const name = file.split('/').at(-1)!;
    await this.page.keyboard.press('ControlOrMeta+P');
    await this.quickInput.waitFor({ state: 'visible' });
    await this.quickInput.fill(file);
    // The label begins with the name; a panel about the file is titled otherwise.
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: new RegExp(`^${name}`) }).first().click();
    await this.page.locator(`.monaco-editor[data-uri$="${name}"]`).first().waitFor();
  }

  /** Opens an environment file and waits until it is recognised: the lens above its class is there. */
  async openEnvironment(name: string): Promise<void> {
    await this.openFile(`environments/${name}`);
    await this.page.locator('.codelens-decoration', { hasText: 'Push' }).first().waitFor();
  }

  /**
   * Reloads the window once its layout holds a panel of `viewType` and what that kept, told by `keptKey`. The served editor
   * writes its layout every five seconds, when idle, and not when a page goes away: what came just before would be lost
   * whatever the extension does.
   */
  async reload(viewType: string, keptKey: string): Promise<void> {
    for (let left = 120; !(await this.layouts()).some((layout) => layout.includes(viewType) && layout.includes(keptKey)); left -= 1) {
      if (left === 0) throw new Error(`The editor wrote no layout with ${viewType} and its ${keptKey}.`);
      await this.page.waitForTimeout(500);
    }
    await this.page.reload();
  }

  /** The layouts that the editor has written, as JSON. */
  private layouts(): Promise<string[]> {
    return this.page.evaluate(async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith('vscode-web-state-db-') ? [name] : []));
      return Promise.all(names.map((name) => new Promise<string>((found) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => found('');
        opening.onsuccess = () => {
          const database = opening.result;
          const reading = database.transaction('ItemTable').objectStore('ItemTable').get('memento/workbench.parts.editor');
          reading.onsuccess = () => (database.close(), found(String(reading.result)));
          reading.onerror = () => (database.close(), found(''));
        };
      })));
    });
  }

  /** Answers the open modal dialog with one of its buttons. */
  async dialog(button: string | RegExp): Promise<void> {
    await this.page.locator('.monaco-dialog-box').getByRole('button', { name: button }).click();
  }

  /** Picks a row of the open quick pick. */
  async pick(text: string): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
  }

  /** Types into the open input box and confirms. */
  async answer(text: string): Promise<void> {
    await this.quickInput.waitFor({ state: 'visible' });
    await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the open input box holds a text that matches. */
  async inputHolds(pattern: RegExp): Promise<void> {
    for (let left = 150; ; left -= 1) {
      const value = (await this.quickInput.isVisible()) ? await this.quickInput.inputValue() : '';
      if (pattern.test(value)) return;
      if (left === 0) throw new Error(`The input holds ${JSON.stringify(value)}, not ${String(pattern)}.`);
      await this.page.waitForTimeout(100);
    }
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  /** Rows of the Problems panel, opened if need be. */
  async problems(): Promise<Locator> {
    await this.command('Problems: Focus on Problems View');
    return this.page.locator('.markers-panel .monaco-list-row');
  }

  /** Rows of a view of the side bar, by the view's title. */
  viewRows(title: string): Locator {
    return this.page.locator('.pane', { has: this.page.locator('.pane-header', { hasText: title }) }).locator('.monaco-list-row');
  }

  /** The inside of the active webview. */
  get webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Saves a picture under `test-results/`. */
  async picture(name: string): Promise<void> {
    fs.mkdirSync(resultsFolder, { recursive: true });
    await this.page.screenshot({ path: path.join(resultsFolder, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
  }
}
