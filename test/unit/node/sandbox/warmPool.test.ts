import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Birth } from '../../../../src/node/sandbox/native/birth';
import { WarmPool } from '../../../../src/node/sandbox/native/warmPool';

/** A pool of births that count themselves and can be ended. */
function pool(size: number) {
  const births: { readonly birth: Birth; killed: boolean; end: () => void }[] = [];
  const bear = (): Promise<Birth> => {
    const entry = { killed: false, end: (): void => undefined } as { birth: Birth; killed: boolean; end: () => void };
    const channel = {
      listen: ({ end }: { end: (why: never) => void }) => (entry.end = () => end(undefined as never)),
      send: () => undefined,
      kill: () => (entry.killed = true),
    };
    births.push(Object.assign(entry, { birth: { channel, greeting: {} as Birth['greeting'], alive: () => true } }));
    return Promise.resolve(entry.birth);
  };
  return { births, pool: new WarmPool(size, bear) };
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('sessions kept ready', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are borne when asked for, as many as there is place', async () => {
    const { births, pool: warm } = pool(2);
    warm.fill();
    warm.fill();
    await settled();
    expect(births).toHaveLength(2);
    expect([warm.take(), warm.take(), warm.take()]).toEqual([births[0]!.birth, births[1]!.birth, undefined]);
  });

  it('are replaced a little after they were taken, or as soon as that is asked', async () => {
    const { births, pool: warm } = pool(1);
    expect(warm.take()).toBeUndefined();
    await settled();
    expect(births).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(births).toHaveLength(1);
    expect(warm.take()).toBe(births[0]!.birth);
    warm.fill();
    await settled();
    expect(births).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(births).toHaveLength(2);
  });

  it('are forgotten when they die, and ended when the pool is closed', async () => {
    const { births, pool: warm } = pool(2);
    warm.fill();
    await settled();
    births[0]!.end();
    expect(warm.take()).toBe(births[1]!.birth);
    warm.fill();
    await settled();
    warm.close();
    expect(births.slice(2).map(({ killed }) => killed)).toEqual([true, true]);
    warm.fill();
    await vi.advanceTimersByTimeAsync(1000);
    expect(births).toHaveLength(4);
  });
});
