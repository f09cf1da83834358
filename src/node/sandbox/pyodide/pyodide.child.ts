/**
 * The disposable process of one machine. It boots as it is told, then serves one order after the other, synchronously:
 * nothing of it needs the event loop, and whoever wants to end it kills the process.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { CAN_LOOK, CHANNEL, Kind, LOOK_MS, SECOND, seal, type BootOrder, type StartOrder } from './envelope';
import { decodeImage, encodeImage, type SessionBounds } from './heapImage';
import { Machine, MachineDied, type MachineOptions } from './machine';
import { flagsInForce } from './hardening';

function send(kind: Kind, ...parts: (Buffer | string)[]): void {
  const bytes = seal(kind, ...parts);
  for (let sent = 0; sent < bytes.length; ) sent += fs.writeSync(CHANNEL, bytes, sent);
}

interface Order {
  readonly kind: number;
  readonly content: Buffer;
}

/** Bytes read into the rest of a buffer; null when there are none yet on a descriptor that does not block. */
function readSome(descriptor: number, bytes: Buffer, from: number): number | null {
  try {
    const read = fs.readSync(descriptor, bytes, from, bytes.length - from, null);
    if (read === 0) process.exit(0);
    return read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

function readExactly(descriptor: number, bytes: Buffer, got: number): Buffer {
  while (got < bytes.length) got += readSome(descriptor, bytes, got) ?? 0;
  return bytes;
}

function readOrder(descriptor: number, length: Buffer): Order {
  const content = readExactly(descriptor, Buffer.allocUnsafe(length.readUInt32BE(0)), 0);
  return { kind: content[0]!, content: content.subarray(1) };
}

/** An order on the second descriptor, null when there is none now. */
function glance(): Order | null {
  const length = Buffer.alloc(4);
  const got = readSome(SECOND, length, 0);
  return got === null ? null : readOrder(SECOND, readExactly(SECOND, length, got));
}

/** Looks for an order for a moment without sleeping. */
function look(): Order | null {
  const { stackTraceLimit } = Error;
  // Nothing to read is told by an error each time, and its trace costs most of it.
  Error.stackTraceLimit = 0;
  const until = performance.now() + LOOK_MS;
  let order = glance();
  while (order === null && performance.now() < until) order = glance();
  Error.stackTraceLimit = stackTraceLimit;
  return order;
}

/** Waits for an order. */
function receive(): Order {
  for (;;) {
    const order = readOrder(CHANNEL, readExactly(CHANNEL, Buffer.alloc(4), 0));
    const missed = order.kind === Kind.bell ? glance() : order;
    if (missed) return missed;
  }
}

function die(why: string, detail: string): never {
  send(Kind.death, JSON.stringify({ why, detail }));
  process.exit(1);
}

let bounds: SessionBounds = { memoryBytes: 0, eventBytes: 0 };
/** Bytes that Python may still write as events during the present request. */
let eventBytesLeft = 0;

function onEvent(bytes: Buffer): void {
  eventBytesLeft -= bytes.length;
  if (eventBytesLeft < 0) throw new MachineDied('output', `more than ${bounds.eventBytes} bytes of events in one request`);
  send(Kind.event, bytes);
}

function readSnapshot({ path, sha256 }: { path: string; sha256: string }): Uint8Array<ArrayBuffer> {
  const bytes = fs.readFileSync(path) as Uint8Array<ArrayBuffer>;
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) die('snapshot', 'the snapshot is not what was written');
  return bytes;
}

function options(order: BootOrder): MachineOptions {
  return {
    pyodide: order.pyodide,
    hashSeed: order.hashSeed,
    files: new Map(Object.entries(order.files).map(([inside, outside]) => [inside, fs.readFileSync(outside)])),
    prepare: order.prepare,
    beforeLock: order.beforeLock,
    module: 'envwright_host.embedded',
    onEvent,
  };
}

const withHeap = (machine: Machine, answer: Buffer): [Buffer, Buffer] => {
  const pages = Buffer.alloc(4);
  pages.writeUInt32BE(machine.heapBytes / 65536);
  return [pages, answer];
};

interface AttackOrder {
  readonly order: StartOrder;
  readonly request: object;
}

/** Makes one request on a fresh image and tells what came of it, also when it ended the session. */
function attack(machine: Machine, { order, request }: AttackOrder): { reply: unknown } | { death: { why: string; detail: string } } {
  if (!machine.reset()) die('reset', 'a descriptor of the image was closed or exchanged');
  keepWithin(machine, order.bounds);
  try {
    machine.call(Buffer.from(JSON.stringify(order.python)));
    eventBytesLeft = bounds.eventBytes;
    return { reply: JSON.parse(machine.call(Buffer.from(JSON.stringify(request))).toString('utf8')) };
  } catch (error) {
    if (error instanceof MachineDied) return { death: { why: error.why, detail: error.message } };
    throw error;
  }
}

function keepWithin(machine: Machine, next: SessionBounds): void {
  bounds = next;
  machine.limitHeap(next.memoryBytes);
}

function serve(machine: Machine, { kind, content }: Order): void {
  switch (kind) {
    case Kind.start: {
      const order = JSON.parse(content.toString('utf8')) as StartOrder;
      keepWithin(machine, order.bounds);
      return send(Kind.answer, ...withHeap(machine, machine.call(Buffer.from(JSON.stringify(order.python)))));
    }
    case Kind.request:
    case Kind.looking:
      eventBytesLeft = bounds.eventBytes;
      return send(Kind.answer, ...withHeap(machine, machine.call(content)));
    case Kind.park:
      return send(Kind.image, encodeImage({ ...machine.park(), bounds }));
    case Kind.image: {
      const parked = decodeImage(content);
      keepWithin(machine, parked.bounds);
      machine.restore(parked);
      return send(Kind.done);
    }
    case Kind.reset:
      if (!machine.reset()) die('reset', 'a descriptor of the image was closed or exchanged');
      return send(Kind.done);
    case Kind.attack:
      return send(Kind.done, JSON.stringify(attack(machine, JSON.parse(content.toString('utf8')) as AttackOrder)));
    default:
      die('order', `no such order: ${kind}`);
  }
}

/** Keeps the second descriptor from blocking, which is all that the socket is for; null where that cannot be had: then nothing is looked for. */
function openSecond(): net.Socket | null {
  if (!CAN_LOOK) return null;
  try {
    return new net.Socket({ fd: SECOND, readable: false, writable: false }).unref();
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const second = openSecond();
  const order = JSON.parse(receive().content.toString('utf8')) as BootOrder;
  if (!order.snapshot) {
    send(Kind.snapshot, Buffer.from(await Machine.snapshot(options(order))));
    return;
  }
  const machine = await Machine.start({ ...options(order), snapshot: readSnapshot(order.snapshot) });
  send(Kind.done, JSON.stringify({ image: createHash('sha256').update(machine.image).digest('hex'), heapBytes: machine.heapBytes, looks: second !== null }));
  for (let next = receive(); ; ) {
    serve(machine, next);
    next = (next.kind === Kind.looking && second ? look() : null) ?? receive();
  }
}

if (process.argv[2] === 'probe') fs.writeSync(1, JSON.stringify(flagsInForce()));
else main().catch((error: unknown) => die(error instanceof MachineDied ? error.why : 'boot', error instanceof Error ? error.message : String(error)));
