import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { message } from '../../../shared/message';
import { SandboxError } from '../../../core/sandboxError';
import type { Wheel } from './wheels';

/** The JSON form of a simple index's page of a project. */
const Project = z.object({ files: z.array(z.object({ filename: z.string(), url: z.string() })) });

/** No wheel of the list is half as large, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const REQUEST_MS = 120_000;

/** The index that pip would use, from its environment variable or its configuration files; null when neither names one. */
export async function findIndex(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  if (env['PIP_INDEX_URL']) return env['PIP_INDEX_URL'];
  const home = os.homedir();
  const places = [
    env['PIP_CONFIG_FILE'], env['VIRTUAL_ENV'] && path.join(env['VIRTUAL_ENV'], 'pip.conf'), path.join(home, '.config', 'pip', 'pip.conf'), path.join(home, '.pip', 'pip.conf'),
    path.join(home, 'Library', 'Application Support', 'pip', 'pip.conf'), env['APPDATA'] && path.join(env['APPDATA'], 'pip', 'pip.ini'), '/etc/pip.conf',
  ];
  for (const place of places) {
    const text = place ? await fs.readFile(place, 'utf8').catch(() => '') : '';
    const found = /^\s*index[-_]url\s*[=:]\s*(\S+)/m.exec(text)?.[1];
    if (found) return found;
  }
  return null;
}

/** Downloads one wheel from a simple index to a file; rejects with a `SandboxError` when the index has it not, or other bytes. */
export async function downloadFromIndex(index: string, wheel: Wheel, file: string, signal?: AbortSignal): Promise<void> {
  const page = new URL(`${wheel.project}/`, index.endsWith('/') ? index : `${index}/`);
  const listing = await get(page, index, 'application/vnd.pypi.simple.v1+json, text/html;q=0.5', signal);
  const link = linkTo(listing.toString('utf8'), wheel.file);
  if (link === null) throw failed(wheel.file, 'the index does not have it');
  const bytes = await get(new URL(link, page), index, '*/*', signal);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (digest !== wheel.sha256) throw failed(wheel.file, `its SHA-256 is ${digest}`);
  await fs.writeFile(file, bytes);
}

/** Address of a file on a project's page, of either form of the page. */
function linkTo(page: string, file: string): string | null {
  try {
    return Project.parse(JSON.parse(page)).files.find(({ filename }) => filename === file)?.url ?? null;
  } catch {
    const links = [...page.matchAll(/<a\s[^>]*?href\s*=\s*["']([^"']+)["']/gi)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
    return links.find((link) => path.posix.basename(link.replace(/[?#].*$/s, '')) === file) ?? null;
  }
}

async function get(address: URL, index: string, accept: string, signal?: AbortSignal): Promise<Buffer> {
  const base = new URL(index);
  const target = new URL(address);
  const headers: Record<string, string> = { accept };
  // `fetch` takes no credentials in an address; they go to the index itself and to nobody else.
  if (target.origin === base.origin && base.username !== '') {
    headers['authorization'] = `Basic ${Buffer.from(`${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`).toString('base64')}`;
  }
  target.username = '';
  target.password = '';
  const limit = AbortSignal.timeout(REQUEST_MS);
  try {
    const response = await fetch(target, { headers, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    if (!response.ok) throw failed(path.posix.basename(target.pathname), `${target.host} answered ${response.status}`);
    return await bounded(response);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SandboxError) throw error;
    throw failed(path.posix.basename(target.pathname), `${target.host} could not be reached`, error);
  }
}

async function bounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw failed(response.url, 'it is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failed(file: string, why: string, cause?: unknown): SandboxError {
  return new SandboxError('sandbox/download', message('{file} could not be downloaded: {why}.', { file, why }),
    message('Check the package index in the settings, or PIP_INDEX_URL, and try again.'), null, null, { cause });
}
