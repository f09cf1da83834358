import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadFromIndex, findIndex } from '../../../../src/node/sandbox/pyodide/packageIndex';
import { EMBEDDED_WHEELS, installEmbeddedWheels, installedWheels, type Wheel } from '../../../../src/node/sandbox/pyodide/wheels';
import { folder, removeFolders } from './kit';

afterAll(removeFolders);

const BYTES = Buffer.from('a wheel, as far as this test is concerned');
const wheel: Wheel = { project: 'some-thing', version: '1.0', file: 'some_thing-1.0-py3-none-any.whl', sha256: createHash('sha256').update(BYTES).digest('hex') };
const HTML = '<!DOCTYPE html><html><body><a href="other-1.0.tar.gz">x</a> <a data-x="1" href="../../files/some_thing-1.0-py3-none-any.whl?a=1&amp;b=2#sha256=00">y</a></body></html>';

let server: Server;
let base: string;
let asked: IncomingMessage[];
let pages: Record<string, Buffer | string>;
beforeEach(async () => {
  asked = [];
  pages = { '/simple/some-thing/': HTML, '/files/some_thing-1.0-py3-none-any.whl?a=1&b=2': BYTES };
  server = createServer((request, response) => {
    asked.push(request);
    const page = pages[request.url!];
    response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function downloaded(index: string, wanted = wheel): Promise<Buffer> {
  const file = path.join(await folder(), 'x.whl');
  await downloadFromIndex(index, wanted, file);
  return fs.readFile(file);
}

describe('a package index', () => {
  it('is read in its HTML form', async () => {
    expect(await downloaded(base)).toEqual(BYTES);
  });

  it('is read in its JSON form', async () => {
    pages['/simple/some-thing/'] = JSON.stringify({ files: [{ filename: 'x' , url: 'y' }, { filename: wheel.file, url: '/files/some_thing-1.0-py3-none-any.whl?a=1&b=2' }] });
    expect(await downloaded(`${base}/`)).toEqual(BYTES);
  });

  it('gets its credentials in a header', async () => {
    await downloaded(base.replace('http://', 'http://user%40x:pass@'));
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Basic ${Buffer.from('user@x:pass').toString('base64')}`));
  });

  it.each([
    ['other bytes', { sha256: 'f'.repeat(64) }, 'its SHA-256 is'],
    ['no such file', { file: 'some_thing-2.0-py3-none-any.whl' }, 'does not have it'],
    ['no such project', { project: 'nothing' }, 'answered 404'],
  ])('is refused with %s', async (_name, change, why) => {
    await expect(downloaded(base, { ...wheel, ...change })).rejects.toMatchObject({ code: 'sandbox/download', message: expect.stringContaining(why) as unknown });
  });

  it('is found in the environment first, then in the configuration of pip', async () => {
    const config = path.join(await folder(), 'pip.conf');
    await fs.writeFile(config, '[global]\ntimeout = 5\nindex-url = http://127.0.0.1:9/simple\n');
    expect(await findIndex({ PIP_CONFIG_FILE: config })).toBe('http://127.0.0.1:9/simple');
    expect(await findIndex({ PIP_CONFIG_FILE: config, PIP_INDEX_URL: 'http://127.0.0.1:8/simple' })).toBe('http://127.0.0.1:8/simple');
  });
});

describe('the embedded wheels', () => {
  it('are pinned by version and digest', () => {
    expect(EMBEDDED_WHEELS.map(({ project }) => project).sort()).toEqual(['antlr4-python3-runtime', 'latex2sympy2-extended', 'math-verify', 'mpmath', 'sympy']);
    for (const { file, version, sha256 } of EMBEDDED_WHEELS) {
      expect(file).toContain(`-${version}-py3-none-any.whl`);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('are not installed when an index offers something else under their name, and nothing is left behind', async () => {
    const cacheDir = await folder();
    for (const { project, file } of EMBEDDED_WHEELS) pages[`/simple/${project}/`] = `<a href="/files/${file}">x</a>`;
    for (const { file } of EMBEDDED_WHEELS) pages[`/files/${file}`] = BYTES;
    await expect(installEmbeddedWheels({ cacheDir, indexUrl: base, python: null })).rejects.toMatchObject({ code: 'sandbox/download' });
    expect(await installedWheels(cacheDir)).toEqual([]);
    expect(await fs.readdir(path.join(cacheDir, 'wheels'))).toEqual([]);
  });

  it('are asked of pip first, and of the index when pip fails', async () => {
    const cacheDir = await folder();
    await expect(installEmbeddedWheels({ cacheDir, indexUrl: base, python: '/no/such/python' })).rejects.toMatchObject({ code: 'sandbox/download', message: expect.stringContaining('404') as unknown });
    expect(asked.length).toBe(1);
  });
});
