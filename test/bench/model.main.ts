/**
 * Figures of the model client: `node out/test/bench/model.main.js`. The endpoint is a process of its own, as endpoints are: what it needs of
 * the processor is not the client's.
 */
import { fork, type ChildProcess } from 'node:child_process';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startArms } from '../../src/core/play/arms';
import { modelPolicy } from '../../src/core/play/policies/model';
import { systemClock } from '../../src/node/clock';
import { createModelClient } from '../../src/node/models/openaiClient';
import { event, startModelServer, type Answer } from '../fakes/modelServer';
import { scriptedSandbox } from '../fakes/scriptedSandbox';
import { sharedNow } from '../fakes/tickingModel';
import { report, summarise } from './measure';

const CHUNKS = 1_000;
const RATE = 200;
const EPISODES = 64;
const TURNS = 5;
const LATENCY_MS = 200;
const ROUNDS = 8;

/** Sends chunks at an even rate, each holding the time of the machine's clock at which it was written. */
const ticking: Answer = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const start = performance.now();
  for (let n = 0; n < CHUNKS; n += 1) {
    const due = start + (n * 1_000) / RATE;
    if (due > performance.now()) await sleep(due - performance.now());
    response.write(event({ content: `${sharedNow()} ` }));
  }
  response.end(event({}, 'stop'));
};

/** Answers whole after the latency. */
const slow: Answer = async (response) => {
  await sleep(LATENCY_MS);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${event({ content: '\\boxed{1}' })}${event({}, 'stop')}data: [DONE]\n\n`);
};

const answers = { ticking, slow };

async function serve(name: string): Promise<void> {
  const { endpoint } = await startModelServer([answers[name as keyof typeof answers]]);
  process.send?.(endpoint);
  process.once('disconnect', () => process.exit(0));
}

async function withEndpoint(name: keyof typeof answers, work: (endpoint: string) => Promise<void>): Promise<void> {
  const child: ChildProcess = fork(__filename, [name]);
  try {
    await work(await new Promise<string>((resolve) => child.once('message', (endpoint) => resolve(endpoint as string))));
  } finally {
    child.disconnect();
  }
}

async function chunks(endpoint: string): Promise<void> {
  const client = createModelClient({ endpoint, model: 'fake' });
  const delays: number[] = [];
  for await (const got of client.stream({ messages: [{ role: 'user', content: 'x' }] }, new AbortController().signal)) {
    if (got.type === 'text') delays.push(sharedNow() - Number(got.text));
  }
  if (delays.length !== CHUNKS) throw new Error(`${delays.length} of ${CHUNKS} chunks came`);
  report(`from chunk to reader at ${RATE} chunks a second`, summarise(delays), '16 ms at the median');
}

/** The same requests by Node alone: what this machine and the endpoint take at the least. */
async function bare(endpoint: string): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const post = () => new Promise<void>((resolve, reject) => {
    const request = http.request(`${endpoint}/chat/completions`, { method: 'POST', agent }, (response) => response.resume().once('end', resolve));
    request.once('error', reject).end('{}');
  });
  const started = performance.now();
  await Promise.all(Array.from({ length: EPISODES }, async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await post();
  }));
  agent.destroy();
  return performance.now() - started;
}

async function played(endpoint: string): Promise<number> {
  const sandbox = scriptedSandbox(() => {
    let turns = 0;
    return { reset: () => 'go', step: () => { turns += 1; return ['on', 1, turns === TURNS, false]; } };
  });
  const started = performance.now();
  const { arms } = await startArms({
    file: { name: 'e', source: '' }, sandbox, policy: modelPolicy({ client: createModelClient({ endpoint, model: 'fake' }) }), hint: null, mode: 'paired',
    seeds: Array.from({ length: EPISODES }, (_, seed) => seed), plays: 1, concurrency: EPISODES, clock: systemClock,
  }, () => undefined, new AbortController().signal).result;
  if (arms.noHint.mean !== 1) throw new Error('not all episodes were won');
  return performance.now() - started;
}

async function episodes(endpoint: string): Promise<void> {
  const times: number[] = [];
  const least: number[] = [];
  const used: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = process.cpuUsage();
    times.push(await played(endpoint));
    const { user, system } = process.cpuUsage(before);
    used.push((user + system) / 1_000 / EPISODES / TURNS);
    least.push(await bare(endpoint));
  }
  const [first = 0, ...later] = times;
  const ideal = LATENCY_MS * TURNS;
  report(`${EPISODES} episodes of ${TURNS} turns at ${LATENCY_MS} ms, ideal ${ideal} ms`, summarise(later), `within 10 % of the ideal, ${1.1 * ideal} ms`);
  process.stdout.write(`  the first, with all that is loaded then: ${first.toFixed(0)} ms\n`);
  report('  of the processor for a turn', summarise(used.slice(1)), 'a part of it');
  report('  the same requests by Node alone', summarise(least.slice(1)), 'what this machine needs');
}

async function main(): Promise<void> {
  await withEndpoint('ticking', chunks);
  await withEndpoint('slow', episodes);
}

const role = process.argv[2];
(role && role in answers ? serve(role) : main()).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
