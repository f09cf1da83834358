import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { startArms } from '../../src/core/play/arms';
import { modelPolicy } from '../../src/core/play/policies/model';
import { systemClock } from '../../src/node/clock';
import { createModelClient } from '../../src/node/models/openaiClient';
import { event, reply, startModelServer, type Answer } from '../fakes/modelServer';
import { scriptedSandbox } from '../fakes/scriptedSandbox';
import { report, summarise } from './measure';

const CHUNKS = 1_000;
const RATE = 200;
const EPISODES = 64;
const TURNS = 5;
const LATENCY_MS = 200;

/** Sends chunks at an even rate, each holding the time at which it was written. */
const ticking: Answer = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const start = performance.now();
  for (let n = 0; n < CHUNKS; n += 1) {
    const due = start + (n * 1_000) / RATE;
    if (due > performance.now()) await sleep(due - performance.now());
    response.write(event({ content: `${performance.now()} ` }));
  }
  response.end(event({}, 'stop'));
};

/** Answers after the latency; the box wins on the last turn only. */
const slow: Answer = async (response, request) => {
  await sleep(LATENCY_MS);
  await reply('\\boxed{1}')(response, request);
};

const servers = await Promise.all([startModelServer([ticking]), startModelServer([slow])]);
afterAll(() => Promise.all(servers.map((server) => server.close())));

it('a chunk reaches its reader', async () => {
  const client = createModelClient({ endpoint: servers[0].endpoint, model: 'fake' });
  const delays: number[] = [];
  for await (const got of client.stream({ messages: [{ role: 'user', content: 'x' }] }, new AbortController().signal)) {
    if (got.type === 'text') delays.push(performance.now() - Number(got.text));
  }
  const times = summarise(delays);
  report(`from chunk to reader at ${RATE} chunks a second`, times, '16 ms at the median');
  expect(times.n).toBe(CHUNKS);
});

it('many episodes play at once', async () => {
  const client = createModelClient({ endpoint: servers[1].endpoint, model: 'fake' });
  const sandbox = scriptedSandbox(() => {
    let turns = 0;
    return { reset: () => 'go', step: () => { turns += 1; return ['on', 1, turns === TURNS, false]; } };
  });
  const started = performance.now();
  const play = startArms({
    file: { name: 'e', source: '' }, sandbox, policy: modelPolicy({ client }), hint: null, mode: 'paired', seeds: Array.from({ length: EPISODES }, (_, seed) => seed), plays: 1,
    concurrency: EPISODES, clock: systemClock,
  }, () => undefined, new AbortController().signal);
  const { arms } = await play.result;
  const took = performance.now() - started;
  const ideal = LATENCY_MS * TURNS;
  report(`${EPISODES} episodes of ${TURNS} turns at ${LATENCY_MS} ms, ideal ${ideal} ms`, summarise([took]), 'within 10 % of the ideal');
  expect(arms.noHint.mean).toBe(1);
});
