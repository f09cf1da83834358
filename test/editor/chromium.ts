import fs from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { runOrThrow } from './process';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

const find = () => candidates.find((file) => file && fs.existsSync(file));

/** Path of a Chromium; as root on a Debian-like system it is installed when there is none. */
export async function ensureChromium(): Promise<string> {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    await runOrThrow('apt-get', ['update', '-qq']);
    await runOrThrow('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']);
    const installed = find();
    if (installed) return installed;
  }
  throw new Error('No Chromium found. Install one (Debian: apt-get install chromium fonts-dejavu-core), or set CHROMIUM to its path.');
}

/** A headless Chromium that makes no connection of its own. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--disable-dev-shm-usage'],
  });
}
