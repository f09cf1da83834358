import { describe, expect, it } from 'vitest';
import { Jobs } from '../../../src/vscode/checks/jobs';

/** Work that ends when told to, or when it is stopped. */
function held(): { work: (signal: AbortSignal) => Promise<string>; end(text: string): void; started: number; stopped: boolean } {
  let end: (text: string) => void = () => undefined;
  const state = {
    started: 0, stopped: false, end: (text: string) => end(text),
    work: (signal: AbortSignal) => new Promise<string>((resolve, reject) => {
      state.started += 1;
      end = resolve;
      signal.addEventListener('abort', () => { state.stopped = true; reject(new DOMException('stopped', 'AbortError')); });
    }),
  };
  return state;
}

describe('jobs', () => {
  it('who asks for what is being done waits for it, also for less than it', async () => {
    const [jobs, one, other] = [new Jobs<string>(), held(), held()];
    const first = jobs.run('a', { version: 1, thorough: true, work: one.work });
    const second = jobs.run('a', { version: 1, thorough: false, work: other.work });
    one.end('done');
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    expect([one.started, other.started]).toEqual([1, 0]);
  });

  it('another version, or more than is being done, stops the older job', async () => {
    const [jobs, one, more, newer] = [new Jobs<string>(), held(), held(), held()];
    const first = jobs.run('a', { version: 1, thorough: false, work: one.work });
    const second = jobs.run('a', { version: 1, thorough: true, work: more.work });
    const third = jobs.run('a', { version: 2, thorough: false, work: newer.work });
    newer.end('new');
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(await third).toBe('new');
  });

  it('a job that one leaves goes on for the other, and is stopped when nobody waits', async () => {
    const [jobs, one] = [new Jobs<string>(), held()];
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const first = jobs.run('a', { version: 1, thorough: true, work: one.work }, leaving.signal);
    const second = jobs.run('a', { version: 1, thorough: true, work: one.work }, staying.signal);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(one.stopped).toBe(false);
    staying.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(one.stopped).toBe(true);
  });
});
