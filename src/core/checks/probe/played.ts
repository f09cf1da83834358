import { isCancelled } from '../../errors';
import { SandboxError } from '../../sandboxError';
import type { DividedRound } from './battery';
import type { Job, JobFacts } from './plan';
import type { ProbeRunner } from './runner';

/** What came of jobs that can be left out; nothing where the sandbox gives no session for them, so that it is simply not known. */
export async function playedIfPossible(runner: ProbeRunner, jobs: readonly Job[]): Promise<JobFacts[]> {
  if (jobs.length === 0) return [];
  try {
    return await runner.run(jobs);
  } catch (error) {
    if (isCancelled(error) || !(error instanceof SandboxError)) throw error;
    return [];
  }
}

/** Plays a round, some of its jobs in the helper's session where it gets one: what comes of it is the same, and in the same order, sooner. */
export async function playedInTwo(main: ProbeRunner, helper: ProbeRunner, { jobs, apart }: DividedRound): Promise<JobFacts[]> {
  if (apart.size === 0 || main.lostSessions > 0) return main.run(jobs);
  const others = jobs.filter((_, at) => apart.has(at));
  const playing = main.run(jobs.filter((_, at) => !apart.has(at)));
  playing.catch(() => undefined);
  const helping = playedIfPossible(helper, others);
  helping.catch(() => undefined);
  const own = await playing;
  const helped = await helping;
  const left = [own, helped.length > 0 ? helped : await main.run(others)].map((facts) => facts.values());
  return jobs.map((_, at) => left[apart.has(at) ? 1 : 0]!.next().value!);
}
