#!/usr/bin/env node
/**
 * Stands in for the desktop `code` executable: takes the arguments that `runTests` of `@vscode/test-electron` passes and
 * runs the same suite in the extension host of the npm-served editor, with the suite's own exit code.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, format } from 'node:util';
import { launchBrowser } from './chromium';
import { startServer } from './server';

/** Lines of the workbench's console that say nothing about the suite. */
const noise = /^(Resolv|Creating a socket|\[(reconnection|Service Worker|AccountPolicy|AgentHost|lifecycle)|Ignoring fetching|Updating additional|Error while fetching the extension under|Creation of workbench|Timed out waiting for authentication)/;

const SUITE_TIME_LIMIT_MS = 600_000;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    strict: false,
    allowPositionals: true,
    options: { extensionDevelopmentPath: { type: 'string', multiple: true }, extensionTestsPath: { type: 'string' } },
  });
  const development = (values.extensionDevelopmentPath as string[] | undefined ?? []).map((folder) => path.resolve(folder));
  const suite = path.resolve(String(values.extensionTestsPath));
  const folder = positionals[0] ? path.resolve(positionals[0]) : fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-empty-'));
  const server = await startServer();
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const exit = new Promise<number>((resolve) => void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)));
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      const line = format(...args);
      if (!noise.test(line)) (type === 'error' ? process.stderr : process.stdout).write(`${line}\n`);
    });
    // This version ignores the payload keys for extension development, so the options go into the page's configuration.
    await page.addInitScript(injectDevelopmentOptions, { development, suite });
    await page.goto(server.url(folder, [['skipWelcome', 'true']]));
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`The suite did not end within ${SUITE_TIME_LIMIT_MS / 1000} s.`)), SUITE_TIME_LIMIT_MS).unref();
    });
    return await Promise.race([exit, late]);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Runs inside the page. */
function injectDevelopmentOptions({ development, suite }: { development: string[]; suite: string }): void {
  const scope = globalThis as unknown as {
    top: unknown;
    location: { host: string };
    document: { getElementById(id: string): { getAttribute(name: string): string; setAttribute(name: string, value: string): void } | null };
    MutationObserver: new (callback: (records: unknown, observer: { disconnect(): void }) => void) => { observe(node: unknown, options: object): void };
  };
  if (scope.top !== scope) return;
  const uri = (file: string) => ({ scheme: 'vscode-remote', authority: scope.location.host, path: file });
  new scope.MutationObserver((_records, observer) => {
    const meta = scope.document.getElementById('vscode-workbench-web-configuration');
    if (!meta) return;
    observer.disconnect();
    const configuration = JSON.parse(meta.getAttribute('data-settings')) as { developmentOptions?: object };
    configuration.developmentOptions = { ...configuration.developmentOptions, extensions: development.map(uri), extensionTestsPath: uri(suite) };
    meta.setAttribute('data-settings', JSON.stringify(configuration));
  }).observe(scope.document, { childList: true, subtree: true });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
