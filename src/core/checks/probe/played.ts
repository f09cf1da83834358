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

/** Plays a round, its guesses in the helper's session where it gets one: what comes of it is the same, sooner. */
export async function playedInTwo(main: ProbeRunner, helper: ProbeRunner, { most, guesses }: DividedRound): Promise<JobFacts[]> {
  if (guesses.length === 0 || main.lostSessions > 0) return main.run([...most, ...guesses]);
  const playing = main.run(most);
  playing.catch(() => undefined);
  const guessing = playedIfPossible(helper, guesses);
  guessing.catch(() => undefined);
  const facts = await playing;
  const guessed = await guessing;
  return [...facts, ...(guessed.length > 0 ? guessed : await main.run(guesses))];
}
