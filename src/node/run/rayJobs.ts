import { z } from 'zod';
import { EnvwrightError } from '../../core/errors';
import { flagsOfShell } from '../../core/run/launchFlags';
import { RAY_ADDRESS, type RayJob } from '../../core/run/launchSources';
import { message } from '../../shared/message';

/** Longest wait for the answer in milliseconds, and its largest size in bytes. */
const WAIT_MS = 5_000;
const LARGEST = 8 << 20;

/** The rest of a job (its environment, above all) is not even looked at. */
const Job = z.object({
  entrypoint: z.string(),
  status: z.string(),
  submission_id: z.string().nullish(),
  job_id: z.string().nullish(),
  start_time: z.number().nullish(),
});

/** Entries that are no job are passed over: the list must not fail on one of them. */
const Jobs = z.array(z.unknown());

/**
 * The jobs of a Ray cluster that look like a run, the newest first; one request that changes nothing there. Of a command line only the
 * kept flags leave this function.
 * @throws EnvwrightError `run/ray-address`, `run/ray-unreachable`, `run/ray-answer`.
 */
export async function listRayJobs(address: string, nowMs: number, signal?: AbortSignal): Promise<RayJob[]> {
  const url = jobsUrl(address);
  const answer = Jobs.safeParse(await ask(url, signal));
  if (!answer.success) throw strange(url);
  return answer.data.flatMap((entry): RayJob[] => {
    const job = Job.safeParse(entry);
    if (!job.success) return [];
    const { entrypoint, status, submission_id: submission, job_id: number, start_time: start } = job.data;
    const kept = flagsOfShell(entrypoint);
    const id = submission ?? number ?? '';
    return kept ? [{ id, status, startedMs: start ?? null, launch: { source: 'ray', from: `${url.origin} ${id}`, at: nowMs, ...kept } }] : [];
  }).sort((a, b) => (b.startedMs ?? 0) - (a.startedMs ?? 0));
}

function jobsUrl(address: string): URL {
  const url = URL.parse(/^https?:\/\//.test(address) ? address : `http://${address}`);
  if (!url || url.username !== '' || url.password !== '') {
    throw new EnvwrightError('run/ray-address', message('This is no address of a Ray dashboard, or it holds a password.'), message('Give it like {example}.', { example: RAY_ADDRESS }));
  }
  return new URL(`${url.pathname.replace(/\/+$/, '')}/api/jobs/`, url.origin);
}

async function ask(url: URL, signal: AbortSignal | undefined): Promise<unknown> {
  const limit = AbortSignal.timeout(WAIT_MS);
  try {
    const response = await fetch(url, { redirect: 'error', headers: { accept: 'application/json' }, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    if (!response.ok) throw strange(url, response.status);
    return JSON.parse(await bounded(response, url)) as unknown;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EnvwrightError) throw error;
    if (error instanceof SyntaxError) throw strange(url);
    throw new EnvwrightError('run/ray-unreachable', message('{address} does not answer as a Ray dashboard.', { address: url.origin }), message('Check the address, or forward the port of the cluster. The launcher script can be given instead.'), { cause: error });
  }
}

async function bounded(response: Response, url: URL): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > LARGEST) throw strange(url);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function strange(url: URL, status?: number): EnvwrightError {
  return new EnvwrightError(
    'run/ray-answer', status === undefined ? message('{address} answered with something that is no list of jobs.', { address: url.origin }) : message('{address} answered with status {status}.', { address: url.origin, status }),
    message('Check that it is the address of a Ray dashboard.'),
  );
}
