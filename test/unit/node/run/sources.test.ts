import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeFileStore } from '../../../../src/node/files/nodeFileStore';
import { jobOfRun, readLauncher } from '../../../../src/node/run/launchReader';
import { listProcesses, readProcess } from '../../../../src/node/run/processes';
import { listRayJobs } from '../../../../src/node/run/rayJobs';
import { tempFolder } from '../../../helpers/tempFolder';

const open: (Server | ChildProcess)[] = [];
afterEach(() => {
  for (const each of open.splice(0)) {
    if ('close' in each) each.close();
    else each.kill('SIGKILL');
  }
});

async function ray(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ENTRYPOINT = "python3 -m train_spade_slime --rollout-function-path f --spade-use-env-memory --spade-cache-dir '/out/a cache' --wandb-key TOPSECRETVALUE";
const job = (id: string, status: string, start: number, entrypoint = ENTRYPOINT) => ({
  submission_id: id, job_id: null, type: 'SUBMISSION', status, entrypoint, start_time: start, runtime_env: { env_vars: { OPENAI_API_KEY: 'TOPSECRETVALUE' } }, metadata: { token: 'TOPSECRETVALUE' },
});

describe('the jobs of a Ray cluster', () => {
  it('are read with one request that changes nothing, and only the kept flags leave it', async () => {
    const asked: string[] = [];
    const address = await ray((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(JSON.stringify([job('old', 'STOPPED', 1), job('new', 'RUNNING', 2), job('other', 'RUNNING', 3, 'python3 serve.py'), 'odd', { status: 1 }]));
    });
    const jobs = await listRayJobs(`${address}/`, 0);
    expect(asked).toEqual(['GET /api/jobs/']);
    expect(jobs.map(({ id, status }) => [id, status])).toEqual([['new', 'RUNNING'], ['old', 'STOPPED']]);
    expect(jobs[0]?.launch.flags['spade-cache-dir']?.values).toEqual(['/out/a cache']);
    expect(JSON.stringify(jobs)).not.toContain('TOPSECRET');
    expect(jobOfRun(jobs, { cacheDir: '/elsewhere' }, 'old').id).toBe('old');
    expect(jobOfRun(jobs, { cacheDir: '/elsewhere' }).id).toBe('new');
    expect(() => jobOfRun([...jobs, ...jobs], { cacheDir: '/elsewhere' })).toThrow(/not clear/);
  });

  it('answers that are wrong, huge, redirected or never come are errors with a next step', async () => {
    const cases: [RequestListener, string][] = [
      [(_, response) => response.end('<html>'), 'run/ray-answer'],
      [(_, response) => response.end('{"jobs": []}'), 'run/ray-answer'],
      [(_, response) => response.writeHead(403).end(), 'run/ray-answer'],
      [(_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'run/ray-unreachable'],
      [(_, response) => { for (let count = 0; count < 10; count += 1) response.write(Buffer.alloc(1 << 20, 32)); response.end(); }, 'run/ray-answer'],
    ];
    for (const [listener, code] of cases) await expect(listRayJobs(await ray(listener), 0)).rejects.toMatchObject({ code });
    await expect(listRayJobs('http://user:password@127.0.0.1:1', 0)).rejects.toMatchObject({ code: 'run/ray-address' });
    await expect(listRayJobs('http://127.0.0.1:1', 0)).rejects.toMatchObject({ code: 'run/ray-unreachable' });
  });

  it('a request is given up when its signal aborts', async () => {
    const stop = new AbortController();
    const address = await ray(() => stop.abort());
    await expect(listRayJobs(address, 0, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a process', () => {
  it('of this user is found by its flags, and its keys are not read out', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', '--spade-use-env-memory', '--rollout-batch-size', '24', '--wandb-key', 'TOPSECRETVALUE'], { stdio: 'ignore' });
    open.push(child);
    await new Promise((resolve) => child.once('spawn', resolve));
    const launch = await readProcess(child.pid ?? 0, 0);
    expect(launch.flags).toEqual({ 'spade-use-env-memory': { values: [], notes: [] }, 'rollout-batch-size': { values: ['24'], notes: [] } });
    const listed = (await listProcesses(0)).filter(({ pid }) => pid === child.pid);
    expect(listed).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain('TOPSECRET');
  });

  it('that is no run, or is not there, is an error', async () => {
    await expect(readProcess(process.pid, 0)).rejects.toMatchObject({ code: 'run/no-flags' });
    await expect(readProcess(2 ** 30, 0)).rejects.toMatchObject({ code: 'run/no-such-process' });
  });
});

describe('a launcher', () => {
  it('that is not there or starts no run is an error', async () => {
    const path = join(tempFolder(), 'run.sh');
    await expect(readLauncher(new NodeFileStore(), path, 0)).rejects.toMatchObject({ code: 'run/no-launcher' });
    writeFileSync(path, 'ls\n');
    await expect(readLauncher(new NodeFileStore(), path, 0)).rejects.toMatchObject({ code: 'run/no-flags' });
    writeFileSync(path, ENTRYPOINT);
    expect((await readLauncher(new NodeFileStore(), path, 0)).backend).toBe('slime');
  });
});
