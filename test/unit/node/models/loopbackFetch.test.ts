import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loopbackRequest } from '../../../../src/node/models/loopbackFetch';

/** Answers in two pieces, every second time over a connection that it closes, and now and then breaks off. */
let served = 0;
const server = http.createServer((request, response) => {
  const turn = (served += 1);
  request.resume();
  response.writeHead(200, turn % 2 === 0 ? { connection: 'close' } : {});
  response.write('one');
  if (turn % 5 === 0) setTimeout(() => response.destroy(), turn % 3);
  else setTimeout(() => response.end('two'), turn % 3);
});
const uncaught: Error[] = [];
const note = (error: Error): void => void uncaught.push(error);
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());
beforeEach(() => void process.on('uncaughtException', note));
afterEach(() => void process.off('uncaughtException', note));

/** Asks, reads so many pieces, and leaves, at once or a turn later. */
async function leave(pieces: number, later: boolean): Promise<void> {
  const controller = new AbortController();
  const answer = await loopbackRequest(url, { method: 'POST', body: '{}', headers: {}, signal: controller.signal });
  const reading = answer[Symbol.asyncIterator]();
  for (let left = pieces; left > 0; left -= 1) {
    const piece = await reading.next().catch(() => ({ done: true }));
    if (piece.done) break;
  }
  if (later) await setImmediate();
  controller.abort();
}

describe('a request to this computer', () => {
  it('that is left at any moment throws nothing that nobody waits for', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 60; round += 1) {
      await Promise.all([0, 1, 2, 3].flatMap((pieces) => [leave(pieces, false), leave(pieces, true)]));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(uncaught).toEqual([]);
  });

  it('that is cancelled before its answer is an AbortError', async () => {
    const controller = new AbortController();
    const asked = loopbackRequest(url, { headers: {}, signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await expect(loopbackRequest(url, { headers: {}, signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
