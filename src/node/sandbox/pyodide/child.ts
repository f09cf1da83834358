import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { CAN_LOOK, CHANNEL, EnvelopeReader, Kind, RING_MS, SECOND, seal, type BootOrder } from './envelope';
import { childEnvironment } from './hardeningProbe';

/** How children are started. */
export interface Launch {
  readonly program: string;
  readonly flags: readonly string[];
  readonly script: string;
}

const Death = z.object({ why: z.string(), detail: z.string() });
const Ready = z.object({ image: z.string(), heapBytes: z.int(), looks: z.boolean() });

/** The child is gone, of itself (`why` says how) or by {@link Child.kill} (`killed`). */
export class ChildDied extends Error {
  constructor(readonly why: string, detail: string) {
    super(detail);
    this.name = 'ChildDied';
  }
}

interface Exchange {
  readonly onEvent: (content: Buffer) => void;
  readonly resolve: (content: Buffer) => void;
  readonly reject: (error: ChildDied) => void;
}

/** Orders that are longer do not travel on the second descriptor. */
const SHORT_BYTES = 16_384;
/** Bytes of a child's complaints that are kept for the log. */
const MAX_STDERR = 4_000;
/** Time to boot, in ms: without a snapshot, with sympy to import, on a busy machine. */
const BOOT_MS = 180_000;

/** The parent's end of one child process: one exchange at a time, and the kill. */
export class Child {
  /** Resolves when the process is gone or given up. */
  readonly died: Promise<ChildDied>;
  private readonly process: ChildProcess;
  private readonly channel: Duplex;
  private readonly second: Duplex | null;
  /** The child said that it can look at its second descriptor; it may be doing so. */
  private canLook = false;
  private isLooking = false;
  private readonly reader = new EnvelopeReader();
  private exchange: Exchange | null = null;
  private death: ChildDied | null = null;
  private complaints = '';
  private announceDeath: (death: ChildDied) => void = () => undefined;

  constructor({ program, flags, script }: Launch) {
    this.died = new Promise((resolve) => (this.announceDeath = resolve));
    this.process = spawn(program, [...flags, script], {
      env: childEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...(CAN_LOOK ? ['pipe' as const] : [])], windowsHide: true, detached: false,
    });
    this.channel = this.process.stdio[CHANNEL] as Duplex;
    this.second = CAN_LOOK ? (this.process.stdio[SECOND] as Duplex) : null;
    this.second?.on('error', () => undefined).resume();
    this.channel.on('data', (chunk: Buffer) => this.receive(chunk));
    this.channel.on('error', () => undefined);
    this.process.stderr!.on('data', (chunk: Buffer) => (this.complaints = (this.complaints + chunk.toString('utf8')).slice(0, MAX_STDERR)));
    this.process.on('error', (error) => this.end('start', error.message));
    // Not `exit`: what the child still said must be read first.
    this.process.on('close', (code, signal) => this.end('process', `the process ended (${signal ?? code ?? 'unknown'}) ${this.complaints}`.trim()));
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Has the child make a snapshot, after which it ends. */
  async snapshot(order: BootOrder): Promise<Buffer> {
    return this.inTime(this.send(Kind.boot, JSON.stringify(order)));
  }

  /** Boots the child from its snapshot; gives the digest of its image and the size of its heap in bytes. */
  async boot(order: BootOrder): Promise<{ image: string; heapBytes: number }> {
    const ready = await this.inTime(this.send(Kind.boot, JSON.stringify(order)));
    const { looks, ...image } = Ready.parse(JSON.parse(ready.toString('utf8')));
    this.canLook = looks;
    return image;
  }

  /** Sends one order and waits for what ends it; rejects with {@link ChildDied}. */
  send(kind: Kind, content: Buffer | string, onEvent: (content: Buffer) => void = () => undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.death) return reject(this.death);
      if (this.exchange) return reject(new ChildDied('order', 'an exchange is under way'));
      this.exchange = { onEvent, resolve, reject };
      const order = seal(kind, content);
      if (this.second && this.isLooking && kind === Kind.looking && order.length <= SHORT_BYTES) {
        this.second.write(order);
        this.ring(this.exchange, performance.now() + RING_MS);
      } else this.channel.write(order);
      this.isLooking = this.canLook && kind === Kind.looking;
    });
  }

  /** Rings the bell when the answer takes longer than one that the child found by looking. */
  private ring(exchange: Exchange, at: number): void {
    if (this.exchange !== exchange) return;
    if (performance.now() < at) setImmediate(() => this.ring(exchange, at));
    else this.channel.write(seal(Kind.bell));
  }

  /** Ends the process at once. What it was doing rejects before this returns. */
  kill(): void {
    this.process.kill('SIGKILL');
    this.end('killed', 'killed');
  }

  private receive(chunk: Buffer): void {
    if (this.death) return;
    try {
      for (const { kind, content } of this.reader.push(chunk)) this.take(kind, content);
    } catch (error) {
      this.process.kill('SIGKILL');
      this.end('protocol', error instanceof Error ? error.message : String(error));
    }
  }

  private take(kind: number, content: Buffer): void {
    if (kind === Kind.event) return this.exchange?.onEvent(content);
    if (kind === Kind.death) {
      const { why, detail } = Death.parse(JSON.parse(content.toString('utf8')));
      this.process.kill('SIGKILL');
      return this.end(why, detail);
    }
    const exchange = this.exchange;
    this.exchange = null;
    exchange?.resolve(content);
  }

  private end(why: string, detail: string): void {
    if (this.death) return;
    this.death = new ChildDied(why, detail);
    const exchange = this.exchange;
    this.exchange = null;
    exchange?.reject(this.death);
    this.announceDeath(this.death);
  }

  private async inTime<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill(), BOOT_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}
