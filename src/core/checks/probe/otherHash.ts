import { HASH_ROUND } from './battery';
import { playedIfPossible } from './played';
import type { Job, JobFacts } from './plan';
import type { ProbeRunner } from './runner';

/**
 * What a file does in a process with another hash seed: beside the main process, or after it where the sandbox gives no second session.
 * Nothing of it is needed to plan what follows, so nobody waits for it before the end.
 */
export class OtherHash {
  private readonly runner: ProbeRunner;
  private readonly together: Promise<boolean>;
  private readonly first: Promise<JobFacts[]>;
  private second: Promise<JobFacts[]> = Promise.resolve([]);
  private compared: readonly Job[] = [];
  private later: ProbeRunner | null = null;

  /** Begins with what needs no knowledge. `runnerOf` gives a runner that waits for a session, or one that goes without rather than wait. */
  constructor(private readonly runnerOf: (unless?: 'full') => ProbeRunner) {
    this.runner = runnerOf('full');
    this.together = this.runner.prepare();
    this.first = this.together.then((has) => (has ? playedIfPossible(this.runner, HASH_ROUND) : []));
    this.first.catch(() => undefined);
  }

  /** Has further scenarios played, to be compared with those of the main process. */
  compare(jobs: readonly Job[]): void {
    this.compared = jobs;
    this.second = this.first.then(async () => ((await this.together) ? playedIfPossible(this.runner, jobs) : []));
    this.second.catch(() => undefined);
  }

  /** All that came of it. Where it has to be played after `main`, the session of that is given back first: whoever holds one waits for no other. */
  async facts(main: ProbeRunner): Promise<JobFacts[]> {
    if (await this.together) return [...(await this.first), ...(await this.second)];
    await main.rest();
    this.later = this.runnerOf();
    const first = await playedIfPossible(this.later, HASH_ROUND);
    const second = await playedIfPossible(this.later, this.compared);
    await this.later.rest();
    return [...first, ...second];
  }

  async close(): Promise<void> {
    await Promise.all([this.runner.close(), this.later?.close()]);
  }
}
