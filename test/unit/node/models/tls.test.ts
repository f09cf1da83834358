import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectReply } from '../../../../src/core/models/collect';
import { createModelClient } from '../../../../src/node/models/openaiClient';
import { event } from '../../../fakes/modelServer';

const fixtures = join(import.meta.dirname, '../../../fixtures/tls');
const folder = mkdtempSync(join(tmpdir(), 'envwright-tls-'));
const server = https.createServer({ key: readFileSync(join(fixtures, 'key.pem')), cert: readFileSync(join(fixtures, 'cert.pem')) }, (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${event({ content: 'hello' })}${event({}, 'stop')}data: [DONE]\n\n`);
});
/** A proxy that takes everything and answers nothing of use; it counts who came by. */
let proxied = 0;
const proxy = http.createServer((_, response) => {
  proxied += 1;
  response.writeHead(502).end();
}).on('connect', (_, socket) => {
  proxied += 1;
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
const listen = async (one: http.Server | https.Server) => {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return (one.address() as AddressInfo).port;
};
let endpoint = '';
let proxyUrl = '';

/** Asks in a process of its own, as the command line does, with these variables set. */
async function askWith(env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'ask.cjs'), endpoint], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  return stdout.trim();
}

beforeAll(async () => {
  endpoint = `https://localhost:${await listen(server)}/v1`;
  proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
  writeFileSync(join(folder, 'ask.ts'), `
    import { createModelClient } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/node/models/openaiClient'))};
    import { collectReply } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/core/models/collect'))};
    collectReply(createModelClient({ endpoint: process.argv[2] ?? '', model: 'm', retries: 0 }), { messages: [{ role: 'user', content: 'x' }] }, new AbortController().signal)
      .then(({ text }) => console.log(text), (error) => console.log(error.code)).finally(() => process.exit());
  `);
  await build({ entryPoints: [join(folder, 'ask.ts')], bundle: true, platform: 'node', format: 'cjs', outfile: join(folder, 'ask.cjs'), logLevel: 'error', nodePaths: [join(import.meta.dirname, '../../../../node_modules')] });
});
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([server, proxy].map((one) => new Promise((resolve) => one.close(resolve))));
  rmSync(folder, { recursive: true, force: true });
});

describe('a self-signed certificate', () => {
  const ask = (strictTls?: boolean) => collectReply(createModelClient({ endpoint, model: 'm', retries: 0, ...(strictTls !== undefined && { strictTls }) }), { messages: [{ role: 'user', content: 'x' }] }, new AbortController().signal);

  it('is refused with its own error, which says where trust is set', async () => {
    await expect(ask()).rejects.toMatchObject({ code: 'model/certificate', next: { template: expect.stringMatching(/http\.systemCertificates.*NODE_EXTRA_CA_CERTS/) as string } });
  });

  it('is taken where the editor’s settings say so', async () => {
    expect((await ask(false)).text).toBe('hello');
    await expect(ask(true)).rejects.toMatchObject({ code: 'model/certificate' });
  });

  it('is taken by the command line once it is named as trusted', async () => {
    expect(await askWith({})).toBe('model/certificate');
    expect(await askWith({ NODE_EXTRA_CA_CERTS: join(fixtures, 'cert.pem') })).toBe('hello');
  });
});

describe('a proxy', () => {
  it('does not swallow a server on this computer, however the environment names it', async () => {
    const everything = Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [name, proxyUrl]));
    expect(await askWith({ ...everything, NODE_USE_ENV_PROXY: '1', NODE_EXTRA_CA_CERTS: join(fixtures, 'cert.pem') })).toBe('hello');
    expect(proxied).toBe(0);
  });
});
