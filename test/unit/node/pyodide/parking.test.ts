import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChildDied, type Child } from '../../../../src/node/sandbox/pyodide/child';
import { ANSWER_HEAD, Kind, type StartOrder } from '../../../../src/node/sandbox/pyodide/envelope';
import { ParkingLot } from '../../../../src/node/sandbox/pyodide/parkingLot';
import { Pool, type Seat } from '../../../../src/node/sandbox/pyodide/pool';

/** A child whose session is a list of the requests it was sent; each order waits until the test lets it go on. */
class ScriptedChild {
  readonly died: Promise<ChildDied>;
  readonly pid = 1;
  private held: string[] = [];
  private readonly waiting: { kind: Kind; go: () => void; fail: (error: ChildDied) => void }[] = [];
  private announce: (death: ChildDied) => void = () => undefined;

  constructor() {
    this.died = new Promise((resolve) => (this.announce = resolve));
  }

  send(kind: Kind, content: Buffer | string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ kind, go: () => resolve(this.carryOut(kind, content.toString())), fail: reject });
    });
  }

  kill(): void {
    const death = new ChildDied('killed', 'killed');
    for (const { fail } of this.waiting.splice(0)) fail(death);
    this.announce(death);
  }

  /** Lets the next order be carried out; tells which it was. */
  async go(): Promise<Kind> {
    const order = this.waiting.shift();
    if (!order) throw new Error('no order waits');
    order.go();
    await settled();
    return order.kind;
  }

  async die(): Promise<void> {
    const death = new ChildDied('trap', 'its interpreter failed');
    for (const { fail } of this.waiting.splice(0)) fail(death);
    this.announce(death);
    await settled();
  }

  private carryOut(kind: Kind, content: string): Buffer {
    if (kind === Kind.start || kind === Kind.reset) this.held = [];
    if (kind === Kind.image) this.held = JSON.parse(content) as string[];
    if (kind === Kind.request) this.held.push(content);
    return Buffer.concat([Buffer.alloc(kind === Kind.request ? ANSWER_HEAD : 0), Buffer.from(JSON.stringify(this.held))]);
  }
}

/** Until everything that can go on has gone on, files included. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));
const KIND = { hashSeed: 0, mathPreloaded: false, wheels: [] };
const ORDER = { python: {}, bounds: {} } as unknown as StartOrder;

let folder: string;
let children: ScriptedChild[];
let pool: Pool;
const lost: string[] = [];

function startPool(maxChildren: number): void {
  children = [];
  pool = new Pool(() => {
    const child = new ScriptedChild();
    children.push(child);
    return Promise.resolve({ child: child as unknown as Child, image: 'one', heapBytes: 0 });
  }, new ParkingLot(folder), maxChildren);
}
const seat = (name: string): Seat => pool.seat(KIND, ORDER, () => lost.push(name));
/** Asks, and gives what the session then holds. */
const ask = (of: Seat, text: string): Promise<string[]> =>
  pool.request(of, text, () => undefined, () => undefined).then((answer) => JSON.parse(answer.toString()) as string[]);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pool-'));
  lost.length = 0;
});
afterEach(() => {
  pool.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Two children; A sits on the first, B is busy on the second, and C begins to park A, who then asks again. */
async function askWhileParked(): Promise<{ answerOfA: Promise<string[]>; answerOfB: Promise<string[]>; first: ScriptedChild; second: ScriptedChild; b: Seat; a: Seat }> {
  startPool(2);
  const [a, b, c] = [seat('a'), seat('b'), seat('c')];
  const loaded = ask(a, 'load');
  await settled();
  const [first] = children as [ScriptedChild];
  await first.go();
  await first.go();
  expect(await loaded).toEqual(['load']);
  const answerOfB = ask(b, 'load');
  // Where a test ends before B is served, the pool ends B.
  answerOfB.catch(() => undefined);
  await settled();
  const second = children[1]!;
  await second.go();
  void ask(c, 'load').catch(() => undefined);
  await settled();
  const answerOfA = ask(a, 'reset');
  await settled();
  return { answerOfA, answerOfB, first, second, a, b };
}

describe('a session that asks while it is being parked for another', () => {
  it('goes on from what it held, also when a child becomes free before it is parked', async () => {
    const { answerOfA, answerOfB, first, second, b } = await askWhileParked();
    await second.go();
    await answerOfB;
    pool.release(b);
    expect(await second.go()).toBe(Kind.reset);
    expect(await first.go()).toBe(Kind.park);
    expect(await second.go()).toBe(Kind.image);
    expect(await second.go()).toBe(Kind.request);
    expect(await answerOfA).toEqual(['load', 'reset']);
  });

  it('is told at once when the child dies on the way', async () => {
    const { answerOfA, first } = await askWhileParked();
    const refused = expect(answerOfA).rejects.toThrow('its interpreter failed');
    await first.die();
    await refused;
    expect(lost).toEqual(['a']);
  });

  it('is ended at once when it is released', async () => {
    const { answerOfA, a } = await askWhileParked();
    const refused = expect(answerOfA).rejects.toThrow('killed');
    pool.release(a);
    await refused;
    expect(lost).toEqual([]);
  });
});
