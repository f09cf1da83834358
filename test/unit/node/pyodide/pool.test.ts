import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChildDied, type Child } from '../../../../src/node/sandbox/pyodide/child';
import { Kind } from '../../../../src/node/sandbox/pyodide/envelope';
import type { ParkingLot } from '../../../../src/node/sandbox/pyodide/parkingLot';
import { Pool, type Seat } from '../../../../src/node/sandbox/pyodide/pool';

const KIND = { hashSeed: 0, wheels: [], mathPreloaded: false };
const ORDER = { python: { op: 'start', observationChars: 10, layers: [] }, bounds: { memoryBytes: 1, eventBytes: 1 } } as const;

/** One child at a time; `parking` is what parking a session waits for. */
function poolOfOne(parking: () => Promise<void>) {
  const sent: number[] = [];
  const killed: number[] = [];
  let children = 0;
  const startChild = () => {
    const number = ++children;
    let dead = false;
    const child = {
      pid: number, died: new Promise<ChildDied>(() => undefined),
      kill: () => {
        if (!dead) killed.push(number);
        dead = true;
      },
      send: async (kind: number) => {
        sent.push(kind);
        if (kind === Kind.park) await parking();
        if (dead) throw new ChildDied('killed', 'killed');
        return kind === Kind.request ? Buffer.from([0, 0, 0, 1, 0x7b, 0x7d]) : Buffer.alloc(4);
      },
    };
    return Promise.resolve({ child: child as unknown as Child, image: 'same', heapBytes: 65_536 });
  };
  const lot = { put: () => Promise.resolve('file'), take: () => Promise.resolve(Buffer.alloc(0)), drop: () => undefined, dispose: () => undefined };
  const pool = new Pool(startChild, lot as unknown as ParkingLot, 1);
  onTestFinished(() => pool.dispose());
  const seat = (onLost: (death: ChildDied) => void = () => expect.fail('it was lost')): Seat => pool.seat(KIND, ORDER, onLost);
  const ask = async (one: Seat): Promise<string> => (await pool.request(one, '{}', () => undefined, () => undefined)).toString('utf8');
  return { pool, killed, sent, seat, ask };
}

describe('sessions that take turns', () => {
  it('keep the child while they ask again at once, so that two of them do not park each other at every step', async () => {
    const { sent, seat, ask } = poolOfOne(() => Promise.resolve());
    const play = async (one: Seat): Promise<void> => {
      for (let step = 0; step < 5; step++) expect(await ask(one)).toBe('{}');
    };
    await Promise.all([play(seat()), play(seat())]);
    expect(sent.filter((kind) => kind === Kind.request)).toHaveLength(10);
    expect(sent.filter((kind) => kind === Kind.park).length).toBeLessThan(5);
  });

  it('give it up when they ask for nothing, and after a while also when they never stop', async () => {
    const { seat, ask } = poolOfOne(() => Promise.resolve());
    const [quiet, restless, patient] = [seat(), seat(), seat()];
    await ask(quiet);
    let over = false;
    const restlessly = (async () => {
      await ask(restless);
      while (!over) await ask(restless);
    })();
    expect(await ask(patient)).toBe('{}');
    over = true;
    await restlessly;
  });
});

describe('a session that sits where another is to come', () => {
  it('can end while it is parked, and the other is not harmed', async () => {
    let go = (): void => undefined;
    const { pool, killed, seat, ask } = poolOfOne(() => new Promise((resolve) => (go = resolve)));
    const [first, second] = [seat(), seat()];
    await ask(first);
    const answer = ask(second);
    await vi.waitFor(() => expect(second.over || first.slot?.user === second).toBe(true));
    pool.release(first);
    go();
    expect(await answer).toBe('{}');
    expect(killed).toEqual([]);
  });

  it('is told when its child dies of parking it, and the other gets another child', async () => {
    const { killed, seat, ask } = poolOfOne(() => Promise.reject(new ChildDied('trap', 'its heap is in ruins')));
    const lost = vi.fn();
    const [first, second] = [seat(lost), seat()];
    await ask(first);
    expect(await ask(second)).toBe('{}');
    expect(lost).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ why: 'trap' }));
    expect(killed).toEqual([1]);
  });

  it('is parked unharmed when the other ends meanwhile, which then never begins', async () => {
    let go = (): void => undefined;
    const { pool, seat, ask } = poolOfOne(() => new Promise((resolve) => (go = resolve)));
    const [first, second] = [seat(), seat()];
    await ask(first);
    const answer = ask(second).catch((error: unknown) => error);
    await vi.waitFor(() => expect(first.slot?.user).toBe(second));
    pool.release(second);
    go();
    expect(await answer).toMatchObject({ why: 'killed' });
    expect(await ask(first)).toBe('{}');
  });
});
