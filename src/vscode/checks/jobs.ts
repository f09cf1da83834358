import { onAbort } from '../../core/abort';
import type { Disposable } from '../../core/lifecycle';

/** Work on one version of something, shared by all who ask for it. */
export interface JobRequest<T> {
  readonly version: number;
  /** True for the work that includes the lesser one. */
  readonly thorough: boolean;
  readonly work: (signal: AbortSignal) => Promise<T>;
}

interface Job<T> {
  readonly version: number;
  readonly thorough: boolean;
  readonly stopper: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}

/**
 * One job at a time for each key. Who asks for what is already being done waits for it; what is asked of another version
 * stops the older job; a job that nobody waits for any longer is stopped.
 */
export class Jobs<T> implements Disposable {
  private readonly running = new Map<string, Job<T>>();

  /** @throws AbortError when `signal` aborts, or a job of another version takes the place of this one. */
  async run(key: string, request: JobRequest<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const known = this.running.get(key);
    const fits = known?.version === request.version && (known.thorough || !request.thorough);
    if (!fits) this.stop(key);
    return this.wait(known && fits ? known : this.start(key, request), signal);
  }

  /** Stops what is done for a key. */
  stop(key: string): void {
    this.running.get(key)?.stopper.abort();
    this.running.delete(key);
  }

  dispose(): void {
    for (const key of [...this.running.keys()]) this.stop(key);
  }

  private start(key: string, { version, thorough, work }: JobRequest<T>): Job<T> {
    const stopper = new AbortController();
    const job: Job<T> = { version, thorough, stopper, waiting: 0, result: work(stopper.signal) };
    const done = () => {
      if (this.running.get(key) === job) this.running.delete(key);
    };
    job.result.then(done, done);
    this.running.set(key, job);
    return job;
  }

  private wait(job: Job<T>, signal?: AbortSignal): Promise<T> {
    job.waiting += 1;
    if (!signal) return job.result;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        job.waiting -= 1;
        if (job.waiting === 0) job.stopper.abort();
        reject(new DOMException('The job was left.', 'AbortError'));
      });
      job.result.then(resolve, reject).finally(stay);
    });
  }
}
